// Tables and labels from arrays, and files to arrays.
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "ardent/base/error.h"
#include "ardent/data/reader.h"
#include "ardent/data/sound_rows.h"
#include "ardent/model/model.h"
#include "ardent/model/read_for.h"
#include "arrays.h"
#include "bind.h"
#include "calling.h"
#include "tables.h"

namespace ardent::python {
namespace {

/// In place where the array begins at a multiple of 64 bytes, as the core's own arrays do. Sums of
/// dense rows are added in an order that depends on that: elsewhere a copy keeps the bits the same.
Table dense_table(const Array2<double>& values, bool anywhere) {
  constexpr std::uintptr_t kAlignment = 64;
  const bool aligned =
      anywhere || reinterpret_cast<std::uintptr_t>(values.data()) % kAlignment == 0;
  const Buffer<double> buffer =
      aligned ? view_of<double>(values)
              : Buffer<double>::copy_of(std::span(values.data(), values.size()));
  return {
      DenseRows{static_cast<Index>(values.shape(0)), static_cast<Index>(values.shape(1)), buffer}};
}

/// SciPy counts entries in 32 bits while it can; 64-bit offsets are shared.
Buffer<std::uint64_t> offsets_of(const nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig>& indptr) {
  if (indptr.dtype() == nb::dtype<std::int64_t>()) {
    return view_of<std::uint64_t>(Array1<std::int64_t>(indptr));
  }
  if (indptr.dtype() != nb::dtype<std::int32_t>()) {
    throw InputError("offsets of sparse rows must be int32 or int64");
  }
  auto offsets = Buffer<std::uint64_t>::allocate(indptr.size());
  const auto* from = static_cast<const std::int32_t*>(indptr.data());
  std::transform(from, from + indptr.size(), offsets.mutable_data(),
                 [](std::int32_t offset) { return static_cast<std::uint64_t>(offset); });
  return offsets;
}

SparseRows sparse_rows(const nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig>& indptr,
                       const Array1<std::int32_t>& indices, const Array1<float>& values, Index rows,
                       Index cols) {
  SparseRows sparse{
      rows,   cols, offsets_of(indptr), view_of<std::uint32_t>(indices), view_of<float>(values),
      nullptr};
  // What the core takes for granted: a wrong index would be read from anywhere.
  const std::string fault = sparse_fault(sparse, false);
  if (!fault.empty()) throw InputError("sparse rows " + fault);
  return sparse;
}

/// By columns: they are the transpose that there is, and the rows are made of it.
Table table_by_columns(SparseRows by_column) {
  SparseRows by_row = transposed(by_column);
  by_row.transpose = std::make_shared<const SparseRows>(std::move(by_column));
  return {std::move(by_row)};
}

/// Names are given in any order; classes are counted by first appearance, as of text labels.
Labels text_labels(const std::vector<std::string>& names, const Array1<std::uint32_t>& ids) {
  Labels labels;
  std::vector<std::int64_t> place(names.size(), -1);
  labels.ids.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::int64_t& id = place.at(ids.data()[i]);
    if (id < 0) {
      id = static_cast<std::int64_t>(labels.names.size());
      labels.names.push_back(names[ids.data()[i]]);
    }
    labels.ids.push_back(static_cast<std::uint32_t>(id));
  }
  return labels;
}

nb::object arrays_of(const Features& features) {
  nb::dict arrays;
  arrays["shape"] = nb::make_tuple(rows(features), cols(features));
  if (const auto* dense = std::get_if<DenseRows>(&features)) {
    arrays["values"] = numpy_view<double>(dense->values);
    return arrays;
  }
  const auto& sparse = std::get<SparseRows>(features);
  arrays["indptr"] = numpy_view<std::int64_t>(sparse.offsets);
  arrays["indices"] = numpy_view<std::int32_t>(sparse.columns);
  arrays["data"] = numpy_view<float>(sparse.values);
  return arrays;
}

nb::object read_arrays(const std::string& path, const ReadOptions& options, int threads) {
  const Dataset data = without_gil(
      threads, nb::none(), [&](const ProgressCallback&) { return read_dataset(path, options); });
  nb::object arrays = arrays_of(data.features);
  arrays["names"] = data.feature_names;
  nb::list warnings;
  for (const std::string& warning : data.warnings) warnings.append(warning);
  arrays["warnings"] = warnings;
  if (data.labels.numeric()) {
    arrays["labels"] = numpy_of(data.labels.numbers);
  } else {
    nb::list labels;
    for (const std::uint32_t id : data.labels.ids) labels.append(data.labels.names[id]);
    arrays["labels"] = labels;
  }
  return arrays;
}

}  // namespace

void bind_data(nb::module_& module) {
  nb::class_<Table>(module, "Table", "Rows of features; shares the memory of the arrays it is of.")
      .def_prop_ro("rows", [](const Table& table) { return rows(table.features); })
      .def_prop_ro("cols", [](const Table& table) { return cols(table.features); })
      .def_rw("names", &Table::names)
      .def_rw("label_name", &Table::label_name);
  module.def("dense_table", &dense_table, nb::arg("values"), nb::arg("anywhere") = false,
             "Row-major float64; in place where it begins at a multiple of 64 bytes, or anywhere.");
  module.def(
      "csr_table",
      [](const nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig>& indptr,
         const Array1<std::int32_t>& indices, const Array1<float>& values, Index row_count,
         Index column_count) {
        return Table{sparse_rows(indptr, indices, values, row_count, column_count)};
      },
      nb::arg("indptr"), nb::arg("indices"), nb::arg("values"), nb::arg("rows"), nb::arg("cols"));
  module.def(
      "csc_table",
      [](const nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig>& indptr,
         const Array1<std::int32_t>& indices, const Array1<float>& values, Index row_count,
         Index column_count) {
        return table_by_columns(sparse_rows(indptr, indices, values, column_count, row_count));
      },
      nb::arg("indptr"), nb::arg("indices"), nb::arg("values"), nb::arg("rows"), nb::arg("cols"));

  nb::class_<Labels>(module, "Labels", "One label per row.")
      .def_prop_ro("size", [](const Labels& labels) { return labels.size(); });
  module.def(
      "numeric_labels",
      [](const Array1<double>& values) {
        return make_labels(std::vector<double>(values.data(), values.data() + values.size()));
      },
      nb::arg("values"));
  module.def("text_labels", &text_labels, nb::arg("names"), nb::arg("ids"),
             "Label i is names[ids[i]].");
  module.def(
      "read_libsvm",
      [](const std::string& path, Index features, int threads) {
        return read_arrays(path, {.format = "libsvm", .features = features}, threads);
      },
      nb::arg("path"), nb::arg("features"), nb::arg("threads"));
  module.def(
      "read_for_model",
      [](const std::string& path, const Model& model, const OptionTexts& texts, int threads) {
        const ReadOptions given = with_options(ReadOptions{}, texts);
        return read_arrays(path, read_options_for(model, given, false), threads);
      },
      nb::arg("path"), nb::arg("model"), nb::arg("options"), nb::arg("threads"),
      "Rows with labels, of any format, read as the model's training data were.");
}

}  // namespace ardent::python
