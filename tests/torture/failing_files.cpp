// A disk that fails, for LD_PRELOAD: the calls that write, flush and name files fail as asked.
//
//   FAIL_CALL    fwrite, short (half of a fwrite), fflush, fsync, fclose, rename or write
//   FAIL_ERRNO   what errno becomes
//   FAIL_AFTER   how many calls succeed before
//
// Standard output and error are left alone.
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<long> calls{0};

bool fails(const char* call) {
  const char* wanted = std::getenv("FAIL_CALL");
  if (!wanted || std::strcmp(wanted, call) != 0) return false;
  const char* after = std::getenv("FAIL_AFTER");
  if (calls++ < (after ? std::atol(after) : 0)) return false;
  const char* number = std::getenv("FAIL_ERRNO");
  errno = number ? std::atoi(number) : EIO;
  return true;
}

bool is_standard(std::FILE* stream) {
  return stream == stdout || stream == stderr || stream == nullptr;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

size_t fwrite(const void* data, size_t size, size_t count, std::FILE* stream) {
  static const auto real = next<size_t (*)(const void*, size_t, size_t, std::FILE*)>("fwrite");
  if (!is_standard(stream)) {
    if (fails("fwrite")) return 0;
    if (fails("short")) {
      const int reason = errno;
      const size_t written = real(data, size, count / 2, stream);
      errno = reason;
      return written;
    }
  }
  return real(data, size, count, stream);
}

int fflush(std::FILE* stream) {
  static const auto real = next<int (*)(std::FILE*)>("fflush");
  if (!is_standard(stream) && fails("fflush")) return EOF;
  return real(stream);
}

int fclose(std::FILE* stream) {
  static const auto real = next<int (*)(std::FILE*)>("fclose");
  const bool failing = !is_standard(stream) && fails("fclose");
  const int reason = errno;
  const int result = real(stream);
  if (!failing) return result;
  errno = reason;
  return EOF;
}

int fsync(int descriptor) {
  static const auto real = next<int (*)(int)>("fsync");
  return fails("fsync") ? -1 : real(descriptor);
}

int rename(const char* from, const char* to) {
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  return fails("rename") ? -1 : real(from, to);
}

ssize_t write(int descriptor, const void* data, size_t size) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
  if (descriptor > 2 && fails("write")) return -1;
  return real(descriptor, data, size);
}

}  // extern "C"
