// Labels as the user wrote them, and the class table made of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

/// One label per row. Labels that are all numbers have `numbers`; those with at most 65,536
/// distinct values, and all text labels, have `ids` into `names`. "1", "+1" and "1.0" are one
/// label, named by its first spelling.
struct Labels {
  std::vector<double> numbers;
  std::vector<std::uint32_t> ids;
  std::vector<std::string> names;  // in order of first appearance

  bool empty() const { return numbers.empty() && ids.empty(); }
  bool numeric() const { return !numbers.empty(); }
  Index size() const { return static_cast<Index>(numbers.empty() ? ids.size() : numbers.size()); }
};

/// Labels of text tokens. A token that is not a number makes all of them text.
Labels make_labels(std::span<const std::string_view> tokens);
Labels make_labels(std::vector<double> numbers);
Labels select_rows(const Labels& labels, std::span<const Index> which);

/// The classes of a classification problem, in the order LIBSVM gives them: by first appearance,
/// but +1 before −1. The positive class (F1, AUC, sign of binary weights) is the larger number, or
/// the later text in alphabetical order.
struct ClassTable {
  std::vector<std::string> names;
  std::vector<double> values;  // the names as numbers; empty if any is text
  Index positive = 0;          // index into names; meaningful for two classes

  Index size() const { return std::ssize(names); }
  /// Index of the class that `name` denotes (as a number where classes are numbers), if any.
  std::optional<Index> find(std::string_view name) const;
};

/// Throws InputError if there are fewer than two classes, or if the labels look like a
/// regression target (more than 65,536 distinct values).
ClassTable make_classes(const Labels& labels);

/// Row → class index. An unknown label is an InputError that names row, label and known classes.
std::vector<std::uint32_t> encode(const Labels& labels, const ClassTable& classes);

}  // namespace ardent
