#include "ardent/data/reader.h"

#include <fmt/format.h>

#include "ardent/base/error.h"
#include "ardent/data/cache.h"
#include "ardent/data/csv.h"
#include "ardent/data/idx.h"
#include "ardent/data/labels_file.h"
#include "ardent/data/libsvm.h"
#include "ardent/data/npy.h"

namespace ardent {
namespace {

/// NPY and IDX: numbers from one file, labels from another.
Dataset read_array(const NumericArray& array, const Bytes& bytes, const std::string& path,
                   const ReadOptions& options) {
  Dataset data;
  data.features = dense_rows(array, bytes.name);
  const std::string labels = options.labels.empty() ? sibling_labels(path) : options.labels;
  if (labels.empty()) {
    if (options.labels_optional) return data;
    throw InputError(
        fmt::format("{}: this format holds no labels; name the file that does", bytes.name));
  }
  data.labels = parse_labels(load_bytes(labels));
  if (data.labels.size() != data.rows()) {
    throw InputError(fmt::format("{} has {} rows, but {} has {} labels", bytes.name, data.rows(),
                                 labels, data.labels.size()));
  }
  return data;
}

/// What was asked for, and what the model needs.
CsvOptions csv_options(const ReadOptions& options) {
  CsvOptions csv{.label = options.label.empty() ? options.model_label : options.label,
                 .labels_optional = options.labels_optional,
                 .no_header = options.no_header,
                 .ignore = listed_names(options.ignore),
                 .missing = options.missing,
                 .model_features = options.model_features};
  if (options.categorical == "auto") {
    csv.find_words = true;
  } else if (options.categorical != "none") {
    for (const std::string& name : listed_names(options.categorical)) {
      csv.categories.push_back({name, {}});
    }
  }
  if (options.model_features == 0) return csv;
  const TableLayout& layout = options.model_layout;
  if (csv.missing == "error") csv.missing = layout.missing;
  csv.ignore.insert(csv.ignore.end(), layout.ignored.begin(), layout.ignored.end());
  csv.categories.insert(csv.categories.begin(), layout.categories.begin(), layout.categories.end());
  return csv;
}

/// A data set with as many columns as asked for. Columns beyond the highest index of a LIBSVM text
/// hold zeros, in its cache too; named columns, or those of an array, are all there are.
void widen(Dataset& data, Index features, bool may_widen) {
  const Index cols = data.cols();
  if (features == 0 || cols == features) return;
  if (cols > features || !may_widen) {
    throw InputError(
        fmt::format("{} has {} features, but {} are expected", data.source, cols, features));
  }
  data.features = widened(data.features, features);
}

constexpr std::string_view kCsvNames[] = {".csv", ".tsv"};
constexpr std::string_view kNpyNames[] = {".npy"};
constexpr std::string_view kIdxNames[] = {".idx", "-ubyte"};

constexpr DataFormat kFormats[] = {
    {.name = "libsvm",
     .read =
         [](const Bytes& bytes, const std::string&, const ReadOptions& options) {
           return parse_libsvm(bytes, {.features = options.features,
                                       .least_features = options.model_features,
                                       .room = options.room});
         },
     .first_row = is_libsvm_row},
    {.name = "csv",
     .read = [](const Bytes& bytes, const std::string&,
                const ReadOptions& options) { return parse_csv(bytes, csv_options(options)); },
     .first_row = is_csv_row,
     .suffixes = kCsvNames},
    {.name = "npy",
     .read =
         [](const Bytes& bytes, const std::string& path, const ReadOptions& options) {
           return read_array(parse_npy(bytes), bytes, path, options);
         },
     .has_magic = is_npy,
     .suffixes = kNpyNames,
     .labels_apart = true},
    {.name = "idx",
     .read =
         [](const Bytes& bytes, const std::string& path, const ReadOptions& options) {
           return read_array(parse_idx(bytes), bytes, path, options);
         },
     .has_magic = is_idx,
     .suffixes = kIdxNames,
     .labels_apart = true},
    {.name = "cache",
     .read = [](const Bytes& bytes, const std::string&,
                const ReadOptions&) { return parse_cache(bytes); },
     .has_magic = is_cache,
     .may_widen = true},
};

std::vector<double> read_weights(const std::string& path, const Dataset& data) {
  const Labels weights = parse_labels(load_bytes(path));
  if (!weights.numeric()) throw InputError(fmt::format("{}: row weights must be numbers", path));
  if (weights.size() != data.rows()) {
    throw InputError(fmt::format("{} has {} rows, but {} has {} weights", data.source, data.rows(),
                                 path, weights.size()));
  }
  for (std::size_t i = 0; i < weights.numbers.size(); ++i) {
    if (weights.numbers[i] < 0 || weights.numbers[i] > kLargestWeight) {
      throw InputError(
          fmt::format("{}: the weight of row {} is {}, but weights must be >= 0 and at most {:g}",
                      path, i + 1, weights.numbers[i], kLargestWeight));
    }
  }
  return weights.numbers;
}

/// An option that has no effect for this format is refused.
void refuse_idle(ReadOptions options, const DataFormat& format) {
  ReadOptions defaults;
  Schema given = schema(options);
  const Schema plain = schema(defaults);
  given.spell(options.spelling);
  options.format = format.name;
  for (const Option& option : given.options()) {
    if (option.name == "format" || option.get() == plain.find(option.name)->get()) continue;
    if (const Condition* condition = given.idle(option)) given.refuse(option, *condition);
  }
}

}  // namespace

std::span<const DataFormat> all_formats() {
  return kFormats;
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  return dataset_of(load_bytes(path), path, options);
}

Dataset dataset_of(const Bytes& bytes, const std::string& path, const ReadOptions& options) {
  if (options.features < 0) {
    throw InputError(fmt::format("features must be 0 or more, not {}", options.features));
  }
  const DataFormat& format =
      options.format == "auto" ? detect_format(bytes, path) : parse_format(options.format);
  if (!options.labels.empty() && !format.labels_apart) {
    throw InputError(
        fmt::format("{} holds its own labels; a labels file ({}) goes with NPY and IDX files only",
                    bytes.name, options.labels));
  }
  refuse_idle(options, format);
  Dataset data = format.read(bytes, path, options);
  data.source = path;
  widen(data, options.features, format.may_widen && data.feature_names.empty());
  if (!options.weights.empty()) data.weights = read_weights(options.weights, data);
  return data;
}

}  // namespace ardent
