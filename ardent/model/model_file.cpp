#include "ardent/model/model_file.h"

#include <fmt/format.h>

#include "ardent/base/container.h"
#include "ardent/base/error.h"
#include "ardent/base/whole_file.h"
#include "ardent/model/model_check.h"
#include "ardent/model/model_of_version_0_1.h"
#include "ardent/model/model_parts.h"
#include "ardent/model/recorded_options.h"

namespace ardent {
namespace {

using nlohmann::json;

constexpr ContainerFormat kFormat{
    .kind = "model", .version = 2, .earlier_magic = kEarlierModelMagic};

std::vector<double> list_of(const Vector& vector) {
  return {vector.begin(), vector.end()};
}

Vector vector_of(const Buffer<double>& values) {
  return Eigen::Map<const Vector>(values.data(), std::ssize(values));
}

void add_options(ContainerWriter& file, const std::map<std::string, std::string>& options) {
  std::vector<std::string> names, values;
  for (const auto& [name, value] : options) {
    names.push_back(name);
    values.push_back(value);
  }
  file.add_strings("options.names", names);
  file.add_strings("options.values", values);
}

std::map<std::string, std::string> read_options(const Container& file) {
  const auto names = file.strings("options.names");
  const auto values = file.strings("options.values");
  if (names.size() != values.size()) file.refuse("its options and their values differ in number");
  std::map<std::string, std::string> options;
  for (std::size_t i = 0; i < names.size(); ++i) options[names[i]] = values[i];
  return with_current_names(std::move(options));
}

std::vector<std::string> category_names(const TableLayout& layout) {
  std::vector<std::string> names;
  for (const CategoryColumn& column : layout.categories) names.push_back(column.name);
  return names;
}

/// Of a table of plain numbers nothing is written: such a file is that of earlier versions.
void add_layout(ContainerWriter& file, const Model& model) {
  const TableLayout& layout = model.layout;
  if (layout.plain()) return;
  file.about["missing"] = layout.missing;
  file.add("scaling.fill", list_of(model.scaling.fill));
  file.add_strings("layout.ignored", layout.ignored);
  file.add_strings("layout.categories", category_names(layout));
  std::vector<std::string> words;
  std::vector<Index> counts;
  for (const CategoryColumn& column : layout.categories) {
    counts.push_back(std::ssize(column.values));
    words.insert(words.end(), column.values.begin(), column.values.end());
  }
  file.add("layout.word_counts", counts);
  file.add_strings("layout.words", words);
}

void read_layout(const Container& file, Model& model) {
  if (!file.about().contains("missing")) return;
  TableLayout& layout = model.layout;
  layout.missing = file.about().at("missing").get<std::string>();
  model.scaling.fill = vector_of(file.array<double>("scaling.fill"));
  layout.ignored = file.strings("layout.ignored");
  const auto words = file.strings("layout.words");
  const auto counts = file.list<Index>("layout.word_counts");
  auto word = words.begin();
  for (const std::string& name : file.strings("layout.categories")) {
    const std::size_t c = layout.categories.size();
    if (c >= counts.size() || counts[c] < 0 || counts[c] > words.end() - word) {
      file.refuse("its columns of words and their words differ in number");
    }
    layout.categories.push_back({name, {word, word + counts[c]}});
    word += counts[c];
  }
  if (word != words.end()) file.refuse("it has words of no column");
}

Task parse_task(const Container& file) {
  const auto name = file.about().at("task").get<std::string>();
  for (const Task task : {Task::classification, Task::regression}) {
    if (name == task_name(task)) return task;
  }
  file.refuse(fmt::format("its task is {}", ardent::in_quotes(name)));
}

/// `model`: its inputs and parts are known.
void read_kind(const Container& file, Model& model) {
  const auto map = file.about().at("map").get<std::string>();
  if (map == DoublySparseModel::kMap) {
    model.kind = DoublySparseModel::load(file, model);
  } else if (map == DictionaryModel::kMap) {
    model.kind = DictionaryModel::load(file, model);
  } else if (find_map(map)) {
    model.kind = EvidenceModel::load(file, model);
  } else {
    file.refuse(fmt::format("its map is {}, none of {}", ardent::in_quotes(map),
                            fmt::join(map_names(), ", ")));
  }
}

Model read_model(const Container& file) {
  const json& about = file.about();
  Model model;
  model.task = parse_task(file);
  model.features = whole_number_of(about.at("features"));
  model.total = whole_number_of(about.at("total"));
  model.inputs = file.list<Index>("kept_columns");
  model.feature_names = file.strings("kept_column_names");
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
  read_layout(file, model);
  model.label_type = about.value("label_type", std::string());
  model.temperature = about.value("temperature", 1.0);
  model.parts = read_parts(file);
  read_kind(file, model);
  model.options = read_options(file);
  check_model(model);
  return model;
}

ContainerWriter written(const Model& model) {
  check_model(model);
  ContainerWriter file;
  file.about = {{"task", task_name(model.task)},
                {"map", map_name(model)},
                {"features", model.features},
                {"total", model.total},
                {"scale", scale_name(model.scaling.kind)},
                {"positive", model.classes.positive}};
  if (!model.label_type.empty()) file.about["label_type"] = model.label_type;
  if (model.temperature != 1) file.about["temperature"] = model.temperature;
  file.add("kept_columns", model.inputs);
  file.add_strings("kept_column_names", model.feature_names);
  file.add("scaling.offset", list_of(model.scaling.offset));
  file.add("scaling.factor", list_of(model.scaling.factor));
  if (model.scaling.unit_rows()) file.add("scaling.every_factor", model.scaling.every_factor);
  file.add_strings("classes.names", model.classes.names);
  file.add("classes.values", model.classes.values);
  file.add_strings("label_name", {model.label_name});
  add_layout(file, model);
  std::visit([&](const auto& kind) { kind.save(model, file); }, model.kind);
  add_options(file, model.options);
  return file;
}

Container opened(const std::string& name, const Buffer<char>& contents) {
  const bool current = container_kind({contents.data(), contents.size()}) == kFormat.kind;
  return current ? Container(name, contents, kFormat)
                 : model_of_version_0_1(name, contents, kFormat);
}

Model read_whole_model(const Container& file, std::string_view name) {
  try {
    return read_model(file);
  } catch (const json::exception& error) {
    file.refuse_malformed(error);
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
  return read_whole_model(opened(path, read_whole_file(path, kFormat)), path);
}

std::string model_bytes(const Model& model) {
  return written(model).bytes(kFormat);
}

Model model_from_bytes(std::string_view bytes) {
  constexpr std::string_view kName = "model in memory";
  if (container_kind(bytes) != kFormat.kind && !bytes.starts_with(kEarlierModelMagic)) {
    throw InputError(fmt::format("{}: these bytes are no model", kName));
  }
  return read_whole_model(opened(std::string(kName), Buffer<char>::copy_of(bytes)), kName);
}

}  // namespace ardent
