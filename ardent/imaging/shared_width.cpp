#include "ardent/imaging/shared_width.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "ardent/base/random.h"

namespace ardent {
namespace {

constexpr Index kFewestTiles = 24;         // of an image: fewer are searched as quickly
constexpr Index kTilesAtOnce = 8;          // of the sample
constexpr Index kSampleShare = 6;          // one tile of so many is in the sample at most
constexpr std::size_t kEnoughWidths = 24;  // widths that are known well
constexpr std::size_t kFewestWidths = 12;  // at the sample's end
constexpr double kKnownWell = 0.1;         // standard deviation over width
constexpr double kSpread = 0.005;          // of a width: as much as widths may really differ by
constexpr double kOutlier = 3.5;           // standard deviations
constexpr double kBlendReach = 1.5;  // widths: two sources nearer than this look like a wide one
constexpr double kMostBlends = 0.3;  // of the sources

double weight_of(const MeasuredWidth& one) {
  const double sigma = one.source.sigma;
  return 1 / (one.sd * one.sd + kSpread * kSpread * sigma * sigma);
}

/// Half of the weight is on either side.
double weighted_median(std::vector<MeasuredWidth> measured) {
  std::ranges::stable_sort(measured, {}, [](const MeasuredWidth& one) { return one.source.sigma; });
  double all = 0, sum = 0;
  for (const MeasuredWidth& one : measured) all += weight_of(one);
  for (const MeasuredWidth& one : measured) {
    sum += weight_of(one);
    if (sum >= all / 2) return one.source.sigma;
  }
  return 0;
}

std::vector<MeasuredWidth> known_well(std::span<const MeasuredWidth> measured) {
  std::vector<MeasuredWidth> known;
  for (const MeasuredWidth& one : measured) {
    if (one.sd <= kKnownWell * one.source.sigma) known.push_back(one);
  }
  return known;
}

}  // namespace

std::optional<double> common_width(std::span<const MeasuredWidth> measured, double density) {
  const std::vector<MeasuredWidth> known = known_well(measured);
  if (known.size() < kFewestWidths) return std::nullopt;
  const double middle = weighted_median(known);
  double sum = 0, weights = 0, squares = 0;
  std::size_t wide = 0, narrow = 0;
  for (const MeasuredWidth& one : known) {
    const double off = (one.source.sigma - middle) * std::sqrt(weight_of(one));
    wide += off > kOutlier;
    narrow += off < -kOutlier;
    if (std::abs(off) > kOutlier) continue;
    squares += off * off;
    sum += weight_of(one) * one.source.sigma;
    weights += weight_of(one);
  }
  const auto count = static_cast<double>(known.size());
  const double reach = kBlendReach * middle, area = std::numbers::pi * reach * reach;
  const double blends = count * std::min(kMostBlends, density * area);
  const bool too_wide = static_cast<double>(wide) > blends + 2 * std::sqrt(blends);
  // Half as much again as errors make: near neighbours make them larger than the fit knows.
  const bool too_various = squares > 1.5 * (count + 3 * std::sqrt(2 * count));
  if (narrow > 0 || too_wide || too_various) return std::nullopt;
  return sum / weights;
}

bool may_share_width(const Pixels& image, const LocateOptions& options) {
  const bool known = options.psf || options.sigma_low == options.sigma_high;
  return options.shared_width == SharedWidth::automatic && !known && options.tile.refine &&
         options.dictionary == DictionaryKind::grid && !image.is_stack();
}

std::optional<double> shared_width(const Tiling& tiling, const Pixels& sky_free,
                                   const PixelNoise& noise, const TileOptions& tile) {
  if (tiling.count() < kFewestTiles) return std::nullopt;
  std::vector<Index> order(tiling.count());
  std::iota(order.begin(), order.end(), Index{0});
  Random(0).shuffle(order);
  const Index most = tiling.count() / kSampleShare;
  std::vector<MeasuredWidth> measured;
  Index seen = 0;
  while (known_well(measured).size() < kEnoughWidths && seen < most) {
    const std::span<const Index> some(order.data() + seen, kTilesAtOnce);
    const auto more = tiling.measure_widths(sky_free, noise, tile, some);
    measured.insert(measured.end(), more.begin(), more.end());
    seen += kTilesAtOnce;
  }
  const double pixels = static_cast<double>(sky_free.size()) * static_cast<double>(seen) /
                        static_cast<double>(tiling.count());
  return common_width(measured, static_cast<double>(measured.size()) / pixels);
}

}  // namespace ardent
