// How the columns of a table with words and gaps become columns of numbers: found by the reader of
// the training data, kept in the model, used by the reader of new data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ardent {

/// A column of words.
struct CategoryColumn {
  std::string name;
  std::vector<std::string> values;  // in alphabetical order

  bool operator==(const CategoryColumn&) const = default;
};

struct TableLayout {
  std::string missing = "error";  // error | mean | indicator
  std::vector<CategoryColumn> categories = {};
  std::vector<std::string> ignored = {};

  bool operator==(const TableLayout&) const = default;
  bool plain() const { return *this == TableLayout{}; }
};

/// Names of the columns made of a column `name`: of its word `value`, and of its gaps.
inline std::string category_name(std::string_view name, std::string_view value) {
  return std::string(name) + "=" + std::string(value);
}
inline std::string gap_name(std::string_view name) {
  return std::string(name) + " missing";
}

}  // namespace ardent
