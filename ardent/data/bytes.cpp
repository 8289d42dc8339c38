#include "ardent/data/bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "ardent/base/error.h"
#include "ardent/base/memory_limit.h"
#include "ardent/data/decompress.h"

namespace ardent {
namespace {

[[noreturn]] void refuse(const std::string& name, const char* why) {
  throw InputError(fmt::format("cannot read {}: {}", name, why));
}

/// Closes what open() gave, whatever happens.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ > STDERR_FILENO) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

/// Maps the file over the start of a larger anonymous mapping: the rest of it is the padding.
/// Pages come in as they are first touched, by the threads that parse them: for a file in the page
/// cache the kernel maps 16 pages per fault, and populating up front was no faster.
Buffer<char> map_file(int descriptor, std::size_t size, const std::string& name) {
  const std::size_t reserved = size + Bytes::kPadding;
  void* memory = mmap(nullptr, reserved, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw Error(fmt::format("cannot map {}: {}", name, strerror(errno)));
  const std::shared_ptr<const void> owner(memory, [reserved](const void* mapped) {
    forget_file_pages(mapped);
    munmap(const_cast<void*>(mapped), reserved);
  });
  if (mmap(memory, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0) == MAP_FAILED) {
    throw Error(fmt::format("cannot map {}: {}", name, strerror(errno)));
  }
  madvise(memory, size, MADV_SEQUENTIAL);
  remember_file_pages(memory, size);
  return Buffer<char>::view(owner, static_cast<const char*>(memory), size);
}

/// Pipes, terminals and devices have no size to map.
Buffer<char> read_to_end(int descriptor, const std::string& name) {
  GrowingBytes bytes(std::size_t{1} << 16);
  while (true) {
    const auto room = bytes.room();
    const ssize_t got = read(descriptor, room.data(), room.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(name, strerror(errno));
    if (got == 0) return std::move(bytes).finish();
    bytes.add(static_cast<std::size_t>(got));
  }
}

Buffer<char> load_stored(const std::string& path, const std::string& name) {
  if (path == "-") return read_to_end(STDIN_FILENO, name);
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) refuse(name, strerror(errno));
  struct stat status {};
  if (fstat(file.number(), &status) != 0) refuse(name, strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse(name, "it is a directory; name a file");
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    return map_file(file.number(), static_cast<std::size_t>(status.st_size), name);
  }
  return read_to_end(file.number(), name);
}

}  // namespace

Bytes load_bytes(const std::string& path, LoadRule rule) {
  if (path.empty()) throw InputError("cannot read a file without a name");
  Bytes bytes{path == "-" ? "standard input" : path, {}};
  bytes.contents = load_stored(path, bytes.name);
  if (const auto compression = compression_of(bytes.text())) {
    if (rule == LoadRule::as_stored) {
      refuse(bytes.name, "it is compressed, and has to be read from its beginning; decompress it");
    }
    bytes.contents = decompress(bytes.text(), *compression, bytes.name);
  }
  return bytes;
}

Bytes decoded(std::string_view stored, std::string name) {
  const auto compression = compression_of(stored);
  if (!compression) return bytes_of(stored, std::move(name));
  Buffer<char> contents = decompress(stored, *compression, name);
  return {std::move(name), std::move(contents)};
}

Bytes bytes_of(std::string_view contents, std::string name) {
  GrowingBytes bytes(contents.size());
  bytes.append(contents);
  return {std::move(name), std::move(bytes).finish()};
}

void fail_at(const Bytes& bytes, const char* position, std::string_view message) {
  const std::string_view before(bytes.contents.data(),
                                static_cast<std::size_t>(position - bytes.contents.data()));
  const auto line = 1 + bytes.lines_before + std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t start = newline == before.npos ? 0 : newline + 1;
  throw ParseError(bytes.name, static_cast<std::size_t>(line), before.size() - start + 1, message);
}

}  // namespace ardent
