#include <cstring>
#include <utility>
#include <vector>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"
#include "ardent/data/cache.h"
#include "ardent/data/cache_layout.h"

namespace ardent {
namespace {

/// Strings one after the other, and where each starts and the last ends.
struct StringTable {
  explicit StringTable(const std::vector<std::string>& strings) {
    for (const std::string& string : strings) {
      bytes += string;
      offsets.push_back(bytes.size());
    }
  }
  std::vector<std::uint64_t> offsets = {0};
  std::string bytes;
};

template <class Values>
std::span<const char> bytes_of_array(const Values& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(*values.data())};
}

/// Padded to the next multiple of the alignment.
void write_section(AtomicFile& file, std::span<const char> section) {
  file.write(section.data(), section.size());
  static constexpr char kZeros[kCacheAlignment] = {};
  file.write(kZeros, (kCacheAlignment - section.size() % kCacheAlignment) % kCacheAlignment);
}

void add_features(const Features& features, SparseRows& turned, CacheBytes& sections) {
  if (const auto* dense = std::get_if<DenseRows>(&features)) {
    sections[0] = bytes_of_array(dense->values);
    return;
  }
  const auto& sparse = std::get<SparseRows>(features);
  turned = sparse.transpose ? *sparse.transpose : transposed(sparse);
  std::size_t section = 0;
  for (const SparseRows* rows : {&sparse, &std::as_const(turned)}) {
    sections[section++] = bytes_of_array(rows->values);
    sections[section++] = bytes_of_array(rows->offsets);
    sections[section++] = bytes_of_array(rows->columns);
  }
}

}  // namespace

void write_cache(const Dataset& data, const std::string& path) {
  if (data.has_gaps) {
    throw InputError(data.source + ": a cache holds no missing values: fill them in first");
  }
  const StringTable label_names(data.labels.names);
  const StringTable feature_names(data.feature_names);
  CacheHeader header;
  std::memcpy(header.magic, kCacheMagic.data(), sizeof header.magic);
  header.sparse = is_sparse(data.features);
  header.rows = static_cast<std::uint64_t>(data.rows());
  header.cols = static_cast<std::uint64_t>(data.cols());
  header.entries = static_cast<std::uint64_t>(stored(data.features));
  header.label_numbers = data.labels.numbers.size();
  header.label_ids = data.labels.ids.size();
  header.label_names = data.labels.names.size();
  header.label_name_bytes = label_names.bytes.size();
  header.feature_names = data.feature_names.size();
  header.feature_name_bytes = feature_names.bytes.size();
  header.label_column_bytes = data.label_name.size();
  header.absent_is_zero = data.absent_is_zero;
  header.file_bytes = cache_layout(header).file_bytes;
  header.checksum = cache_checksum(header);

  CacheBytes sections;
  SparseRows turned;
  add_features(data.features, turned, sections);
  const auto set = [&](CacheSection section, const auto& values) {
    sections[static_cast<std::size_t>(section)] = bytes_of_array(values);
  };
  set(CacheSection::label_numbers, data.labels.numbers);
  set(CacheSection::label_ids, data.labels.ids);
  set(CacheSection::label_name_offsets, label_names.offsets);
  set(CacheSection::label_name_bytes, label_names.bytes);
  set(CacheSection::feature_name_offsets, feature_names.offsets);
  set(CacheSection::feature_name_bytes, feature_names.bytes);
  set(CacheSection::label_column, data.label_name);
  header.contents = contents_checksum(header, sections);

  AtomicFile file(path);
  file.write(&header, sizeof header);
  for (const auto section : sections) write_section(file, section);
  file.commit();
}

}  // namespace ardent
