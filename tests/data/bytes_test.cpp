#include "ardent/data/bytes.h"

#include <bzlib.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include "base/temporary_files.h"

namespace ardent {
namespace {

using ::testing::HasSubstr;

std::string gzipped(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string xzipped(std::string_view text) {
  std::string out(text.size() + 1000, '\0');
  std::size_t used = 0;
  lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr,
                          reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                          reinterpret_cast<std::uint8_t*>(out.data()), &used, out.size());
  out.resize(used);
  return out;
}

std::string bzipped(std::string_view text) {
  std::string out(text.size() * 2 + 1000, '\0');
  auto used = static_cast<unsigned>(out.size());
  BZ2_bzBuffToBuffCompress(out.data(), &used, const_cast<char*>(text.data()),
                           static_cast<unsigned>(text.size()), 9, 0, 0);
  out.resize(used);
  return out;
}

struct Codec {
  const char* name;
  std::string (*compress)(std::string_view);
};

class CompressedBytes : public ::testing::TestWithParam<Codec> {
 protected:
  TemporaryFiles files_;
};

/// Some text that compresses to more than one of the decoders' portions.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += std::to_string(i * 7919 % 100003) + ' ';
  return text;
}

TEST_P(CompressedBytes, ComeOutAsTheyWentIn) {
  const std::string text = long_text();
  // The name says nothing: the first bytes decide.
  EXPECT_EQ(load_bytes(files_.write("plain.txt", GetParam().compress(text))).text(), text);
}

TEST_P(CompressedBytes, SeveralStreamsInARowAreOneText) {
  const auto& compress = GetParam().compress;
  const auto path = files_.write("data", compress("one ") + compress("") + compress("two"));
  EXPECT_EQ(load_bytes(path).text(), "one two");
}

TEST_P(CompressedBytes, TruncatedAnywhereIsAnErrorThatNamesTheFile) {
  const std::string whole = GetParam().compress("some text, some text, some more text");
  for (std::size_t size = 12; size < whole.size(); ++size) {
    const auto path = files_.write("cut", whole.substr(0, size));
    EXPECT_THAT(message_of([&] { load_bytes(path); }), HasSubstr(path + ": ")) << size;
  }
}

TEST_P(CompressedBytes, DamagedDataAreAnError) {
  std::string stored = GetParam().compress(long_text());
  stored[stored.size() / 2] ^= 0x55;
  const auto path = files_.write("damaged", stored);
  EXPECT_THAT(message_of([&] { load_bytes(path); }), HasSubstr("damaged or not complete"));
}

TEST_P(CompressedBytes, GarbageAfterTheLastStreamIsAnError) {
  const auto path = files_.write("tail", GetParam().compress("text") + "garbage, not a stream");
  EXPECT_THAT(message_of([&] { load_bytes(path); }), HasSubstr("damaged or not complete"));
}

TEST_P(CompressedBytes, ArePaddedWithZeros) {
  const Bytes bytes = load_bytes(files_.write("data", GetParam().compress("12345")));
  ASSERT_EQ(bytes.text(), "12345");
  EXPECT_TRUE(std::all_of(bytes.contents.end(), bytes.contents.end() + Bytes::kPadding,
                          [](char c) { return c == 0; }));
}

INSTANTIATE_TEST_SUITE_P(Codecs, CompressedBytes,
                         ::testing::Values(Codec{"gzip", gzipped}, Codec{"xz", xzipped},
                                           Codec{"bzip2", bzipped}),
                         [](const auto& codec) { return codec.param.name; });

TEST(Bytes, OfAPlainFileAreItsContentsAndThenZeros) {
  const TemporaryFiles files;
  // A whole number of pages leaves no slack in the file's own last page.
  for (const std::size_t size : {1, 4095, 4096, 4097, 8192, 1 << 20}) {
    const std::string text(size, 'x');
    const Bytes bytes = load_bytes(files.write("plain", text));
    EXPECT_EQ(bytes.text(), text);
    EXPECT_EQ(std::accumulate(bytes.contents.end(), bytes.contents.end() + Bytes::kPadding, 0), 0);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.contents.data()) % 64, 0U);
  }
}

TEST(Bytes, OfAnEmptyFileAreNone) {
  const TemporaryFiles files;
  EXPECT_EQ(load_bytes(files.write("empty", "")).text(), "");
}

TEST(Bytes, ALabelThatStartsLikeBzip2IsNotTakenForIt) {
  const TemporaryFiles files;
  EXPECT_EQ(load_bytes(files.write("text", "BZh9 1:2 3:4\n")).text(), "BZh9 1:2 3:4\n");
}

TEST(Bytes, MissingFileIsAnError) {
  EXPECT_THAT(message_of([] { load_bytes("/no/such/file"); }),
              HasSubstr("cannot read /no/such/file: No such file"));
}

TEST(Bytes, DirectoryIsAnError) {
  EXPECT_THAT(message_of([] { load_bytes("/tmp"); }), HasSubstr("it is a directory"));
}

TEST(Bytes, EmptyNameIsAnError) {
  EXPECT_THAT(message_of([] { load_bytes(""); }), HasSubstr("without a name"));
}

TEST(Bytes, UnreadableFileIsAnError) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may read every file";
  const TemporaryFiles files;
  const auto path = files.write("secret", "text");
  chmod(path.c_str(), 0);
  EXPECT_THAT(message_of([&] { load_bytes(path); }), HasSubstr("Permission denied"));
}

TEST(Bytes, OfAPipeAreReadToItsEnd) {
  const TemporaryFiles files;
  const auto path = files.path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::string text = long_text();
  std::thread writer([&] {
    const std::string stored = gzipped(text);
    const int end = open(path.c_str(), O_WRONLY);
    for (std::size_t at = 0; at < stored.size();) {
      const ssize_t put = write(end, stored.data() + at, stored.size() - at);
      if (put <= 0) break;
      at += static_cast<std::size_t>(put);
    }
    close(end);
  });
  const Bytes bytes = load_bytes(path);
  writer.join();
  EXPECT_EQ(bytes.text(), text);
}

TEST(Bytes, OfStandardInputAreReadAndNamedSo) {
  const TemporaryFiles files;
  const int saved = dup(STDIN_FILENO);
  const int file = open(files.write("input", xzipped("from outside")).c_str(), O_RDONLY);
  dup2(file, STDIN_FILENO);
  const Bytes bytes = load_bytes("-");
  dup2(saved, STDIN_FILENO);
  close(file);
  close(saved);
  EXPECT_EQ(bytes.text(), "from outside");
  EXPECT_EQ(bytes.name, "standard input");
}

TEST(Bytes, OutliveTheFileThatTheyWereMappedFrom) {
  const TemporaryFiles files;
  const auto path = files.write("short-lived", "still here");
  const Bytes bytes = load_bytes(path);
  std::filesystem::remove(path);
  EXPECT_EQ(bytes.text(), "still here");
}

TEST(FailAt, CountsLinesAndColumnsFromOne) {
  const Bytes bytes = bytes_of("ab\ncd\n", "file");
  const char* start = bytes.contents.data();
  EXPECT_EQ(message_of([&] { fail_at(bytes, start, "m"); }), "file:1:1: m");
  EXPECT_EQ(message_of([&] { fail_at(bytes, start + 2, "m"); }), "file:1:3: m");
  EXPECT_EQ(message_of([&] { fail_at(bytes, start + 3, "m"); }), "file:2:1: m");
  EXPECT_EQ(message_of([&] { fail_at(bytes, start + 4, "m"); }), "file:2:2: m");
}

}  // namespace
}  // namespace ardent
