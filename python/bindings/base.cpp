// Errors and option tables.
#include <nanobind/stl/string.h>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/estimators/coder_options.h"
#include "ardent/estimators/train_options.h"
#include "bind.h"

namespace ardent::python {

namespace nb = nanobind;

namespace {

nb::list described(const OptionTable& table) {
  nb::list options;
  for (const Option& option : table.options()) {
    nb::dict about;
    about["name"] = option.name;
    about["values"] = option.values;
    about["help"] = option.help;
    about["default"] = option.get();
    options.append(about);
  }
  return options;
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
      "train_options",
      [] {
        TrainOptions options;
        return described(option_table(options));
      },
      "Name, rule, help and default of every option of training, as the command line has them.");
  module.def(
      "coder_options",
      [] {
        CoderOptions options;
        return described(option_table(options));
      },
      "The same of sparse coding.");
}

}  // namespace ardent::python
