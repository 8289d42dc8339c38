#include "ardent/inference/target_folds.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "ardent/base/error.h"

namespace ardent {
namespace {

constexpr const char* kFoldless =
    "train without what they choose (early-stop, refit, the engines path and shrinkage)";

std::vector<Split> folds_of_counting_rows(Likelihood likelihood, const Vector& t, Index folds,
                                          std::uint64_t seed) {
  const Index rows = t.size();
  if (likelihood == Likelihood::gaussian) {
    if (rows < 2) {
      throw InputError(
          fmt::format("inner folds need at least two rows, found {}: {}", rows, kFoldless));
    }
    return shuffled_folds(rows, std::min(folds, rows), seed);
  }
  std::vector<std::uint32_t> classes;
  for (const double each : t) classes.push_back(each > 0.5 ? 1 : 0);
  const Index ones = std::count(classes.begin(), classes.end(), 1u);
  const Index rarer = std::min(ones, rows - ones);
  if (rarer < 2) {
    throw InputError(fmt::format("inner folds need at least two rows of each class, found {}: {}",
                                 rarer, kFoldless));
  }
  return stratified_folds(classes, std::min(folds, rarer), seed);
}

std::vector<Split> folds_of_all(Likelihood likelihood, const Vector& t, Index folds,
                                std::uint64_t seed, const Vector& weights) {
  std::vector<Index> counting, others;
  for (Index i = 0; i < t.size(); ++i) {
    (weights.size() == 0 || weights[i] > 0 ? counting : others).push_back(i);
  }
  if (others.empty()) return folds_of_counting_rows(likelihood, t, folds, seed);
  std::vector<Split> splits = folds_of_counting_rows(likelihood, t(counting), folds, seed);
  const auto count = splits.size();
  for (std::size_t f = 0; f < count; ++f) {
    Split& split = splits[f];
    for (Index& i : split.train) i = counting[static_cast<std::size_t>(i)];
    for (Index& i : split.test) i = counting[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < others.size(); ++k) {
      (k % count == f ? split.test : split.train).push_back(others[k]);
    }
    std::ranges::sort(split.train);
    std::ranges::sort(split.test);
  }
  return splits;
}

/// The ascending positions from `first` on, `count` of them, counted from there.
std::vector<Index> positions_within(const std::vector<Index>& all, Index first, Index count) {
  std::vector<Index> own;
  for (const Index i : all) {
    if (i >= first && i < first + count) own.push_back(i - first);
  }
  return own;
}

}  // namespace

std::vector<Split> target_folds(Likelihood likelihood, const Vector& t, Index folds,
                                std::uint64_t seed, const Vector& weights, const RowShare* share) {
  if (!share) return folds_of_all(likelihood, t, folds, seed, weights);
  // All that folds depend on: the class, and whether the row counts.
  std::string own(static_cast<std::size_t>(t.size()), '\0');
  for (Index i = 0; i < t.size(); ++i) {
    const bool counts = weights.size() == 0 || weights[i] > 0;
    own[static_cast<std::size_t>(i)] = static_cast<char>((t[i] > 0.5 ? 1 : 0) + (counts ? 2 : 0));
  }
  const std::vector<std::string> parts = share->gather(own);
  std::string all;
  Index first = 0;
  for (Index p = 0; p < std::ssize(parts); ++p) {
    if (p == share->place()) first = std::ssize(all);
    all += parts[static_cast<std::size_t>(p)];
  }
  Vector all_t(std::ssize(all)), counting(std::ssize(all));
  for (Index i = 0; i < all_t.size(); ++i) {
    all_t[i] = all[static_cast<std::size_t>(i)] & 1;
    counting[i] = all[static_cast<std::size_t>(i)] & 2;
  }
  std::vector<Split> splits = folds_of_all(likelihood, all_t, folds, seed, counting);
  for (Split& split : splits) {
    split = {positions_within(split.train, first, t.size()),
             positions_within(split.test, first, t.size())};
  }
  return splits;
}

}  // namespace ardent
