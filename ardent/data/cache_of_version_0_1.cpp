#include "ardent/data/cache_of_version_0_1.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "ardent/base/checksum.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

using container::Array;

struct OldCacheHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t checksum;  // CRC-32 of this header up to `contents`, with checksum = 0
  std::uint64_t file_bytes;
  std::uint64_t sparse;  // 1: sparse rows, 0: dense rows
  std::uint64_t rows, cols;
  std::uint64_t entries;
  std::uint64_t label_numbers, label_ids, label_names, label_name_bytes;
  std::uint64_t feature_names, feature_name_bytes;
  std::uint64_t label_column_bytes;
  std::uint64_t contents;  // of the arrays and the field below; 0 in the first caches
  std::uint64_t absent_is_zero;
};
static_assert(sizeof(OldCacheHeader) == 128);
constexpr std::size_t kOldCheckedBytes = offsetof(OldCacheHeader, contents);

/// One array: its name of today, and its numbers. Names keep where each begins, not where it ends.
struct OldSection {
  const char* name;
  std::string_view dtype;
  std::uint64_t count;
};
using OldSections = std::array<OldSection, 13>;

OldSections sections_of(const OldCacheHeader& header) {
  const std::uint64_t sparse = header.sparse, entries = header.entries;
  return {{{sparse ? "features.values" : "features", sparse ? "F32" : "F64", entries},
           {"features.offsets", "U64", sparse * (header.rows + 1)},
           {"features.columns", "U32", sparse * entries},
           {"transposed.values", "F32", sparse * entries},
           {"transposed.offsets", "U64", sparse * (header.cols + 1)},
           {"transposed.columns", "U32", sparse * entries},
           {"labels.numbers", "F64", header.label_numbers},
           {"labels.ids", "U32", header.label_ids},
           {"labels.names.ends", "U64", header.label_names + 1},
           {"labels.names.text", "U8", header.label_name_bytes},
           {"feature_names.ends", "U64", header.feature_names + 1},
           {"feature_names.text", "U8", header.feature_name_bytes},
           {"label_name", "U8", header.label_column_bytes}}};
}

OldCacheHeader checked_header(const Container& file, const Buffer<char>& contents) {
  OldCacheHeader header;
  if (contents.size() < sizeof header) file.refuse("it is cut off in its header");
  std::memcpy(&header, contents.data(), sizeof header);
  OldCacheHeader without_checksum = header;
  without_checksum.checksum = 0;
  if (header.version != 1 ||
      header.checksum !=
          crc32(0, reinterpret_cast<const Bytef*>(&without_checksum), kOldCheckedBytes)) {
    file.refuse("its header is damaged: the checksum does not fit");
  }
  if (header.sparse > 1) file.refuse("its rows are neither dense nor sparse");
  for (const std::uint64_t count :
       {header.entries, header.label_numbers, header.label_ids, header.label_names,
        header.label_name_bytes, header.feature_names, header.feature_name_bytes,
        header.label_column_bytes, header.rows, header.cols}) {
    if (count > contents.size()) file.refuse("its header names more than the file holds");
  }
  return header;
}

/// Places the arrays one after the other; their end must be that of the file.
std::vector<Array> arrays_of(const Container& file, const OldSections& sections,
                             const Buffer<char>& contents) {
  const auto owner = std::make_shared<const Buffer<char>>(contents);
  const auto aligned = [](std::uint64_t bytes) {
    return (bytes + container::kAlignment - 1) / container::kAlignment * container::kAlignment;
  };
  std::vector<Array> arrays;
  std::uint64_t at = sizeof(OldCacheHeader);
  for (const OldSection& section : sections) {
    const std::uint64_t bytes = section.count * container::element_bytes(section.dtype);
    if (aligned(bytes) > contents.size() - at) file.refuse("it is cut off");
    arrays.push_back(
        {section.name, section.dtype, {section.count}, owner, contents.data() + at, bytes});
    const char* const end = contents.data() + at + aligned(bytes);
    if (std::any_of(contents.data() + at + bytes, end, [](char c) { return c != 0; })) {
      file.refuse("it is damaged between its arrays");
    }
    at += aligned(bytes);
  }
  if (at != contents.size()) file.refuse("it has bytes after its last array");
  return arrays;
}

std::uint64_t contents_checksum(const OldCacheHeader& header, const std::vector<Array>& arrays) {
  constexpr std::uint64_t kBlock = std::uint64_t{1} << 20;
  Checksum checksum;
  checksum.add(header.absent_is_zero);
  for (const Array& array : arrays) {
    std::vector<std::uint64_t> of_block((array.bytes + kBlock - 1) / kBlock);
    parallel_for(std::ssize(of_block), [&](Index b) {
      const std::uint64_t begin = static_cast<std::uint64_t>(b) * kBlock;
      Checksum block;
      block.add(static_cast<const char*>(array.data) + begin,
                std::min(kBlock, array.bytes - begin));
      of_block[b] = block.value();
    });
    checksum.add_all(of_block);
  }
  return checksum.value() == 0 ? 1 : checksum.value();
}

}  // namespace

Container cache_of_version_0_1(const std::string& name, const Buffer<char>& contents,
                               const ContainerFormat& format) {
  const Container nothing(name, format, {}, {});
  const OldCacheHeader header = checked_header(nothing, contents);
  std::vector<Array> arrays = arrays_of(nothing, sections_of(header), contents);
  if (header.contents != 0 && header.contents != contents_checksum(header, arrays)) {
    nothing.refuse("its arrays are damaged: their checksum does not fit");
  }
  for (Array& array : arrays) {
    if (!array.name.ends_with(".ends")) continue;
    const auto* begins = static_cast<const std::uint64_t*>(array.data);
    if (begins[0] != 0) nothing.refuse("its names do not begin at their beginning");
    array = container::array_of(array.name, Buffer<std::uint64_t>::copy_of(
                                                std::vector(begins + 1, begins + array.shape[0])));
  }
  if (header.sparse == 0) {
    arrays.front().shape = {header.rows, header.cols};
    if (container::count_of(arrays.front().shape) != header.entries) {
      nothing.refuse("its counts contradict each other");
    }
  }
  // The first caches do not say where their columns came from: without names, from LIBSVM text.
  const bool absent_is_zero =
      header.contents == 0 ? header.feature_names == 0 : header.absent_is_zero == 1;
  return {name,
          format,
          {{"sparse", header.sparse == 1},
           {"columns", header.cols},
           {"absent_is_zero", absent_is_zero}},
          std::move(arrays)};
}

}  // namespace ardent
