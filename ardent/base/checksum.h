// A 64-bit checksum against accidents, not against malice: eight bytes at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ardent {

class Checksum {
 public:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio, odd
    state_ ^= state_ >> 32;
  }

  /// The count, then the bytes.
  void add(const void* data, std::size_t bytes) {
    add(bytes);
    const auto* at = static_cast<const unsigned char*>(data);
    for (; bytes > 0;) {
      const std::size_t count = std::min<std::size_t>(bytes, sizeof(std::uint64_t));
      std::uint64_t word = 0;
      std::memcpy(&word, at, count);
      add(word);
      at += count;
      bytes -= count;
    }
  }

  template <class Values>
  void add_all(const Values& values) {
    add(values.data(), values.size() * sizeof(*values.data()));
  }

  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace ardent
