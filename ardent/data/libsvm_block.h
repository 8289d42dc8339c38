// One block of LIBSVM text, parsed to its place: the inner loop of the reader.
#pragma once

#include <cstdint>
#include <string_view>

#include "ardent/data/bytes.h"
#include "ardent/data/libsvm_fault.h"

namespace ardent {

/// Where a block's rows go. The arrays have room for as many rows as the block has lines and as
/// many entries as it has colons.
template <class T>
struct LibsvmPlace {
  std::string_view* labels = nullptr;
  std::uint64_t* row_ends = nullptr;  // entries of this block up to the row's end
  std::uint32_t* columns = nullptr;
  T* values = nullptr;
};

/// How much of the room was used.
struct LibsvmUse {
  std::uint64_t rows = 0;
  std::uint64_t entries = 0;
  std::uint64_t highest_index = 0;
  std::uint64_t vanished = 0;  // values other than 0 that are too small for T, and 0 there
};

/// Parses text [begin, end) of `bytes`, which starts and ends at line borders. An index above
/// `highest_index` is an error.
template <class T>
LibsvmUse parse_libsvm_block(const Bytes& bytes, const char* begin, const char* end,
                             std::uint64_t highest_index, const LibsvmPlace<T>& place);

}  // namespace ardent
