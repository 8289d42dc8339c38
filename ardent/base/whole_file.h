// The bytes of an array file, once its first ones say that it is one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ardent/base/buffer.h"

namespace ardent {

/// What kind of file: its first eight bytes, its version, and what to call it in messages.
struct ArrayFileFormat {
  std::string_view magic;
  std::uint32_t version;
  std::string_view what;  // "model"
};

/// Reads the file; its contents begin at a multiple of 64 bytes. A file that begins otherwise than
/// with the format's magic is an InputError that says what it looks like; no more of it is read.
Buffer<char> read_whole_file(const std::string& path, const ArrayFileFormat& format);

}  // namespace ardent
