#include "ardent/data/cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/data/cache_format.h"
#include "ardent/data/cache_of_version_0_1.h"
#include "ardent/data/matrix_arrays.h"
#include "ardent/data/sound_rows.h"

namespace ardent {
namespace {

void check_sparse(const Container& file, const SparseRows& sparse) {
  const std::string fault = sparse_fault(sparse);
  if (!fault.empty()) file.refuse("its sparse rows " + fault);
}

void check_dense(const Container& file, const Buffer<double>& values) {
  constexpr Index kBlock = 1 << 16;
  std::atomic<bool> sound = true;
  parallel_blocks(std::ssize(values), kBlock, [&](Index begin, Index end) {
    if (!finite_values(values.data() + begin, end - begin)) sound = false;
  });
  if (!sound) file.refuse("it has values that are not finite");
}

Features features_of(const Container& file) {
  if (!file.about().at("sparse").get<bool>()) {
    DenseRows dense = read_dense(file, "features");
    check_dense(file, dense.values);
    return dense;
  }
  const std::uint64_t cols = container::count_of(file.about().at("columns"));
  if (cols > 0xffffffff) file.refuse("it has more columns than 32 bits can count");
  SparseRows sparse = read_sparse(file, "features", static_cast<Index>(cols));
  SparseRows turned = read_sparse(file, "transposed", sparse.rows);
  if (turned.rows != sparse.cols || turned.nonzeros() != sparse.nonzeros()) {
    file.refuse("its transpose is that of another matrix");
  }
  check_sparse(file, sparse);
  check_sparse(file, turned);
  sparse.transpose = std::make_shared<const SparseRows>(std::move(turned));
  return sparse;
}

Labels labels_of(const Container& file, std::size_t rows) {
  Labels labels;
  labels.numbers = file.list<double>("labels.numbers");
  labels.ids = file.list<std::uint32_t>("labels.ids");
  labels.names = file.strings("labels.names");
  const bool counts_fit = (labels.numbers.empty() || labels.numbers.size() == rows) &&
                          (labels.ids.empty() || labels.ids.size() == rows);
  const bool ids_known = std::all_of(labels.ids.begin(), labels.ids.end(),
                                     [&](std::uint32_t id) { return id < labels.names.size(); });
  if (!counts_fit || !ids_known || !finite_values(labels.numbers.data(), labels.numbers.size())) {
    file.refuse("its labels do not fit its rows, or are no labels");
  }
  return labels;
}

Dataset dataset_from(const Container& file) {
  Dataset data;
  data.features = features_of(file);
  if (data.rows() == 0) file.refuse("it holds no rows");
  data.labels = labels_of(file, static_cast<std::size_t>(data.rows()));
  data.feature_names = file.strings("feature_names");
  if (!data.feature_names.empty() && std::ssize(data.feature_names) != data.cols()) {
    file.refuse("its columns and their names differ in number");
  }
  const auto label_name = file.list<char>("label_name");
  data.label_name.assign(label_name.begin(), label_name.end());
  data.absent_is_zero = file.about().at("absent_is_zero").get<bool>();
  return data;
}

}  // namespace

bool is_cache(std::string_view contents) {
  return container_kind(contents) == kCacheFormat.kind || contents.starts_with(kEarlierCacheMagic);
}

Dataset parse_cache(const Bytes& bytes) {
  if (!is_cache(bytes.text())) {
    throw InputError(fmt::format("{}: not a cache that ardent convert wrote", bytes.name));
  }
  const Container file = bytes.text().starts_with(kEarlierCacheMagic)
                             ? cache_of_version_0_1(bytes.name, bytes.contents, kCacheFormat)
                             : Container(bytes.name, bytes.contents, kCacheFormat);
  try {
    Dataset data = dataset_from(file);
    data.source = bytes.name;
    return data;
  } catch (const nlohmann::json::exception& error) {
    file.refuse_malformed(error);
  }
}

Dataset read_cache(const std::string& path) {
  return parse_cache(load_bytes(path));
}

}  // namespace ardent
