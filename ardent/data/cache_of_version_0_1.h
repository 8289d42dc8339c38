// Caches of version 0.1, read as if they were of today.
//
// A header of 128 bytes (magic "ARDENTC\n", version, CRC-32, counts, checksum of the arrays), then
// thirteen arrays in a fixed order, little-endian, each at a multiple of 64 bytes.
#pragma once

#include <string>
#include <string_view>

#include "ardent/base/container.h"

namespace ardent {

inline constexpr std::string_view kEarlierCacheMagic = "ARDENTC\n";

/// With the names that arrays and metadata have in a container of `format`; nothing is copied but
/// names. No count in the file is believed before it is checked against the file's size.
Container cache_of_version_0_1(const std::string& name, const Buffer<char>& contents,
                               const ContainerFormat& format);

}  // namespace ardent
