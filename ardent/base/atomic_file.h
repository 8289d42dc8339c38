// Nothing is lost: an output appears whole under its name or not at all.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace ardent {

/// Writes to a temporary file beside `path`; commit() flushes it and renames it to `path`.
/// Destroyed without commit(), it removes the temporary file and leaves `path` as it was.
/// Devices and pipes are written directly. "/dev/stdout" and "/dev/stderr" are the streams
/// themselves, so that a file they were redirected to is appended to and never replaced.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Once; nothing can be written afterwards.
  void commit();

 private:
  void open_temporary();

  std::string path_;
  std::string temporary_;  // empty: path_ is a device and is written directly
  std::FILE* file_ = nullptr;
};

}  // namespace ardent
