// Training on what Python multiplies with: linear operators, rows on other machines.
#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "ardent/base/error.h"
#include "ardent/design/callback.h"
#include "ardent/estimators/design_training.h"
#include "arrays.h"
#include "bind.h"
#include "calling.h"
#include "tables.h"

namespace ardent::python {
namespace {

using NumPyRows = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;

/// A copy, which Python may keep.
NumPyRows numpy_rows(const RowMatrix& matrix) {
  auto* held = new RowMatrix(matrix);
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<RowMatrix*>(p); });
  return NumPyRows(held->data(),
                   {static_cast<std::size_t>(held->rows()), static_cast<std::size_t>(held->cols())},
                   owner);
}

/// What a product returned, checked: float64, row-major, of this shape.
RowMatrix checked_product(const nb::object& found, Index rows, Index cols, const char* name) {
  Array2<double> array;
  if (!nb::try_cast(found, array)) {
    throw InputError(
        fmt::format("{} must return an array of float64 of shape {} × {}", name, rows, cols));
  }
  if (static_cast<Index>(array.shape(0)) != rows || static_cast<Index>(array.shape(1)) != cols) {
    throw InputError(fmt::format("{} must return an array of shape {} × {}, not {} × {}", name,
                                 rows, cols, array.shape(0), array.shape(1)));
  }
  return Eigen::Map<const RowMatrix>(array.data(), rows, cols);
}

/// A Python object, let go with the GIL wherever its last holder is.
std::shared_ptr<nb::object> held_object(const nb::object& object) {
  return {new nb::object(object), [](nb::object* held) {
            const nb::gil_scoped_acquire gil;
            delete held;
          }};
}

/// The methods matmat(W), rmatmat(R) and, unless it is None, square_norms(beta) of an object. They
/// are called without the core's threads waiting for the GIL: from the thread of the fit alone.
DesignProducts products_of(const nb::object& object) {
  const auto held = held_object(object);
  const auto product = [held](const char* name) {
    return [held, name](const RowMatrix& vectors, RowMatrix& out) {
      const nb::gil_scoped_acquire gil;
      out = checked_product(held->attr(name)(numpy_rows(vectors)), out.rows(), out.cols(), name);
    };
  };
  DesignProducts products{.multiply = product("matmat"), .multiply_transposed = product("rmatmat")};
  if (!object.attr("square_norms").is_none()) {
    products.weighted_square_norms = [held](const Vector& beta, Vector& out) {
      const nb::gil_scoped_acquire gil;
      const nb::object found = held->attr("square_norms")(numpy_rows(beta));
      out = checked_product(found, out.size(), 1, "square_norms").col(0);
    };
  }
  return products;
}

/// `scaling`: None, or kind, offsets and factors by which the columns are scaled already.
Scaling scaling_of(const nb::object& given) {
  if (given.is_none()) return {};
  const auto parts = nb::cast<nb::tuple>(given);
  return {parse_scale(nb::cast<std::string>(parts[0])),
          vector_of(nb::cast<Array1<double>>(parts[1])),
          vector_of(nb::cast<Array1<double>>(parts[2]))};
}

Model trained_on_design(const nb::object& object, Index rows, Index cols, const Labels& labels,
                        const std::optional<Array1<double>>& weights, const OptionTexts& texts,
                        const nb::object& scaling, const std::vector<std::string>& names,
                        const std::string& label_name, const Model* warm_start, int threads,
                        const nb::object& progress) {
  TrainOptions options = with_options(TrainOptions{}, texts);
  if (warm_start) options.warm_start = std::make_shared<const Model>(*warm_start);
  DesignData data{.design = std::make_shared<CallbackDesign>(rows, cols, products_of(object)),
                  .labels = labels,
                  .scaling = scaling_of(scaling),
                  .feature_names = names,
                  .label_name = label_name};
  if (weights) data.weights.assign(weights->data(), weights->data() + weights->size());
  return without_gil(threads, progress, [&](const ProgressCallback& callback) {
    return train_on_design(data, options, callback);
  });
}

}  // namespace

void bind_designs(nb::module_& module) {
  module.def("train_on_design", &trained_on_design, nb::arg("products"), nb::arg("rows"),
             nb::arg("cols"), nb::arg("labels"), nb::arg("weights").none(), nb::arg("options"),
             nb::arg("scaling").none(), nb::arg("names"), nb::arg("label_name"),
             nb::arg("warm_start").none(), nb::arg("threads"), nb::arg("progress").none(),
             "products.matmat(W), .rmatmat(R) and .square_norms(beta) (a method, or None) give "
             "float64 arrays of rows × k, cols × k and cols × 1.");
}

}  // namespace ardent::python
