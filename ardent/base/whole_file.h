// The bytes of a container, once its first ones say that it is one.
#pragma once

#include <string>

#include "ardent/base/container.h"

namespace ardent {

/// Reads the file; its contents begin at a multiple of 64 bytes. A file that begins otherwise than
/// those of the format, or those of version 0.1, is an InputError that says what it looks like; no
/// more of it is read.
Buffer<char> read_whole_file(const std::string& path, const ContainerFormat& format);

}  // namespace ardent
