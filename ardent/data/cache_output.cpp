// A cache is written where it lies: rows are parsed, and their transpose is made, in the mapped
// file.
#include <algorithm>

#include "ardent/base/error.h"
#include "ardent/base/memory_limit.h"
#include "ardent/data/cache.h"
#include "ardent/data/cache_format.h"
#include "ardent/data/matrix_arrays.h"

namespace ardent {
namespace {

constexpr Index kArrays = 4;  // of entries: columns and values of the rows, then of the transpose

/// Bytes from one of them to the next: numbers of four bytes.
std::size_t stride(std::uint64_t entries) {
  const std::uint64_t step = container::leading_alignment(4 * entries);
  return (4 * entries + step - 1) / step * step;
}

/// To a place before, or elsewhere, piece by piece, so that little of both is in memory.
template <class T>
void move_values(const Buffer<T>& from, Buffer<T>& to) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  if (from.data() == to.data()) return;
  for (std::size_t at = 0; at < to.size(); at += kPiece) {
    const std::size_t count = std::min(kPiece, to.size() - at);
    std::memmove(to.mutable_data() + at, from.data() + at, count * sizeof(T));
    release_pages(from.data() + at, count * sizeof(T));
    release_pages(to.data() + at, count * sizeof(T));
  }
}

void move_entries(const SparseRows& from, EntryRoom& to) {
  move_values(from.columns, to.columns);
  move_values(from.values, to.values);
}

void lead_matrix(ContainerWriter& file, const std::string& name, const SparseRows& sparse) {
  file.lead(name + ".columns", sparse.columns);
  file.lead(name + ".values", sparse.values);
  file.add(name + ".offsets", sparse.offsets);
}

}  // namespace

EntryRoom CacheOutput::room(Index first_array, std::uint64_t entries) const {
  const auto first = static_cast<std::size_t>(first_array);
  const char* const begin = memory_.get() + container::kLeadingPlace + first * stride(entries);
  const char* const second = begin + stride(entries);
  return {
      Buffer<std::uint32_t>::view(memory_, reinterpret_cast<const std::uint32_t*>(begin), entries),
      Buffer<float>::view(memory_, reinterpret_cast<const float*>(second), entries)};
}

EntryRoom CacheOutput::room_for(std::uint64_t entries) {
  if (entries > entries_) {
    memory_ = file_.map(container::kLeadingPlace + kArrays * stride(entries));
    entries_ = memory_ ? entries : 0;
  }
  return memory_ && entries > 0 ? room(0, entries) : allocate_entries(entries);
}

void CacheOutput::settle(SparseRows& rows) {
  const std::uint64_t entries = rows.columns.size();
  const SparseRows found = rows;
  EntryRoom place = room_for(entries);
  if (!memory_) return;
  move_entries(found, place);
  rows.columns = std::move(place.columns);
  rows.values = std::move(place.values);
}

SparseRows CacheOutput::turned(const SparseRows& rows) const {
  const std::uint64_t entries = rows.columns.size();
  if (!memory_ || entries == 0) return transposed(rows);
  EntryRoom place = room(2, entries);
  if (!rows.transpose) return transposed(rows, std::move(place));
  SparseRows result = *rows.transpose;
  move_entries(result, place);
  result.columns = std::move(place.columns);
  result.values = std::move(place.values);
  return result;
}

void CacheOutput::write(Dataset data) {
  if (data.has_gaps) {
    throw InputError(data.source + ": a cache holds no missing values: fill them in first");
  }
  ContainerWriter file;
  file.about = {{"sparse", is_sparse(data.features)},
                {"rows", data.rows()},
                {"columns", data.cols()},
                {"absent_is_zero", data.absent_is_zero}};
  if (auto* const sparse = std::get_if<SparseRows>(&data.features)) {
    settle(*sparse);
    lead_matrix(file, "features", *sparse);
    lead_matrix(file, "transposed", turned(*sparse));
  } else {
    add_matrix(file, "features", data.features);
  }
  file.add("labels.numbers", data.labels.numbers);
  file.add("labels.ids", data.labels.ids);
  file.add_strings("labels.names", data.labels.names);
  file.add_strings("feature_names", data.feature_names);
  file.add("label_name", std::vector<char>(data.label_name.begin(), data.label_name.end()));
  file.save(file_, kCacheFormat);
}

void write_cache(const Dataset& data, const std::string& path) {
  CacheOutput(path).write(data);
}

}  // namespace ardent
