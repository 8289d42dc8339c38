#include "ardent/data/cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/data/cache_layout.h"

namespace ardent {
namespace {

[[noreturn]] void refuse_cache(const Bytes& bytes, std::string_view why) {
  throw InputError(fmt::format("{}: {}; make it again with ardent convert", bytes.name, why));
}

CacheHeader checked_header(const Bytes& bytes) {
  const std::string_view contents = bytes.text();
  if (!is_cache(contents)) {
    throw InputError(fmt::format("{}: not a cache that ardent convert wrote", bytes.name));
  }
  CacheHeader header;
  if (contents.size() < sizeof header) refuse_cache(bytes, "the cache is cut off in its header");
  std::memcpy(&header, contents.data(), sizeof header);
  if (header.version != kCacheVersion) {
    refuse_cache(bytes, fmt::format("the cache has version {}, and this ardent reads version {}",
                                    header.version, kCacheVersion));
  }
  if (header.checksum != cache_checksum(header))
    refuse_cache(bytes, "the cache's header is damaged");
  if (header.file_bytes != contents.size()) {
    refuse_cache(bytes, fmt::format("the cache should have {} bytes but has {}", header.file_bytes,
                                    contents.size()));
  }
  return header;
}

/// The counts make sense together, and every array lies within the file.
CacheLayout checked_layout(const Bytes& bytes, const CacheHeader& header) {
  const std::uint64_t size = bytes.contents.size();
  for (const std::uint64_t count :
       {header.entries, header.label_numbers, header.label_ids, header.label_names,
        header.label_name_bytes, header.feature_names, header.feature_name_bytes,
        header.label_column_bytes, header.rows, header.cols}) {
    if (count > size) refuse_cache(bytes, "the cache's header names more than the file holds");
  }
  if (header.rows == 0) refuse_cache(bytes, "the cache holds no rows");
  const bool dense_fits = header.sparse == 0 && header.entries % header.rows == 0 &&
                          header.entries / header.rows == header.cols;
  constexpr std::uint64_t kMost = 0xffffffff;  // columns of either orientation fit 32 bits
  const bool sparse_fits = header.sparse == 1 && header.rows <= kMost && header.cols <= kMost;
  if (!dense_fits && !sparse_fits) refuse_cache(bytes, "the cache's counts contradict each other");
  const bool labels_fit = (header.label_numbers == 0 || header.label_numbers == header.rows) &&
                          (header.label_ids == 0 || header.label_ids == header.rows) &&
                          (header.feature_names == 0 || header.feature_names == header.cols);
  if (!labels_fit) refuse_cache(bytes, "the cache's counts contradict each other");
  const CacheLayout layout = cache_layout(header);
  if (layout.file_bytes != size) refuse_cache(bytes, "the cache's counts do not fit its size");
  if (header.contents == 0) return layout;
  CacheBytes sections;
  for (std::size_t section = 0; section < kCacheSections; ++section) {
    sections[section] = {bytes.contents.data() + layout.begin[section], layout.count[section]};
  }
  if (header.contents != contents_checksum(header, sections)) {
    refuse_cache(bytes, "the cache's contents are damaged: their checksum differs");
  }
  return layout;
}

/// Hands out the sections as views that keep the file in memory.
class Sections {
 public:
  Sections(const Bytes& bytes, const CacheLayout& layout)
      : owner_(std::make_shared<const Bytes>(bytes)), layout_(layout) {}

  template <class T>
  Buffer<T> get(CacheSection section) const {
    const auto p = static_cast<std::size_t>(section);
    const char* const begin = owner_->contents.data() + layout_.begin[p];
    return Buffer<T>::view(owner_, reinterpret_cast<const T*>(begin), layout_.count[p] / sizeof(T));
  }

 private:
  std::shared_ptr<const Bytes> owner_;
  const CacheLayout& layout_;
};

bool ascend_from_zero(const Buffer<std::uint64_t>& offsets, std::uint64_t end) {
  if (offsets[0] != 0 || offsets[offsets.size() - 1] != end) return false;
  return std::is_sorted(offsets.begin(), offsets.end());
}

/// Looks at exponents as integers, which compilers do many at a time.
bool finite_values(const float* values, std::size_t count) {
  constexpr std::uint32_t kExponent = 0x7f800000;
  bool finite = true;
  for (std::size_t i = 0; i < count; ++i) {
    finite &= (std::bit_cast<std::uint32_t>(values[i]) & kExponent) != kExponent;
  }
  return finite;
}

bool finite_values(const double* values, std::size_t count) {
  constexpr std::uint64_t kExponent = 0x7ff0000000000000;
  bool finite = true;
  for (std::size_t i = 0; i < count; ++i) {
    finite &= (std::bit_cast<std::uint64_t>(values[i]) & kExponent) != kExponent;
  }
  return finite;
}

/// One pass in parallel blocks: bounds and order of columns, finite values.
void check_sparse(const Bytes& bytes, const SparseRows& sparse) {
  const auto entries = static_cast<std::uint64_t>(sparse.nonzeros());
  if (!ascend_from_zero(sparse.offsets, entries))
    refuse_cache(bytes, "the cache's offsets are damaged");
  constexpr Index kBlock = 1024;
  std::atomic<bool> sound = true;
  parallel_blocks(sparse.rows, kBlock, [&](Index begin, Index end) {
    bool good = true;
    for (Index i = begin; i < end; ++i) {
      const auto first = sparse.offsets[i];
      const auto last = sparse.offsets[i + 1];
      if (first == last) continue;
      for (auto k = first + 1; k < last; ++k) good &= sparse.columns[k - 1] < sparse.columns[k];
      good &= static_cast<Index>(sparse.columns[last - 1]) < sparse.cols;
    }
    const auto from = sparse.offsets[begin];
    const auto count = sparse.offsets[end] - from;
    if (!good || !finite_values(sparse.values.data() + from, count)) sound = false;
  });
  if (!sound) refuse_cache(bytes, "the cache's sparse rows are damaged");
}

void check_dense(const Bytes& bytes, const Buffer<double>& values) {
  constexpr Index kBlock = 1 << 16;
  std::atomic<bool> sound = true;
  parallel_blocks(std::ssize(values), kBlock, [&](Index begin, Index end) {
    if (!finite_values(values.data() + begin, static_cast<std::size_t>(end - begin))) sound = false;
  });
  if (!sound) refuse_cache(bytes, "the cache's values are damaged");
}

Features features_of(const Bytes& bytes, const CacheHeader& header, const Sections& sections) {
  const auto rows = static_cast<Index>(header.rows);
  const auto cols = static_cast<Index>(header.cols);
  if (!header.sparse) {
    DenseRows dense{rows, cols, sections.get<double>(CacheSection::values)};
    check_dense(bytes, dense.values);
    return dense;
  }
  SparseRows sparse{rows,
                    cols,
                    sections.get<std::uint64_t>(CacheSection::offsets),
                    sections.get<std::uint32_t>(CacheSection::columns),
                    sections.get<float>(CacheSection::values),
                    nullptr};
  SparseRows turned{cols,
                    rows,
                    sections.get<std::uint64_t>(CacheSection::transposed_offsets),
                    sections.get<std::uint32_t>(CacheSection::transposed_columns),
                    sections.get<float>(CacheSection::transposed_values),
                    nullptr};
  check_sparse(bytes, sparse);
  check_sparse(bytes, turned);
  sparse.transpose = std::make_shared<const SparseRows>(std::move(turned));
  return sparse;
}

std::vector<std::string> strings_of(const Bytes& bytes, const Buffer<std::uint64_t>& offsets,
                                    const Buffer<char>& text) {
  if (!ascend_from_zero(offsets, text.size())) refuse_cache(bytes, "the cache's names are damaged");
  std::vector<std::string> strings;
  strings.reserve(offsets.size() - 1);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    strings.emplace_back(text.data() + offsets[i], offsets[i + 1] - offsets[i]);
  }
  return strings;
}

Labels labels_of(const Bytes& bytes, const Sections& sections) {
  const auto numbers = sections.get<double>(CacheSection::label_numbers);
  const auto ids = sections.get<std::uint32_t>(CacheSection::label_ids);
  Labels labels;
  labels.numbers.assign(numbers.begin(), numbers.end());
  labels.ids.assign(ids.begin(), ids.end());
  labels.names = strings_of(bytes, sections.get<std::uint64_t>(CacheSection::label_name_offsets),
                            sections.get<char>(CacheSection::label_name_bytes));
  const bool ids_known = std::all_of(labels.ids.begin(), labels.ids.end(),
                                     [&](std::uint32_t id) { return id < labels.names.size(); });
  if (!ids_known || !finite_values(labels.numbers.data(), labels.numbers.size())) {
    refuse_cache(bytes, "the cache's labels are damaged");
  }
  return labels;
}

}  // namespace

bool is_cache(std::string_view contents) {
  return contents.substr(0, kCacheMagic.size()) == kCacheMagic;
}

Dataset parse_cache(const Bytes& bytes) {
  const CacheHeader header = checked_header(bytes);
  const CacheLayout layout = checked_layout(bytes, header);
  const Sections sections(bytes, layout);
  Dataset data;
  data.features = features_of(bytes, header, sections);
  data.labels = labels_of(bytes, sections);
  data.feature_names =
      strings_of(bytes, sections.get<std::uint64_t>(CacheSection::feature_name_offsets),
                 sections.get<char>(CacheSection::feature_name_bytes));
  const auto label_column = sections.get<char>(CacheSection::label_column);
  data.label_name.assign(label_column.begin(), label_column.end());
  data.source = bytes.name;
  // Caches of before do not say where their columns came from: without names, from LIBSVM text.
  data.absent_is_zero =
      header.contents == 0 ? data.feature_names.empty() : header.absent_is_zero == 1;
  return data;
}

Dataset read_cache(const std::string& path) {
  return parse_cache(load_bytes(path));
}

}  // namespace ardent
