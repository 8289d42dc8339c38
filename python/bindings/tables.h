// Data sets as they pass between Python and the core.
#pragma once

#include <nanobind/nanobind.h>

#include <map>
#include <string>
#include <vector>

#include "ardent/base/option_table.h"
#include "ardent/data/dataset.h"

namespace ardent::python {

/// Features and, where they have them, the names of the columns.
struct Table {
  Features features;
  std::vector<std::string> names = {};
  std::string label_name = {};  // of the column that the labels came from
};

using OptionTexts = std::map<std::string, std::string>;

inline void set_options(OptionTable table, const OptionTexts& options) {
  for (const auto& [name, text] : options) table.set(name, text);
}

}  // namespace ardent::python
