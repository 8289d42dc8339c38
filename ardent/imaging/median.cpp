#include "ardent/imaging/median.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ardent {
namespace {

constexpr std::size_t kMostKept = std::size_t{1} << 22;
constexpr int kAllBits = 64, kBitsAtOnce = 16;
using Key = std::uint64_t;

/// Whole numbers in the order of the values they stand for; both zeros have one.
Key ordered_key(double value) {
  const Key bits = std::bit_cast<Key>(value + 0.0), sign = Key{1} << 63;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}
double value_of(Key key) {
  const Key sign = Key{1} << 63;
  return std::bit_cast<double>((key & sign) != 0 ? key & ~sign : ~key);
}

/// Keys low … low + 2^bits − 1, and how many values lie below them.
struct KeyRange {
  Key low = 0;
  int bits = kAllBits;
  std::size_t below = 0;

  bool has(Key key) const { return bits == kAllBits || (key - low) >> bits == 0; }
  int shift() const { return std::max(0, bits - kBitsAtOnce); }
  std::size_t part(Key key) const { return (key - low) >> shift(); }
  KeyRange part_at(std::size_t place) const {
    return {low + (static_cast<Key>(place) << shift()), shift(), below};
  }
};

/// The values in a range: themselves, or, where they are many, how many lie in each part of it.
class RangeCount {
 public:
  explicit RangeCount(const KeyRange& range) : range_(range) {}

  void add(double value) {
    const Key key = ordered_key(value);
    if (!range_.has(key)) return;
    ++total_;
    if (!parts_.empty()) {
      ++parts_[range_.part(key)];
      return;
    }
    kept_.push_back(value);
    if (kept_.size() <= kMostKept) return;
    parts_.assign(std::size_t{1} << kBitsAtOnce, 0);
    for (const double one : kept_) ++parts_[range_.part(ordered_key(one))];
    kept_ = std::vector<double>();  // its memory, too
  }

  bool are_kept() const { return parts_.empty(); }
  std::size_t total() const { return total_; }
  std::vector<double>& kept() { return kept_; }

  /// The part with the value of that rank among those of the range.
  KeyRange part_of_rank(std::size_t rank) const {
    std::size_t below = 0, place = 0;
    while (below + parts_[place] <= rank) below += parts_[place++];
    KeyRange part = range_.part_at(place);
    part.below += below;
    return part;
  }

 private:
  KeyRange range_;
  std::size_t total_ = 0;
  std::vector<double> kept_;
  std::vector<std::size_t> parts_;
};

/// The mean of the values of two ranks that are the same or follow one another.
double middle_of(std::vector<double>& values, std::size_t lower, std::size_t upper) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(upper);
  std::nth_element(values.begin(), middle, values.end());
  if (lower == upper) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

/// The mean of the largest value in one range and the least in another.
double middle_between(const Values& values, const KeyRange& low, const KeyRange& high) {
  double largest = -INFINITY, least = INFINITY;
  values([&](std::span<const double> some) {
    for (const double value : some) {
      const Key key = ordered_key(value);
      if (low.has(key)) largest = std::max(largest, value);
      if (high.has(key)) least = std::min(least, value);
    }
  });
  return 0.5 * (least + largest);
}

/// What is left after clipping, in place of each value its distance from a centre where one is
/// given.
struct Clipping {
  struct Kept {
    double centre, reach;
  };
  std::vector<Kept> kept;

  bool has(double value) const {
    return std::isfinite(value) && std::ranges::all_of(kept, [value](const Kept& one) {
             return !(std::abs(value - one.centre) > one.reach);
           });
  }
  template <class Map>
  Values of(const Values& values, Map map) const {
    return [this, &values, map](const SomeValues& visit) {
      std::vector<double> left;
      values([&](std::span<const double> some) {
        left.clear();
        for (const double value : some) {
          if (has(value)) left.push_back(map(value));
        }
        visit(left);
      });
    };
  }
};

}  // namespace

double median(std::vector<double> values) {
  return middle_of(values, (values.size() - 1) / 2, values.size() / 2);
}

double median_of(const Values& values) {
  KeyRange range;
  std::size_t lower = 0, upper = 0;
  while (true) {
    RangeCount count(range);
    values([&](std::span<const double> some) {
      for (const double value : some) count.add(value);
    });
    if (range.bits == kAllBits) {
      if (count.total() == 0) return std::nan("");
      lower = (count.total() - 1) / 2;
      upper = count.total() / 2;
    }
    if (count.are_kept()) {
      return middle_of(count.kept(), lower - range.below, upper - range.below);
    }
    const KeyRange low = count.part_of_rank(lower - range.below);
    const KeyRange high = count.part_of_rank(upper - range.below);
    if (low.low != high.low) return middle_between(values, low, high);
    if (low.bits == 0) return value_of(low.low);
    range = low;
  }
}

double deviation_about(const std::vector<double>& values, double centre) {
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::abs(value - centre));
  return kNormalDeviation * median(std::move(deviations));
}

double clipped_median(const std::vector<double>& values) {
  return clipped_median_of([&](const SomeValues& visit) { visit(values); });
}

double clipped_median_of(const Values& values) {
  constexpr int kRounds = 3;
  constexpr double kWidth = 3;
  Clipping clipping;
  const auto itself = [](double value) { return value; };
  double centre = median_of(clipping.of(values, itself));
  for (int round = 0; round < kRounds; ++round) {
    const double sd =
        kNormalDeviation *
        median_of(clipping.of(values, [centre](double value) { return std::abs(value - centre); }));
    if (!(sd > 0)) break;
    clipping.kept.push_back({centre, kWidth * sd});
    centre = median_of(clipping.of(values, itself));
  }
  return centre;
}

}  // namespace ardent
