// The bytes of a source, whole and in memory: a mapped file, or what came out of a compressed file
// or a pipe. Readers parse straight from here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ardent/base/buffer.h"
#include "ardent/data/growing_bytes.h"

namespace ardent {

struct Bytes {
  static constexpr std::size_t kPadding = GrowingBytes::kPadding;  // zero bytes after the contents

  std::string name;                 // for messages: the path, or "standard input"
  Buffer<char> contents;            // starts at a multiple of 64 bytes
  std::ptrdiff_t lines_before = 0;  // of the source, before the contents: for messages

  std::string_view text() const { return {contents.data(), contents.size()}; }
};

/// What of compressed files: their contents, or an InputError.
enum class LoadRule { decompressed, as_stored };

/// Loads `path` ("-": standard input). gzip, xz and bzip2 are recognised by their first bytes and
/// decompressed. InputError if the file cannot be read or its compressed data are damaged.
Bytes load_bytes(const std::string& path, LoadRule rule = LoadRule::decompressed);

/// Plain bytes of data that are in memory as load_bytes() finds them in a file.
Bytes decoded(std::string_view stored, std::string name);

/// A copy of `contents` under a name.
Bytes bytes_of(std::string_view contents, std::string name);

/// Throws ParseError for the byte `position` of the contents: counts its line and column.
[[noreturn]] void fail_at(const Bytes& bytes, const char* position, std::string_view message);

}  // namespace ardent
