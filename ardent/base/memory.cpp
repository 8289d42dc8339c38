#include "ardent/base/memory.h"

#include <sys/resource.h>

#include <cstdio>
#include <cstring>
#include <memory>

namespace ardent {
namespace {

constexpr std::size_t kKibibyte = 1024;

/// VmHWM of /proc/self/status; 0 where there is none.
std::size_t high_water_mark() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> status(
      std::fopen("/proc/self/status", "re"), std::fclose);
  if (!status) return 0;
  char line[256];
  std::size_t kibibytes = 0;
  while (std::fgets(line, sizeof line, status.get())) {
    if (std::sscanf(line, "VmHWM: %zu kB", &kibibytes) == 1) return kibibytes * kKibibyte;
  }
  return 0;
}

}  // namespace

std::size_t peak_resident_bytes() {
  // First, because getrusage also counts what the process held before it became this program:
  // started from a large interpreter, a small command would report the interpreter's size.
  if (const std::size_t bytes = high_water_mark()) return bytes;
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::size_t>(usage.ru_maxrss) * kKibibyte;
}

}  // namespace ardent
