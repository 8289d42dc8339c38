// Arrays larger than memory: while a MemoryLimit lives, large buffers beyond it are files without
// names, mapped into memory, and loops over them say which pages they need next and which they are
// done with. What is computed does not change by a bit: the arrays are the same, only their pages
// come and go.
//
//   Buffer::allocate   takes memory up to half of the limit, then maps a file (in TMPDIR, else
//   beside
//                      the data). The rest of the limit is for vectors and for pages in use
//   expect_pages       the system reads them ahead while others are worked on
//   release_pages      they leave memory; the next access reads them again (from the disk cache
//   where
//                      they are still there)
//
// The last two do nothing without a limit, and for addresses that are no file's: memory of the
// process is never touched.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace ardent {

/// For the whole process, one at a time; the outer one of two counts.
class MemoryLimit {
 public:
  /// `folder`: where files go if TMPDIR is not set. 0 bytes: no limit.
  MemoryLimit(std::size_t bytes, const std::string& folder);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  bool active_;
};

/// Bytes; 0: none.
std::size_t memory_limit();

/// Memory of the machine, or of the control group, that is free to be used.
std::size_t available_memory();

/// "2G", "500M", "1.5T", "65536" (powers of 1024); InputError names what is wrong.
std::size_t parse_memory(const std::string& text);
/// "1.5 GiB"
std::string memory_text(std::size_t bytes);

/// A block for Buffer under a limit: memory, or a file where that would be too much.
std::shared_ptr<void> limited_block(std::size_t bytes, std::size_t alignment);

/// From now on (until it is forgotten) this range is a mapped file.
void remember_file_pages(const void* begin, std::size_t bytes);
void forget_file_pages(const void* begin);

void expect_pages(const void* begin, std::size_t bytes);
void release_pages(const void* begin, std::size_t bytes);

}  // namespace ardent
