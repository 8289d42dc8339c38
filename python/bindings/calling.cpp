#include "calling.h"

#include <nanobind/stl/string.h>

namespace ardent::python {

namespace nb = nanobind;

bool Conversation::interrupted() {
  const nb::gil_scoped_acquire gil;
  if (error_) return true;
  if (PyErr_CheckSignals() == 0) return false;
  error_.emplace();
  return true;
}

ProgressCallback Conversation::progress() {
  const bool reported = !callback_.is_none();
  return [this, reported](const ProgressEvent& event) {
    check_interrupt();
    return !reported || report(event);
  };
}

bool Conversation::report(const ProgressEvent& event) {
  const nb::gil_scoped_acquire gil;
  if (stop_ || error_) return false;
  try {
    nb::dict about;
    about["task"] = event.task;
    about["done"] = event.done;
    about["total"] = event.total;
    about["objective"] = event.objective;
    about["objective_name"] = event.objective_name;
    about["active"] = event.active;
    about["active_name"] = event.active_name;
    about["models"] = event.models;
    about["models_done"] = event.models_done;
    stop_ = callback_(about).is(nb::handle(Py_False));
  } catch (nb::python_error& error) {
    error_.emplace(std::move(error));
    stop_ = true;
  }
  return !stop_;
}

void Conversation::raise_if_failed() {
  if (!error_) return;
  nb::python_error error = std::move(*error_);
  error_.reset();
  throw error;
}

}  // namespace ardent::python
