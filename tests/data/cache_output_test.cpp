// Caches whose entries are made in the file.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "ardent/data/cache.h"
#include "ardent/data/libsvm.h"
#include "base/container_bytes.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

Dataset few_rows() {
  std::string text;
  for (int i = 0; i < 500; ++i) text += fmt::format("{} {}:1 9000:{}\n", i % 3, i + 1, i + 1);
  return parse_libsvm(bytes_of(text, "f"));
}

/// Entries made in the file, of which there are fewer than there was room for.
TEST(CacheOutput, EntriesMadeInTheFileAreThoseOfACopy) {
  std::string text = "# 5:5 a comment\n1 3:2 700:0 9000:0.25\n\n2 4:0\n";
  for (int i = 0; i < 2000; ++i)
    text += fmt::format("{} {}:1 {}:0 8999:{}\n", i % 2, i + 1, i + 5, i);
  const TemporaryFiles files;
  const Bytes bytes = bytes_of(text, "f");
  write_cache(parse_libsvm(bytes, {.double_bytes = 0}), files.path("copied"));
  CacheOutput output(files.path("made"));
  int asked = 0;
  const MakeEntryRoom room = [&](std::uint64_t entries) {
    ++asked;
    EXPECT_GT(entries, 6000u) << "zeros and comments are not known before";
    return output.room_for(entries);
  };
  output.write(parse_libsvm(bytes, {.double_bytes = 0, .room = &room}));
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(contents_of_file(files.path("made")) == contents_of_file(files.path("copied")));
  const Dataset back = read_cache(files.path("made"));
  EXPECT_EQ(stored(back.features), 1 + 2000 + 1999 + 1);
  write_cache(back, files.path("again"));
  EXPECT_TRUE(contents_of_file(files.path("again")) == contents_of_file(files.path("copied")));
}

TEST(CacheOutput, APipeGetsTheSameBytes) {
  const TemporaryFiles files;
  write_cache(few_rows(), files.path("file"));
  const std::string pipe = files.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::jthread writer([&] { write_cache(few_rows(), pipe); });
  const Bytes read = load_bytes(pipe);
  EXPECT_TRUE(read.text() == contents_of_file(files.path("file")));
}

}  // namespace
}  // namespace ardent
