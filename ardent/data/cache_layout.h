// Where things lie in a cache file: shared by the cache's writer and its reader.
#pragma once

#include <zlib.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ardent {

static_assert(std::endian::native == std::endian::little,
              "the cache is mapped as it is: it needs a little-endian machine");

inline constexpr std::string_view kCacheMagic = "ARDENTC\n";
inline constexpr std::uint32_t kCacheVersion = 1;
inline constexpr std::uint64_t kCacheAlignment = 64;

struct CacheHeader {
  char magic[8] = {};
  std::uint32_t version = kCacheVersion;
  std::uint32_t checksum = 0;    // CRC-32 of this header up to `contents`, with checksum = 0
  std::uint64_t file_bytes = 0;  // size of the whole file
  std::uint64_t sparse = 0;      // 1: sparse rows, 0: dense rows
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  std::uint64_t entries = 0;  // numbers stored: rows × cols when dense
  std::uint64_t label_numbers = 0;
  std::uint64_t label_ids = 0;
  std::uint64_t label_names = 0;
  std::uint64_t label_name_bytes = 0;
  std::uint64_t feature_names = 0;
  std::uint64_t feature_name_bytes = 0;
  std::uint64_t label_column_bytes = 0;
  /// Of the sections, in their order, and of the field below; 0: a cache that was written before
  /// these two were.
  std::uint64_t contents = 0;
  std::uint64_t absent_is_zero = 0;  // 1: LIBSVM data
};
static_assert(sizeof(CacheHeader) == 128);
/// What the header's own checksum covers.
inline constexpr std::size_t kCheckedHeaderBytes = 112;

/// The arrays in the order in which they lie in the file.
enum class CacheSection : std::size_t {
  values,
  offsets,
  columns,
  transposed_values,
  transposed_offsets,
  transposed_columns,
  label_numbers,
  label_ids,
  label_name_offsets,
  label_name_bytes,
  feature_name_offsets,
  feature_name_bytes,
  label_column,
};
inline constexpr std::size_t kCacheSections = 13;

struct CacheLayout {
  std::array<std::uint64_t, kCacheSections> count{};  // bytes of each section
  std::array<std::uint64_t, kCacheSections> begin{};
  std::uint64_t file_bytes = 0;
};

/// Every count of the header must be below 2^56, so that no sum overflows.
inline CacheLayout cache_layout(const CacheHeader& header) {
  const std::uint64_t sparse = header.sparse;
  CacheLayout layout;
  layout.count = {
      header.entries * (sparse ? 4 : 8), sparse * (header.rows + 1) * 8,
      sparse * header.entries * 4,       sparse * header.entries * 4,
      sparse * (header.cols + 1) * 8,    sparse * header.entries * 4,
      header.label_numbers * 8,          header.label_ids * 4,
      (header.label_names + 1) * 8,      header.label_name_bytes,
      (header.feature_names + 1) * 8,    header.feature_name_bytes,
      header.label_column_bytes,
  };
  const auto aligned = [](std::uint64_t bytes) {
    return (bytes + kCacheAlignment - 1) / kCacheAlignment * kCacheAlignment;
  };
  std::uint64_t at = aligned(sizeof(CacheHeader));
  for (std::size_t section = 0; section < kCacheSections; ++section) {
    layout.begin[section] = at;
    at += aligned(layout.count[section]);
  }
  layout.file_bytes = at;
  return layout;
}

inline std::uint32_t cache_checksum(CacheHeader header) {
  header.checksum = 0;
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(&header), kCheckedHeaderBytes));
}

/// The arrays' bytes, one section after the other.
using CacheBytes = std::array<std::span<const char>, kCacheSections>;

/// In blocks that threads share: the same whatever their number. Never 0.
std::uint64_t contents_checksum(const CacheHeader& header, const CacheBytes& sections);

}  // namespace ardent
