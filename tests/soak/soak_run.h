// A process that works for long: how much memory it holds, and how much work it is to do.
//
// ARDENT_SOAK: how many times as much work as in the tests; `make soak` sets it.
#pragma once

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace ardent::soak {

/// The sanitizers have a malloc of their own, which keeps what is freed.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryIsTheProgramsOwn = false;
#else
constexpr bool kMemoryIsTheProgramsOwn = true;
#endif

inline std::int64_t times_the_work() {
  const char* text = std::getenv("ARDENT_SOAK");
  return text && *text ? std::max(1LL, std::strtoll(text, nullptr, 10)) : 1;
}

/// Physical memory of this process now, in bytes, after free memory was given back.
inline std::int64_t resident_bytes() {
  malloc_trim(0);
  std::int64_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

/// Bytes that the program has asked for and not given back.
inline std::int64_t bytes_in_use() {
  const auto heap = mallinfo2();
  return static_cast<std::int64_t>(heap.uordblks + heap.hblkhd);
}

/// What the memory was after each tenth of the work.
class MemoryCurve {
 public:
  void look() {
    resident_.push_back(resident_bytes());
    in_use_.push_back(bytes_in_use());
  }

  /// From the second look on: the first tenth warms caches, pools and threads up.
  std::int64_t resident_growth() const { return growth(resident_); }
  std::int64_t use_growth() const { return growth(in_use_); }

  std::string text() const {
    std::string line;
    for (const auto bytes : resident_) {
      line += fmt::format(" {:.1f}", static_cast<double>(bytes) / 1048576);
    }
    return fmt::format("resident MiB after each tenth:{}; {} bytes more in use at the end", line,
                       use_growth());
  }

 private:
  static std::int64_t growth(const std::vector<std::int64_t>& looks) {
    return looks.size() < 2 ? 0 : looks.back() - looks.front();
  }

  std::vector<std::int64_t> resident_, in_use_;
};

}  // namespace ardent::soak
