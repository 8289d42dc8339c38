#include "ardent/inference/target_folds.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/error.h"

namespace ardent {
namespace {

constexpr const char* kFoldless =
    "train without what they choose (early-stop, refit, the engines path and shrinkage)";

}  // namespace

std::vector<Split> target_folds(Likelihood likelihood, const Vector& t, Index folds,
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

}  // namespace ardent
