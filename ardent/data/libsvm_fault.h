// What is wrong with a row of LIBSVM text. The parser's inner loop only notices that something is;
// the words are found here, by looking at the token again.
#pragma once

#include <cstdint>
#include <string_view>

#include "ardent/data/bytes.h"

namespace ardent {

/// Indices go up to here, so that column numbers and counts of columns fit 32 bits.
inline constexpr std::uint64_t kHighestLibsvmIndex = 0xfffffffe;

/// For a line that does not start with a usable label.
[[noreturn]] void fail_label(const Bytes& bytes, const char* line);

/// For an entry at `token` that is not "index:value", where `previous` is the row's last index and
/// values are stored as T.
template <class T>
[[noreturn]] void fail_entry(const Bytes& bytes, const char* token, std::uint64_t previous,
                             std::uint64_t highest_index);

}  // namespace ardent
