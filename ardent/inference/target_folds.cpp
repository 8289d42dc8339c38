#include "ardent/inference/target_folds.h"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

std::vector<Split> target_folds(Likelihood likelihood, const Vector& t, Index folds,
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

}  // namespace ardent
