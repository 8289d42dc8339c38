// How the header of a container begins: shared by its writer and its reader.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ardent::container {

inline constexpr std::size_t kHeaderAt = 8;  // after its length
/// The digits of the checksum follow, then the kind: both at fixed places, so that a file is
/// recognised by its first bytes.
inline constexpr std::string_view kHeaderStart = "{\"__metadata__\":{\"checksum\":\"";
inline constexpr std::string_view kBeforeKind = "\",\"kind\":\"";
inline constexpr std::size_t kChecksumAt = kHeaderStart.size();
inline constexpr std::size_t kChecksumDigits = 16;

/// Of all of the header but the digits of the checksum itself.
std::string header_checksum(std::string_view header);

}  // namespace ardent::container
