// Models as code, and as the numbers of which other code can be made (ONNX).
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"
#include "ardent/model/export/export_c.h"
#include "ardent/model/row_model.h"
#include "arrays.h"
#include "bind.h"
#include "tables.h"

namespace ardent::python {
namespace {

void write_file(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

nb::dict exported_c(const Model& model, const OptionTexts& given) {
  ExportOptions options;
  Schema table = schema(options);
  table.spell(Spelling::keyword);
  for (const auto& [name, text] : given) table.set(name, text);
  table.refuse_idle();
  const ExportedC exported = export_c(model, options);
  nb::dict result;
  result["code"] = exported.text;
  result["constant_bytes"] = exported.constant_bytes;
  result["stack_bytes"] = exported.stack_bytes;
  result["rounding"] = exported.rounding;
  return result;
}

nb::dict part_numbers(const RowPart& part) {
  nb::dict about;
  about["positive"] = part.positive;
  about["negative"] = part.negative;
  about["active"] = numpy_of(part.active);
  about["weights"] = numpy_of(part.weights);
  about["bias"] = part.bias;
  about["has_bias"] = part.has_bias;
  about["moderated"] = part.moderated;
  about["covariance"] = numpy_of(part.covariance);
  about["diagonal"] = part.diagonal;
  return about;
}

nb::dict process_numbers(const RowProcess& process) {
  nb::dict about;
  about["rows"] = numpy_of(process.rows);
  about["half"] = numpy_of(process.half);
  about["ones"] = numpy_of(process.ones);
  about["weights"] = numpy_of(process.weights);
  about["bias"] = process.bias;
  about["amplitude"] = process.amplitude;
  return about;
}

nb::dict row_numbers(const Model& model, bool moderated, bool plug_in) {
  constexpr const char* kMaps[] = {"linear", "rbf", "elm"};
  const RowModel row = row_model(model, {.moderated = moderated, .plug_in = plug_in});
  nb::dict about;
  about["map"] = kMaps[static_cast<int>(row.map)];
  about["inputs"] = numpy_of(row.inputs);
  about["offset"] = numpy_of(row.offset);
  about["factor"] = numpy_of(row.factor);
  about["fill"] = numpy_of(row.fill);
  about["every_factor"] = numpy_of(row.every_factor);
  about["basis"] = row.basis;
  about["points"] = numpy_of(row.points);
  about["point_biases"] = numpy_of(row.point_biases);
  about["pairs"] = row.pairs;
  about["temperature"] = row.temperature;
  about["noise_variance"] = row.noise_variance;
  nb::list parts;
  for (const RowPart& part : row.parts) parts.append(part_numbers(part));
  about["parts"] = parts;
  if (row.process) about["process"] = process_numbers(*row.process);
  return about;
}

nb::dict draw_numbers(const KernelDraw& draw) {
  nb::dict about;
  about["inputs"] = numpy_of(draw.inputs);
  about["scales"] = numpy_of(draw.scales);
  about["centres"] = numpy_of(draw.centres);
  about["weights"] = numpy_of(draw.weights);
  about["bias"] = draw.bias;
  about["delta"] = draw.delta;
  about["noise_variance"] = draw.noise_variance;
  return about;
}

nb::dict mask_numbers(const Model& model) {
  const auto* kind = std::get_if<DoublySparseModel>(&model.kind);
  if (!kind) throw InputError("only doubly sparse models have draws");
  nb::dict about;
  about["inputs"] = numpy_of(model.inputs);
  about["offset"] = numpy_of(model.scaling.offset);
  about["factor"] = numpy_of(model.scaling.factor);
  about["fill"] = numpy_of(model.scaling.fill);
  about["centres"] =
      numpy_of(std::vector<double>(kind->centres.values.begin(), kind->centres.values.end()));
  about["temperature"] = model.temperature;
  nb::list parts;
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    nb::list draws;
    for (const KernelDraw& draw : kind->samples[p].draws) draws.append(draw_numbers(draw));
    nb::dict part;
    part["positive"] = model.parts[p].positive;
    part["negative"] = model.parts[p].negative;
    part["draws"] = draws;
    parts.append(part);
  }
  about["parts"] = parts;
  return about;
}

}  // namespace

void bind_export(nb::module_& module) {
  module.def("export_c", &exported_c, nb::arg("model"), nb::arg("options"), "C99 code.");
  module.def("c_identifier", &c_identifier, nb::arg("path"));
  module.def("write_file", &write_file, nb::arg("path"), nb::arg("text"), "Whole, or not at all.");
  module.def("row_numbers", &row_numbers, nb::arg("model"), nb::arg("moderated"),
             nb::arg("plug_in"), "All that predicting a row takes.");
  module.def("mask_numbers", &mask_numbers, nb::arg("model"), "The same of a doubly sparse model.");
}

}  // namespace ardent::python
