// Data sets as they pass between Python and the core.
#pragma once

#include <nanobind/nanobind.h>

#include <map>
#include <string>
#include <vector>

#include "ardent/base/option_schema.h"
#include "ardent/data/dataset.h"

namespace ardent::python {

/// Features and, where they have them, the names of the columns.
struct Table {
  Features features;
  std::vector<std::string> names = {};
  std::string label_name = {};  // of the column that the labels came from
};

using OptionTexts = std::map<std::string, std::string>;

/// `options` with these set. An option that differs from its default and has no effect is refused;
/// messages speak of keywords.
template <class Options>
Options with_options(Options options, const OptionTexts& texts) {
  Schema fields = schema(options);
  fields.spell(Spelling::keyword);
  for (const auto& [name, text] : texts) {
    const std::string before = fields.option(name).get();
    fields.set(name, text);
    if (fields.option(name).get() == before) fields.forget_given(name);
  }
  fields.refuse_idle();
  return options;
}

}  // namespace ardent::python
