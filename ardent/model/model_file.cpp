#include "ardent/model/model_file.h"

#include <fmt/format.h>

#include "ardent/base/error.h"
#include "ardent/model/array_file.h"
#include "ardent/model/dictionary_file.h"
#include "ardent/model/draws_file.h"
#include "ardent/model/model_check.h"
#include "ardent/model/model_parts.h"
#include "ardent/model/recorded_options.h"

namespace ardent {
namespace {

using nlohmann::json;

constexpr ArrayFileFormat kFormat{"ARDENTM\n", 1, "model"};

std::vector<double> list_of(const Vector& vector) {
  return {vector.begin(), vector.end()};
}

Vector vector_of(const Buffer<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

void add_dense(ArrayFileWriter& file, const std::string& name, const DenseRows& dense) {
  file.add(name, dense.values,
           {static_cast<std::uint64_t>(dense.rows), static_cast<std::uint64_t>(dense.cols)});
}

DenseRows read_dense(const ArrayFile& file, const std::string& name) {
  const auto& shape = file.shape(name);
  if (shape.size() != 2) file.refuse(fmt::format("array {} is no matrix", name));
  // An extent of a matrix without entries could be anything: it must still be a sane Index.
  for (const std::uint64_t extent : shape) {
    if (extent >> 40) file.refuse(fmt::format("array {} has an absurd shape", name));
  }
  return {static_cast<Index>(shape[0]), static_cast<Index>(shape[1]), file.array<double>(name)};
}

void add_basis(ArrayFileWriter& file, const Basis& basis) {
  file.about["map"] = map_name(basis.kind);
  file.add("basis.origin", basis.origin);
  if (basis.kind == MapKind::dictionary) add_dictionary(file, basis);
  if (basis.kind == MapKind::rbf) file.add("basis.sigma", std::vector<double>{basis.sigma});
  if (basis.kind == MapKind::rbf || basis.kind == MapKind::dictionary) {
    if (const auto* sparse = std::get_if<SparseRows>(&basis.centres)) {
      file.add("basis.centres.offsets", sparse->offsets);
      file.add("basis.centres.columns", sparse->columns);
      file.add("basis.centres.values", sparse->values);
    } else {
      add_dense(file, "basis.centres", std::get<DenseRows>(basis.centres));
    }
    file.about["sparse_centres"] = is_sparse(basis.centres);
  } else if (basis.kind == MapKind::doubly_sparse) {
    add_dense(file, "basis.centres", std::get<DenseRows>(basis.centres));
  } else if (basis.kind == MapKind::elm) {
    add_dense(file, "basis.hidden_weights", basis.hidden_weights);
    file.add("basis.hidden_biases", basis.hidden_biases);
  }
}

Features read_centres(const ArrayFile& file, Index inputs) {
  if (!file.about().at("sparse_centres").get<bool>()) return read_dense(file, "basis.centres");
  SparseRows sparse;
  sparse.offsets = file.array<std::uint64_t>("basis.centres.offsets");
  sparse.columns = file.array<std::uint32_t>("basis.centres.columns");
  sparse.values = file.array<float>("basis.centres.values");
  if (sparse.offsets.empty()) file.refuse("its sparse centres have no offsets");
  sparse.rows = static_cast<Index>(sparse.offsets.size()) - 1;
  sparse.cols = inputs;
  return sparse;
}

Basis read_basis(const ArrayFile& file, Index inputs) {
  Basis basis;
  basis.kind = parse_map(file.about().at("map").get<std::string>());
  basis.origin = file.list<Index>("basis.origin");
  if (basis.kind == MapKind::rbf) {
    const auto sigma = file.array<double>("basis.sigma");
    if (sigma.size() != 1) file.refuse("it has no single kernel width");
    basis.sigma = sigma[0];
    basis.centres = read_centres(file, inputs);
  } else if (basis.kind == MapKind::dictionary) {
    basis.centres = read_centres(file, inputs);
    read_dictionary(file, basis);
  } else if (basis.kind == MapKind::doubly_sparse) {
    basis.centres = read_dense(file, "basis.centres");
  } else if (basis.kind == MapKind::elm) {
    basis.hidden_weights = read_dense(file, "basis.hidden_weights");
    basis.hidden_biases = file.list<double>("basis.hidden_biases");
  }
  return basis;
}

void add_options(ArrayFileWriter& file, const std::map<std::string, std::string>& options) {
  std::vector<std::string> names, values;
  for (const auto& [name, value] : options) {
    names.push_back(name);
    values.push_back(value);
  }
  file.add_strings("options.names", names);
  file.add_strings("options.values", values);
}

std::map<std::string, std::string> read_options(const ArrayFile& file) {
  const auto names = file.strings("options.names");
  const auto values = file.strings("options.values");
  if (names.size() != values.size()) file.refuse("its options and their values differ in number");
  std::map<std::string, std::string> options;
  for (std::size_t i = 0; i < names.size(); ++i) options[names[i]] = values[i];
  return with_current_names(std::move(options));
}

Task parse_task(const ArrayFile& file) {
  const auto name = file.about().at("task").get<std::string>();
  for (const Task task : {Task::classification, Task::regression}) {
    if (name == task_name(task)) return task;
  }
  file.refuse(fmt::format("its task is {}", ardent::in_quotes(name)));
}

Model read_model(const ArrayFile& file) {
  const json& about = file.about();
  Model model;
  model.task = parse_task(file);
  model.features = whole_number_of(about.at("features"));
  model.total = whole_number_of(about.at("total"));
  model.inputs = file.list<Index>("inputs");
  model.feature_names = file.strings("feature_names");
  model.scaling.kind = parse_scale(about.at("scale").get<std::string>());
  model.scaling.offset = vector_of(file.array<double>("scaling.offset"));
  model.scaling.factor = vector_of(file.array<double>("scaling.factor"));
  if (model.scaling.unit_rows()) {
    model.scaling.every_factor = file.array<float>("scaling.every_factor");
  }
  model.classes.names = file.strings("classes.names");
  model.classes.values = file.list<double>("classes.values");
  model.classes.positive = whole_number_of(about.at("positive"));
  const auto label_name = file.strings("label_name");
  if (label_name.size() != 1) file.refuse("it has no single label name");
  model.label_name = label_name[0];
  model.basis = read_basis(file, static_cast<Index>(model.inputs.size()));
  model.parts = read_parts(file);
  if (model.basis.kind == MapKind::doubly_sparse) read_draws(file, model.parts);
  model.options = read_options(file);
  check_model(model);
  return model;
}

ArrayFileWriter written(const Model& model) {
  check_model(model);
  ArrayFileWriter file;
  file.about = {{"task", task_name(model.task)},
                {"features", model.features},
                {"total", model.total},
                {"scale", scale_name(model.scaling.kind)},
                {"positive", model.classes.positive}};
  file.add("inputs", model.inputs);
  file.add_strings("feature_names", model.feature_names);
  file.add("scaling.offset", list_of(model.scaling.offset));
  file.add("scaling.factor", list_of(model.scaling.factor));
  if (model.scaling.unit_rows()) file.add("scaling.every_factor", model.scaling.every_factor);
  file.add_strings("classes.names", model.classes.names);
  file.add("classes.values", model.classes.values);
  file.add_strings("label_name", {model.label_name});
  add_basis(file, model.basis);
  add_parts(file, model.parts);
  if (model.basis.kind == MapKind::doubly_sparse) add_draws(file, model.parts);
  add_options(file, model.options);
  return file;
}

Model read_whole_model(const ArrayFile& file, std::string_view name) {
  try {
    return read_model(file);
  } catch (const json::exception& error) {
    file.refuse(fmt::format("its metadata are malformed ({})", error.what()));
  } catch (const InputError& error) {
    const std::string_view message = error.what();
    if (message.starts_with(name)) throw;
    file.refuse(message);
  }
}

}  // namespace

void save_model(const Model& model, const std::string& path) {
  written(model).save(path, kFormat);
}

Model load_model(const std::string& path) {
  return read_whole_model(ArrayFile(path, kFormat), path);
}

std::string model_bytes(const Model& model) {
  return written(model).bytes(kFormat);
}

Model model_from_bytes(std::string_view bytes) {
  constexpr std::string_view kName = "model in memory";
  if (!bytes.starts_with(kFormat.magic)) {
    throw InputError(fmt::format("{}: these bytes are no model", kName));
  }
  const auto contents = Buffer<char>::copy_of(std::span(bytes.data(), bytes.size()));
  return read_whole_model(ArrayFile(std::string(kName), contents, kFormat), kName);
}

}  // namespace ardent
