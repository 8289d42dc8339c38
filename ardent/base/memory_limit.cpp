#include "ardent/base/memory_limit.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <new>
#include <shared_mutex>

#include "ardent/base/error.h"
#include "ardent/base/scattered_pages.h"
#include "ardent/base/written_pages.h"

namespace ardent {
namespace {

constexpr std::size_t kLeastFile = std::size_t{1} << 20;  // smaller blocks stay in memory
constexpr std::uintptr_t kPage = 4096;
constexpr std::uintptr_t kWindow = std::uintptr_t{1} << 21;  // of a file, written together

std::atomic<std::size_t> limited_to{0};
std::atomic<std::size_t> held_by_blocks{0};  // in large blocks of memory
std::string file_folder;                     // set while no other thread works

std::shared_mutex regions_lock;
struct FileRegion {
  std::uintptr_t end = 0;  // whole pages
  int file = -1;           // of a file that is written to
};
std::map<std::uintptr_t, FileRegion> file_regions;  // by their beginnings

std::uintptr_t as_number(const void* p) {
  return reinterpret_cast<std::uintptr_t>(p);
}

std::uintptr_t page_end(std::uintptr_t at) {
  return (at + kPage - 1) / kPage * kPage;
}

/// Advice for the pages of the range that are of one mapped file; none where it is no file's.
void advise(const void* begin, std::size_t bytes, int advice) {
  if (limited_to == 0 || bytes == 0) return;
  const std::shared_lock lock(regions_lock);  // the file stays open meanwhile
  auto region = file_regions.upper_bound(as_number(begin));
  if (region == file_regions.begin()) return;
  --region;
  const std::uintptr_t from = as_number(begin) / kPage * kPage;
  const std::uintptr_t to = std::min(region->second.end, page_end(as_number(begin) + bytes));
  if (from >= to) return;
  madvise(reinterpret_cast<void*>(from), to - from, advice);
  if (advice == MADV_DONTNEED && region->second.file >= 0) {
    // Written now, what has changed need not be waited for when memory runs short. Whole windows,
    // as they are passed: the system keeps neighbours together, and would write them with each
    // part.
    const std::uintptr_t first = (from - region->first) / kWindow * kWindow;
    const std::uintptr_t last = (to - region->first) / kWindow * kWindow;
    if (first >= last) return;
    sync_file_range(region->second.file, static_cast<off_t>(first),
                    static_cast<off_t>(last - first), SYNC_FILE_RANGE_WRITE);
  }
}

/// A file without a name of that size, or an Error that says where there was no room.
int nameless_file(std::size_t bytes) {
  const char* temporary = std::getenv("TMPDIR");
  const std::string folder = temporary && *temporary ? temporary : file_folder;
  const auto fail = [&](int reason) {
    throw Error(
        fmt::format("cannot keep {} of arrays on disk in {}: {} (set TMPDIR to a folder with room)",
                    memory_text(bytes), folder, std::strerror(reason)));
  };
  int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) {
    std::string name = folder + "/ardent-XXXXXX";
    file = mkostemp(name.data(), O_CLOEXEC);
    if (file < 0) fail(errno);
    unlink(name.c_str());
  }
  // Reserved now: a page that finds the disk full later would end the process.
  const int reason = posix_fallocate(file, 0, static_cast<off_t>(bytes));
  if (reason != 0) {
    close(file);
    fail(reason);
  }
  return file;
}

std::shared_ptr<void> file_block(std::size_t bytes) {
  const int file = nameless_file(bytes);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const int reason = errno;
  if (memory == MAP_FAILED) {
    close(file);
    throw Error(fmt::format("cannot map {} of disk: {}", memory_text(bytes), strerror(reason)));
  }
  remember_written_pages(memory, bytes, file);
  return {memory, [bytes, file](void* mapped) {
            forget_file_pages(mapped);
            munmap(mapped, bytes);
            close(file);
          }};
}

/// The first number in a file of the system; nothing where there is none ("max").
std::size_t number_in(const std::string& path, std::size_t otherwise) {
  std::ifstream file(path);
  std::size_t number = 0;
  return file >> number ? number : otherwise;
}

/// Room under the limit of the control group that holds this process, of either version.
std::size_t group_memory() {
  std::ifstream groups("/proc/self/cgroup");
  std::size_t least = ~std::size_t{0};
  for (std::string line; std::getline(groups, line);) {
    const bool first = line.find(":memory:") != line.npos, second = line.starts_with("0::");
    if (!first && !second) continue;
    std::string folder = line.substr(line.find('/', 0));
    const std::string root = first ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup";
    for (; !folder.empty(); folder.resize(folder.rfind('/'))) {
      const std::string at = root + (folder == "/" ? "" : folder);
      least = std::min(least, number_in(at + (first ? "/memory.limit_in_bytes" : "/memory.max"),
                                        ~std::size_t{0}));
    }
  }
  return least;
}

}  // namespace

MemoryLimit::MemoryLimit(std::size_t bytes, const std::string& folder)
    : active_(bytes > 0 && limited_to == 0) {
  if (!active_) return;
  file_folder = folder.empty() ? "." : folder;
  limited_to = bytes;
}

MemoryLimit::~MemoryLimit() {
  if (active_) limited_to = 0;
}

std::size_t memory_limit() {
  return limited_to.load(std::memory_order_relaxed);
}

std::size_t available_memory() {
  std::ifstream file("/proc/meminfo");
  std::size_t free = ~std::size_t{0};
  for (std::string word; file >> word;) {
    if (word != "MemAvailable:") continue;
    file >> free;
    free *= 1024;
    break;
  }
  return std::min(free, group_memory());
}

std::size_t parse_memory(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  std::string_view unit = end;
  constexpr std::string_view kUnits = "KMGT";
  double bytes = number;
  if (!unit.empty()) {
    const std::size_t place = kUnits.find(static_cast<char>(unit.front() & ~0x20));
    unit.remove_prefix(1);
    if (place == kUnits.npos || !(unit.empty() || unit == "B" || unit == "iB")) bytes = -1;
    bytes *= std::ldexp(1.0, 10 * (static_cast<int>(place) + 1));
  }
  constexpr double kLeast = 1 << 24, kMost = 0x1p50;
  if (end == text.c_str() || !(bytes >= kLeast && bytes <= kMost)) {
    throw InputError(fmt::format("memory must be 16M at least, written as 500M, 2G or 1.5T, not {}",
                                 in_quotes(text)));
  }
  return static_cast<std::size_t>(bytes);
}

std::string memory_text(std::size_t bytes) {
  const auto count = static_cast<double>(bytes);
  return count < 0x1p30 ? fmt::format("{:.0f} MiB", count / 0x1p20)
                        : fmt::format("{:.1f} GiB", count / 0x1p30);
}

std::shared_ptr<void> limited_block(std::size_t bytes, std::size_t alignment) {
  const bool large = bytes >= kLeastFile;
  if (large && held_by_blocks.fetch_add(bytes) + bytes > limited_to / 2) {
    held_by_blocks -= bytes;
    return file_block(bytes);
  }
  const std::size_t counted = large ? bytes : 0;
  void* const memory = std::aligned_alloc(alignment, bytes);
  if (!memory) {
    held_by_blocks -= counted;
    throw std::bad_alloc();
  }
  return {memory, [counted](void* own) {
            held_by_blocks -= counted;
            std::free(own);
          }};
}

bool memory_has_room(std::size_t bytes) {
  return limited_to == 0 || held_by_blocks + bytes <= limited_to / 2;
}

void remember_file_pages(const void* begin, std::size_t bytes) {
  remember_written_pages(begin, bytes, -1);
}

void remember_written_pages(const void* begin, std::size_t bytes, int file) {
  const std::unique_lock lock(regions_lock);
  file_regions[as_number(begin)] = {page_end(as_number(begin) + bytes), file};
}

void forget_file_pages(const void* begin) {
  const std::unique_lock lock(regions_lock);
  file_regions.erase(as_number(begin));
}

void expect_pages(const void* begin, std::size_t bytes) {
  advise(begin, bytes, MADV_WILLNEED);
}

void release_pages(const void* begin, std::size_t bytes) {
  advise(begin, bytes, MADV_DONTNEED);
}

ScatteredPages::ScatteredPages(const void* begin, std::size_t bytes)
    : begin_(begin), bytes_(bytes) {
  advise(begin_, bytes_, MADV_RANDOM);
}

ScatteredPages::~ScatteredPages() {
  advise(begin_, bytes_, MADV_NORMAL);
}

}  // namespace ardent
