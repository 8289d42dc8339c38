// A block of plain values that many may read: owned memory, a range of a mapped file, or another
// library's array. Copying a Buffer shares it; nothing is ever copied behind the caller's back.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include "ardent/base/memory_limit.h"

namespace ardent {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;

  /// Memory for `count` values, not initialised. Large blocks ask for huge pages: with 4 KiB pages
  /// the page faults of a first touch cost more than reading the file. Under a limit of memory a
  /// block may be a file (memory_limit.h).
  static Buffer allocate(std::size_t count) {
    constexpr std::size_t kHugePage = std::size_t{2} << 20;
    if (count > (std::size_t{1} << 62) / sizeof(T)) throw std::bad_alloc();
    const std::size_t alignment = count * sizeof(T) >= kHugePage ? kHugePage : 64;
    const std::size_t bytes = (count * sizeof(T) + alignment - 1) / alignment * alignment;
    if (bytes == 0) return {};
    if (memory_limit() > 0) {
      auto block = limited_block(bytes, alignment);
      T* const first = static_cast<T*>(block.get());
      return Buffer(std::move(block), first, count);
    }
    void* memory = std::aligned_alloc(alignment, bytes);
    if (!memory) throw std::bad_alloc();
    if (alignment == kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);
    return Buffer(std::shared_ptr<void>(memory, std::free), static_cast<T*>(memory), count);
  }

  static Buffer copy_of(std::span<const T> values) {
    Buffer buffer = allocate(values.size());
    std::copy(values.begin(), values.end(), buffer.mutable_data());
    return buffer;
  }

  /// Values that live elsewhere for as long as `owner` does.
  static Buffer view(std::shared_ptr<const void> owner, const T* data, std::size_t count) {
    return Buffer(std::const_pointer_cast<void>(std::move(owner)), const_cast<T*>(data), count);
  }

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const T* data() const { return data_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + count_; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::span<const T> span() const { return {data_, count_}; }

  /// For whoever allocated the buffer, before it is shared.
  T* mutable_data() { return data_; }
  /// Forgets values at the end; the memory stays.
  void truncate(std::size_t count) { count_ = std::min(count_, count); }

 private:
  Buffer(std::shared_ptr<void> owner, T* data, std::size_t count)
      : owner_(std::move(owner)), data_(data), count_(count) {}

  std::shared_ptr<void> owner_;
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace ardent
