#include "ardent/data/folds.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/error.h"
#include "ardent/base/random.h"

namespace ardent {

std::vector<Split> stratified_folds(std::span<const std::uint32_t> classes, Index folds,
                                    std::uint64_t seed) {
  const auto rows = std::ssize(classes);
  if (folds < 2 || folds > rows) {
    throw InputError(
        fmt::format("folds must be from 2 to the number of rows ({}), not {}", rows, folds));
  }
  std::vector<std::vector<Index>> members;
  for (Index i = 0; i < rows; ++i) {
    const std::size_t c = classes[i];
    if (c >= members.size()) members.resize(c + 1);
    members[c].push_back(i);
  }
  Random random(seed);
  std::vector<Index> fold_of(rows);
  Index next = 0;  // carried from class to class, so that fold sizes differ by one row at most
  for (std::size_t c = 0; c < members.size(); ++c) {
    const auto count = std::ssize(members[c]);
    if (count > 0 && count < folds) {
      throw InputError(fmt::format(
          "class {} (in order of the class table) has {} rows, fewer than the {} folds: use fewer "
          "folds or leave the class out",
          c + 1, count, folds));
    }
    random.shuffle(members[c]);
    for (const Index i : members[c]) fold_of[i] = next++ % folds;
  }
  std::vector<Split> splits(folds);
  for (Index i = 0; i < rows; ++i) {
    for (Index f = 0; f < folds; ++f) {
      Split& split = splits[f];
      (fold_of[i] == f ? split.test : split.train).push_back(i);
    }
  }
  return splits;
}

std::vector<Split> shuffled_folds(Index rows, Index folds, std::uint64_t seed) {
  const std::vector<std::uint32_t> one_class(rows, 0);
  return stratified_folds(one_class, folds, seed);
}

}  // namespace ardent
