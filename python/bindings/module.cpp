#include "bind.h"

NB_MODULE(_core, module) {
  module.doc() = "The C++ core of ardent; the public names are those of the package ardent.";
  module.attr("__version__") = ARDENT_VERSION;
  ardent::python::bind_base(module);
  ardent::python::bind_data(module);
  ardent::python::bind_model(module);
  ardent::python::bind_export(module);
  ardent::python::bind_estimators(module);
  ardent::python::bind_designs(module);
  ardent::python::bind_inference(module);
  ardent::python::bind_imaging(module);
}
