// Errors and option schemas.
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/data/read_options.h"
#include "ardent/data/synth.h"
#include "ardent/estimators/coder_options.h"
#include "ardent/estimators/train_options.h"
#include "ardent/imaging/locate_options.h"
#include "ardent/imaging/scene.h"
#include "ardent/model/export/export_options.h"
#include "bind.h"
#include "tables.h"

namespace ardent::python {

namespace nb = nanobind;

namespace {

/// What is left to choose where some options are fixed.
template <class Options>
nb::list described(const OptionTexts& fixed) {
  constexpr const char* kKinds[] = {"number", "whole", "on_off", "choice", "text", "flag"};
  Options values;
  Schema schema = ardent::schema(values);
  for (const auto& [name, text] : fixed) schema.fix(name, text);
  nb::list options;
  for (const Option& option : schema.options()) {
    nb::dict about;
    about["name"] = option.name;
    about["keyword"] = keyword_of(option.name);
    about["kind"] = kKinds[static_cast<int>(option.kind)];
    about["values"] = option.values;
    about["choices"] = option.choices;
    about["separator"] = option.separator;
    about["groups"] = option.groups;
    about["help"] = option.help;
    about["default"] = option.get();
    options.append(about);
  }
  return options;
}

nb::list options_of(const std::string& what, const OptionTexts& fixed) {
  if (what == "train") return described<TrainOptions>(fixed);
  if (what == "export") return described<ExportOptions>(fixed);
  if (what == "read") return described<ReadOptions>(fixed);
  if (what == "code") return described<CoderOptions>(fixed);
  if (what == "locate") return described<LocateOptions>(fixed);
  if (what == "scene") return described<SceneOptions>(fixed);
  if (what == "synth") return described<SynthOptions>(fixed);
  throw InputError("there is no schema of " + in_quotes(what));
}

}  // namespace

void bind_base(nb::module_& module) {
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void*) {
        try {
          std::rethrow_exception(thrown);
        } catch (const InputError& error) {
          PyErr_SetString(PyExc_ValueError, error.what());
        } catch (const Error& error) {
          PyErr_SetString(PyExc_RuntimeError, error.what());
        }
      },
      nullptr);
  module.def(
      "options", &options_of, nb::arg("what"), nb::arg("fixed") = OptionTexts{},
      "The schema of train, export, read, code, locate, scene or synth, less what has no effect "
      "where some are fixed.");
}

}  // namespace ardent::python
