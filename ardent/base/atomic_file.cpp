#include "ardent/base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "ardent/base/error.h"

namespace ardent {
namespace {

/// The caller named a place where nothing can be written: theirs to fix.
[[noreturn]] void refuse(const std::string& path) {
  throw InputError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

[[noreturn]] void fail(std::string_view what, const std::string& path) {
  throw Error(fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

/// Makes a file whose name nobody has, and says which; below 0: errno says why there is none.
int create_beside(const std::string& path, mode_t mode, std::string& name) {
  static std::atomic<unsigned> made{0};
  int descriptor = -1;
  do {
    name = fmt::format("{}.{}-{}", path, getpid(), made++);
    descriptor = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EEXIST);
  return descriptor;
}

}  // namespace

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
  const int descriptor = create_beside(path_, replaces ? old.st_mode & 0777 : 0666, temporary_);
  if (descriptor < 0) refuse(path_);
  if (replaces) fchmod(descriptor, old.st_mode & 07777);
  file_ = fdopen(descriptor, "wb");
  if (!file_) {
    // The destructor does not run for a constructor that throws.
    const int reason = errno;
    close(descriptor);
    unlink(temporary_.c_str());
    errno = reason;
    fail("write", path_);
  }
}

AtomicFile::~AtomicFile() {
  if (file_) std::fclose(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  if (!file_) throw Error(fmt::format("{} was committed and cannot be written any more", path_));
  if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes) fail("write", path_);
}

void AtomicFile::commit() {
  if (!file_) throw Error(fmt::format("{} was committed already", path_));
  if (std::fflush(file_) != 0) fail("write", path_);
  if (!temporary_.empty() && fsync(fileno(file_)) != 0) fail("write", path_);
  std::FILE* file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0) fail("write", path_);
  if (!temporary_.empty()) {
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename to", path_);
    temporary_.clear();
  }
}

}  // namespace ardent
