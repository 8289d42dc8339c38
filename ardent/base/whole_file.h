// The bytes of an array file, once its first ones say that it is one.
#pragma once

#include <string>

#include "ardent/base/array_file.h"
#include "ardent/base/buffer.h"

namespace ardent {

/// Reads the file; its contents begin at a multiple of 64 bytes. A file that begins otherwise than
/// with the format's magic is an InputError that says what it looks like; no more of it is read.
Buffer<char> read_whole_file(const std::string& path, const ArrayFileFormat& format);

}  // namespace ardent
