// gzip, xz and bzip2 data to plain bytes, by the libraries of those names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ardent/base/buffer.h"

namespace ardent {

enum class Compression { gzip, xz, bzip2 };

/// Recognised by the first bytes, whatever the file is called.
std::optional<Compression> compression_of(std::string_view stored);

/// All streams of `stored`, which may be several in a row, followed by Bytes::kPadding zero bytes.
/// Truncated or damaged data are an InputError that names the source.
Buffer<char> decompress(std::string_view stored, Compression compression, const std::string& name);

}  // namespace ardent
