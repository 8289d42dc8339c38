// One function per module; each adds its own to the module ardent._core.
#pragma once

#include <nanobind/nanobind.h>

namespace ardent::python {

void bind_base(nanobind::module_& module);
void bind_data(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_export(nanobind::module_& module);
void bind_estimators(nanobind::module_& module);
void bind_designs(nanobind::module_& module);
void bind_inference(nanobind::module_& module);
void bind_imaging(nanobind::module_& module);

}  // namespace ardent::python
