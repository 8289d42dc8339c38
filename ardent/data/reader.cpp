#include "ardent/data/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "ardent/base/error.h"
#include "ardent/data/bytes.h"
#include "ardent/data/cache.h"
#include "ardent/data/csv.h"
#include "ardent/data/idx.h"
#include "ardent/data/labels_file.h"
#include "ardent/data/libsvm.h"
#include "ardent/data/npy.h"

namespace ardent {
namespace {

enum class Format { libsvm, csv, npy, idx, cache };

/// The file's name in lower case without what compression adds to it.
std::string plain_name(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  for (const std::string_view suffix : {".gz", ".xz", ".bz2"}) {
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  }
  return name;
}

/// By the first bytes where a format has some of its own, else by the name.
Format detect(std::string_view contents, const std::string& path) {
  if (is_cache(contents)) return Format::cache;
  if (is_npy(contents)) return Format::npy;
  if (is_idx(contents)) return Format::idx;
  const std::string name = plain_name(path);
  if (name.ends_with(".csv") || name.ends_with(".tsv")) return Format::csv;
  if (name.ends_with(".npy")) return Format::npy;
  if (name.ends_with(".idx") || name.ends_with("-ubyte")) return Format::idx;
  return Format::libsvm;
}

Format format_of(const ReadOptions& options, std::string_view contents, const std::string& path) {
  if (options.format == "auto") return detect(contents, path);
  if (options.format == "libsvm") return Format::libsvm;
  if (options.format == "csv") return Format::csv;
  if (options.format == "npy") return Format::npy;
  if (options.format == "idx") return Format::idx;
  if (options.format == "cache") return Format::cache;
  throw InputError(fmt::format("format must be auto, libsvm, csv, npy, idx or cache, not {}",
                               in_quotes(options.format)));
}

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

/// A data set with as many columns as asked for. Columns beyond the highest index of a LIBSVM text
/// hold zeros, in its cache too; named columns, or those of an array, are all there are.
void widen(Dataset& data, Index features, bool may_widen) {
  const Index cols = data.cols();
  if (features == 0 || cols == features) return;
  if (cols > features || !may_widen) {
    throw InputError(
        fmt::format("{} has {} features, but {} are expected", data.source, cols, features));
  }
  if (auto* sparse = std::get_if<SparseRows>(&data.features)) {
    sparse->cols = features;
    sparse->transpose = nullptr;
    return;
  }
  const auto& narrow = std::get<DenseRows>(data.features);
  const auto width = static_cast<std::size_t>(features);
  DenseRows wide{narrow.rows, features, Buffer<double>::allocate(narrow.rows * width)};
  double* to = wide.values.mutable_data();
  for (Index i = 0; i < narrow.rows; ++i, to += width) {
    const auto row = narrow.row(i);
    std::fill(std::copy(row.begin(), row.end(), to), to + width, 0.0);
  }
  data.features = std::move(wide);
}

Dataset parse(Format format, const Bytes& bytes, const std::string& path,
              const ReadOptions& options) {
  switch (format) {
    case Format::libsvm:
      return parse_libsvm(bytes, {.features = options.features});
    case Format::csv:
      return parse_csv(bytes, {options.label, options.labels_optional});
    case Format::npy:
      return read_array(parse_npy(bytes), bytes, path, options);
    case Format::idx:
      return read_array(parse_idx(bytes), bytes, path, options);
    case Format::cache:
      return parse_cache(bytes);
  }
  return {};
}

std::vector<double> read_weights(const std::string& path, const Dataset& data) {
  const Labels weights = parse_labels(load_bytes(path));
  if (!weights.numeric()) throw InputError(fmt::format("{}: row weights must be numbers", path));
  if (weights.size() != data.rows()) {
    throw InputError(fmt::format("{} has {} rows, but {} has {} weights", data.source, data.rows(),
                                 path, weights.size()));
  }
  for (std::size_t i = 0; i < weights.numbers.size(); ++i) {
    if (weights.numbers[i] < 0) {
      throw InputError(fmt::format("{}: the weight of row {} is {}, but weights must be >= 0", path,
                                   i + 1, weights.numbers[i]));
    }
  }
  return weights.numbers;
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  if (options.features < 0) {
    throw InputError(fmt::format("features must be 0 or more, not {}", options.features));
  }
  const Bytes bytes = load_bytes(path);
  const Format format = format_of(options, bytes.text(), path);
  const bool is_array = format == Format::npy || format == Format::idx;
  if (!options.labels.empty() && !is_array) {
    throw InputError(
        fmt::format("{} holds its own labels; a labels file ({}) goes with NPY and IDX files only",
                    bytes.name, options.labels));
  }
  Dataset data = parse(format, bytes, path, options);
  data.source = path;
  widen(data, options.features, format == Format::cache && data.feature_names.empty());
  if (!options.weights.empty()) data.weights = read_weights(options.weights, data);
  return data;
}

}  // namespace ardent
