// Model files of version 0.1, read as if they were of today.
//
//   8 bytes   "ARDENTM\n"
//   u32       1
//   u32       CRC-32 (zlib's) of everything after this field
//   u64       length of the JSON text
//   JSON      {"arrays": [{"name", "type", "shape", "offset", "bytes"} …], "about": metadata}
//   arrays    little-endian, each at a multiple of 64 bytes from the start of the file; offsets
//             count from the first such multiple after the JSON
#pragma once

#include <string>

#include "ardent/base/container.h"

namespace ardent {

inline constexpr std::string_view kEarlierModelMagic = "ARDENTM\n";

/// With the names that arrays and metadata have in a container of `format`. No length in the file
/// is believed before it is checked against the file's size.
Container model_of_version_0_1(const std::string& name, const Buffer<char>& contents,
                               const ContainerFormat& format);

}  // namespace ardent
