#include "ardent/base/memory_limit.h"

#include <gmock/gmock.h>
#include <sys/mman.h>

#include <fstream>

#include "ardent/base/buffer.h"
#include "ardent/base/error.h"
#include "tests/base/temporary_files.h"

namespace ardent {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// Of the pages of a buffer, how many are in this process's memory now.
std::size_t resident_bytes(const void* begin) {
  std::ifstream maps("/proc/self/smaps");
  std::string line;
  bool mine = false;
  for (; std::getline(maps, line);) {
    unsigned long from = 0, to = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx", &from, &to) == 2) {
      const auto at = reinterpret_cast<unsigned long>(begin);
      mine = from <= at && at < to;
    }
    unsigned long kibibytes = 0;
    if (mine && std::sscanf(line.c_str(), "Rss: %lu kB", &kibibytes) == 1) return kibibytes << 10;
  }
  return 0;
}

TEST(MemoryLimit, BlocksBeyondItAreFilesWhosePagesComeAndGoWithWhatTheyHold) {
  const TemporaryFiles folder;
  const MemoryLimit limit(8 * kMiB, folder.folder().string());
  auto first = Buffer<std::uint32_t>::allocate(3 * kMiB / 4);   // fits into the half
  auto second = Buffer<std::uint32_t>::allocate(8 * kMiB / 4);  // does not
  for (std::size_t i = 0; i < first.size(); ++i) first.mutable_data()[i] = 7;
  for (std::size_t i = 0; i < second.size(); ++i) {
    second.mutable_data()[i] = static_cast<std::uint32_t>(i);
  }
  EXPECT_GE(resident_bytes(second.data()), 8 * kMiB);
  release_pages(first.data(), first.size() * 4);
  release_pages(second.data(), second.size() * 4);
  EXPECT_LE(resident_bytes(second.data()), kMiB / 4);
  for (const std::uint32_t value : first.span()) ASSERT_EQ(value, 7u) << "memory is never let go";
  for (std::size_t i = 0; i < second.size(); ++i) ASSERT_EQ(second[i], i);
  EXPECT_TRUE(std::filesystem::is_empty(folder.folder())) << "files have no names";
}

TEST(MemoryLimit, MemoryThatIsFreedIsThereAgain) {
  const MemoryLimit limit(8 * kMiB, testing::TempDir());
  for (int round = 0; round < 5; ++round) {
    auto buffer = Buffer<char>::allocate(3 * kMiB);
    buffer.mutable_data()[0] = 1;
    release_pages(buffer.data(), buffer.size());
    EXPECT_EQ(buffer[0], 1);
    EXPECT_LE(resident_bytes(buffer.data()), 64 * kMiB);
  }
}

TEST(MemoryLimit, WithoutALimitNothingIsAFileAndNothingIsLetGo) {
  EXPECT_EQ(memory_limit(), 0u);
  auto buffer = Buffer<char>::allocate(4 * kMiB);
  std::fill_n(buffer.mutable_data(), buffer.size(), 'x');
  release_pages(buffer.data(), buffer.size());
  EXPECT_EQ(buffer[buffer.size() / 2], 'x');
}

TEST(MemoryLimit, AFolderWithoutRoomIsNamed) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before ? before : "";
  unsetenv("TMPDIR");
  const MemoryLimit limit(2, "/nowhere/at/all");
  try {
    Buffer<char>::allocate(2 * kMiB);
    FAIL() << "no Error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("/nowhere/at/all"));
    EXPECT_THAT(error.what(), testing::HasSubstr("set TMPDIR"));
  }
  if (before) setenv("TMPDIR", kept.c_str(), 1);
}

TEST(MemoryLimit, SizesAreReadAndWritten) {
  EXPECT_EQ(parse_memory("2G"), std::size_t{2} << 30);
  EXPECT_EQ(parse_memory("500m"), 500 * kMiB);
  EXPECT_EQ(parse_memory("1.5TiB"), std::size_t{3} << 39);
  EXPECT_EQ(parse_memory("67108864"), 64 * kMiB);
  EXPECT_EQ(memory_text(std::size_t{3} << 29), "1.5 GiB");
  EXPECT_EQ(memory_text(500 * kMiB), "500 MiB");
  for (const char* wrong : {"", "G", "2X", "-1G", "1K", "2 G", "nan", "1e30G", "2GG"}) {
    EXPECT_THROW(parse_memory(wrong), InputError) << wrong;
  }
  EXPECT_GT(available_memory(), 16 * kMiB);
}

}  // namespace
}  // namespace ardent
