// A buffer for bytes whose number is not known beforehand: it doubles, and ends with the padding
// that parsers count on.
#pragma once

#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "ardent/base/buffer.h"

namespace ardent {

class GrowingBytes {
 public:
  /// That many zero bytes follow the contents, so that a parser may load a whole word at the end
  /// of the text and needs no bounds check to see that a number is over.
  static constexpr std::size_t kPadding = 64;

  explicit GrowingBytes(std::size_t expected)
      : buffer_(Buffer<char>::allocate(expected + 1 + kPadding)) {}

  /// Where the next bytes go: at least one.
  std::span<char> room() {
    if (used_ + kPadding == buffer_.size()) grow(2 * buffer_.size());
    return {buffer_.mutable_data() + used_, buffer_.size() - kPadding - used_};
  }
  /// `count` bytes of room() have been written.
  void add(std::size_t count) { used_ += count; }

  void append(std::string_view more) {
    if (more.empty()) return;
    const std::size_t needed = used_ + more.size() + kPadding;
    if (needed > buffer_.size()) grow(needed);
    std::memcpy(buffer_.mutable_data() + used_, more.data(), more.size());
    used_ += more.size();
  }

  Buffer<char> finish() && {
    std::memset(buffer_.mutable_data() + used_, 0, kPadding);
    buffer_.truncate(used_);
    return std::move(buffer_);
  }

 private:
  void grow(std::size_t size) {
    auto larger = Buffer<char>::allocate(size);
    std::memcpy(larger.mutable_data(), buffer_.data(), used_);
    buffer_ = std::move(larger);
  }

  Buffer<char> buffer_;
  std::size_t used_ = 0;
};

}  // namespace ardent
