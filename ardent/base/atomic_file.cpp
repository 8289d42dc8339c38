#include "ardent/base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "ardent/base/error.h"
#include "ardent/base/memory_limit.h"
#include "ardent/base/written_pages.h"

namespace ardent {
namespace {

/// The caller named a place where nothing can be written: theirs to fix.
[[noreturn]] void refuse(const std::string& path) {
  throw InputError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

[[noreturn]] void fail(std::string_view what, const std::string& path) {
  throw Error(fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

/// Calls make(name) with names beside `path` until one is not taken; below 0: errno says why.
template <class Make>
int make_beside(const std::string& path, std::string& name, const Make& make) {
  static std::atomic<unsigned> made{0};
  int result = -1;
  do {
    name = fmt::format("{}.{}-{}", path, getpid(), made++);
    result = make(name.c_str());
  } while (result < 0 && errno == EEXIST);
  return result;
}

std::string folder_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

std::string link_of(int descriptor) {
  return fmt::format("/proc/self/fd/{}", descriptor);
}

/// A file in the folder without a name, of which nothing is left however the process ends; below 0
/// where the file system has no such files.
int create_nameless(const std::string& path, mode_t mode) {
  if (access("/proc/self/fd", X_OK) != 0) return -1;  // it could not be named in the end
  return open(folder_of(path).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

/// So that the new name outlives a loss of power, too.
void flush_folder(const std::string& path) {
  const int folder = open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;  // it may be written to, but not listed
  const bool failed = fsync(folder) != 0 && errno != EINVAL && errno != ENOTSUP;
  const int reason = errno;
  close(folder);
  errno = reason;
  if (failed) fail("make sure of", path);
}

/// Names to be removed when a signal ends the process: few files are written at once.
std::array<std::atomic<const char*>, 16> unfinished{};

void remember(const std::string& name) {
  for (auto& place : unfinished) {
    const char* none = nullptr;
    if (place.compare_exchange_strong(none, name.c_str())) return;
  }
}

void forget(const std::string& name) {
  for (auto& place : unfinished) {
    const char* own = name.c_str();
    place.compare_exchange_strong(own, nullptr);
  }
}

}  // namespace

void remove_unfinished_files() noexcept {
  for (auto& place : unfinished) {
    const char* name = place.load();
    if (name) unlink(name);
  }
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) throw InputError("an output file needs a name");
  if (path_ == "/dev/stdout" || path_ == "/dev/stderr") {
    std::FILE* const stream = path_ == "/dev/stdout" ? stdout : stderr;
    std::fflush(stream);  // what was printed before comes before
    const int descriptor = dup(fileno(stream));
    if (descriptor >= 0) file_ = fdopen(descriptor, "wb");
    if (!file_) refuse(path_);
    return;
  }
  std::error_code ignored;
  const auto status = std::filesystem::status(path_, ignored);
  if (std::filesystem::is_directory(status)) {
    throw InputError(fmt::format("cannot write {}: it is a directory", path_));
  }
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    file_ = std::fopen(path_.c_str(), "wb");
    if (!file_) refuse(path_);
    return;
  }
  if (std::filesystem::exists(status)) {
    // Through a link, the file it points to is replaced, not the link.
    path_ = std::filesystem::canonical(path_, ignored).string();
  }
  open_temporary();
}

void AtomicFile::open_temporary() {
  // A new file gets what the umask leaves of 0666; the system applies it when a file is made, so
  // that it need not be asked for (which means to change it, for all threads). A file that is
  // replaced hands on its own permissions, and what takes its place never has more.
  struct stat old {};
  const bool replaces = stat(path_.c_str(), &old) == 0;
  const mode_t mode = replaces ? old.st_mode & 0777 : 0666;
  int descriptor = create_nameless(path_, mode);
  nameless_ = descriptor >= 0;
  if (!nameless_) {
    descriptor = make_beside(path_, temporary_, [&](const char* name) {
      return open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    });
    if (descriptor < 0) {
      temporary_.clear();
      refuse(path_);
    }
    remember(temporary_);
  }
  if (replaces) fchmod(descriptor, old.st_mode & 07777);
  file_ = fdopen(descriptor, "wb");
  if (!file_) {
    // The destructor does not run for a constructor that throws.
    const int reason = errno;
    close(descriptor);
    remove_temporary();
    errno = reason;
    fail("write", path_);
  }
}

AtomicFile::~AtomicFile() {
  if (mapped_) remember_file_pages(mapped_.get(), mapped_bytes_);
  if (file_) std::fclose(file_);
  remove_temporary();
}

void AtomicFile::remove_temporary() {
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  forget(temporary_);
  temporary_.clear();
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  if (!file_) throw Error(fmt::format("{} was committed and cannot be written any more", path_));
  const bool is_there = written_ + bytes <= mapped_bytes_ && data == mapped_.get() + written_;
  if (is_there) {
    if (std::fseek(file_, static_cast<long>(bytes), SEEK_CUR) != 0) fail("write", path_);
  } else if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes) {
    fail("write", path_);
  }
  written_ += bytes;
}

std::shared_ptr<char> AtomicFile::map(std::size_t bytes) {
  if (!file_ || written_directly() || bytes == 0) return nullptr;
  const int descriptor = fileno(file_);
  // Reserved now: a page that finds the disk full later would end the process.
  errno = posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
  if (errno != 0) fail("write", path_);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) fail("map", path_);
  remember_written_pages(memory, bytes, descriptor);
  if (mapped_) remember_file_pages(mapped_.get(), mapped_bytes_);  // an earlier one, of no use now
  mapped_ = {static_cast<char*>(memory), [bytes](char* own) {
               forget_file_pages(own);
               munmap(own, bytes);
             }};
  mapped_bytes_ = bytes;
  return mapped_;
}

void AtomicFile::commit() {
  if (!file_) throw Error(fmt::format("{} was committed already", path_));
  const bool direct = written_directly();
  if (std::fflush(file_) != 0) fail("write", path_);
  if (mapped_) {
    if (ftruncate(fileno(file_), static_cast<off_t>(written_)) != 0) fail("write", path_);
    remember_file_pages(mapped_.get(), mapped_bytes_);  // without the file, which is closed now
    mapped_.reset();
  }
  if (!direct && fsync(fileno(file_)) != 0) fail("write", path_);
  if (nameless_) take_name();
  std::FILE* file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0) fail("write", path_);
  if (direct) return;
  if (!temporary_.empty()) {
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename to", path_);
    forget(temporary_);
    temporary_.clear();
  }
  flush_folder(path_);
}

void AtomicFile::take_name() {
  const std::string own = link_of(fileno(file_));
  const auto link = [&](const char* name) {
    return linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
  };
  nameless_ = false;
  if (link(path_.c_str()) == 0) return;
  // A link replaces nothing: the file that is there is replaced by renaming.
  if (errno != EEXIST || make_beside(path_, temporary_, link) < 0) {
    temporary_.clear();
    fail("write", path_);
  }
  remember(temporary_);
}

}  // namespace ardent
