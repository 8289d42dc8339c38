#include "ardent/base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "ardent/base/error.h"

namespace ardent {
namespace {

/// The caller named a place where nothing can be written: theirs to mend.
[[noreturn]] void refuse(const std::string& path) {
  throw InputError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

[[noreturn]] void fail(std::string_view what, const std::string& path) {
  throw Error(fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
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
  temporary_ = path_ + ".XXXXXX";
  const int descriptor = mkstemp(temporary_.data());
  if (descriptor < 0) refuse(path_);
  // mkstemp gives 0600; an ordinary file gets what the umask (or the file replaced) says.
  struct stat old {};
  mode_t mode = 0;
  if (stat(path_.c_str(), &old) == 0) {
    mode = old.st_mode & 07777;
  } else {
    const mode_t mask = umask(0);
    umask(mask);
    mode = 0666 & ~mask;
  }
  fchmod(descriptor, mode);
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
