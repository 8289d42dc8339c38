// Nothing is lost: an output appears whole under its name or not at all.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace ardent {

/// Writes to a temporary file in the folder of `path`; commit() flushes it, gives it the name
/// `path` and flushes the folder. Destroyed without commit(), it leaves `path` as it was. The
/// temporary file has no name, so that nothing is left even where the process is killed; a file
/// system that has no such files gets one beside `path`. Devices and pipes are written directly.
/// "/dev/stdout" and "/dev/stderr" are the streams themselves, so that a file they were redirected
/// to is appended to and never replaced.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// The first bytes of the file as memory: what write() is then given from its own place there is
  /// not written again. Room on disk is reserved; null where the output is written directly. Before
  /// anything is written. The memory may outlive this, and is not to be changed after commit().
  std::shared_ptr<char> map(std::size_t bytes);
  /// Once; nothing can be written afterwards.
  void commit();

 private:
  void open_temporary();
  void take_name();
  void remove_temporary();
  bool written_directly() const { return !nameless_ && temporary_.empty(); }

  std::string path_;
  std::string temporary_;  // its name, where it has one
  bool nameless_ = false;  // neither: path_ is a device and is written directly
  std::FILE* file_ = nullptr;
  std::shared_ptr<char> mapped_;
  std::size_t mapped_bytes_ = 0;
  std::size_t written_ = 0;
};

/// Removes the temporary files of this process that have names. For signal handlers, of a process
/// that ends: it calls nothing but unlink.
void remove_unfinished_files() noexcept;

}  // namespace ardent
