// Every file of the fuzzer's corpora through its reader: seeds, and what once broke something.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/container_bytes.h"
#include "fuzz/readers.h"

namespace ardent {
namespace {

namespace fs = std::filesystem;

class FuzzReplay : public ::testing::TestWithParam<fuzz::Reader> {};

INSTANTIATE_TEST_SUITE_P(Readers, FuzzReplay, ::testing::ValuesIn(fuzz::kReaders),
                         [](const auto& reader) { return std::string(reader.param.name); });

TEST_P(FuzzReplay, FilesAreReadOrRefused) {
  const fs::path folder = fs::path(ARDENT_SOURCE) / "tests/fuzz/corpus" / GetParam().name;
  Index files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string bytes = contents_of_file(entry.path().string());
    EXPECT_NO_THROW(fuzz::try_reader(GetParam(), bytes)) << entry.path();
    // Cut anywhere, and with a byte changed, it is read or refused, too.
    for (std::size_t part = 1; part < 16; ++part) {
      const std::size_t at = bytes.size() * part / 16;
      EXPECT_NO_THROW(fuzz::try_reader(GetParam(), std::string_view(bytes).substr(0, at)))
          << entry.path() << " cut at " << at;
      std::string other = bytes;
      if (at < other.size()) other[at] = static_cast<char>(other[at] ^ (1 << (part % 8)));
      if (GetParam().is_container) other = with_checksums(other);
      EXPECT_NO_THROW(fuzz::try_reader(GetParam(), other)) << entry.path() << " changed at " << at;
    }
    ++files;
  }
  EXPECT_GE(files, 1) << folder;
}

/// Some seeds are sound files: a corpus that is refused for its first byte would test nothing.
TEST_P(FuzzReplay, AtLeastOneSeedIsRead) {
  const fs::path folder = fs::path(ARDENT_SOURCE) / "tests/fuzz/corpus" / GetParam().name;
  Index read = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    try {
      GetParam().read(contents_of_file(entry.path().string()));
      ++read;
    } catch (const InputError&) {
      continue;
    }
  }
  EXPECT_GE(read, 1);
}

}  // namespace
}  // namespace ardent
