#include "ardent/data/idx.h"

#include <gmock/gmock.h>

#include "ardent/base/random.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string idx(unsigned char type, std::initializer_list<std::uint32_t> shape,
                const std::string& payload) {
  std::string file{'\0', '\0', static_cast<char>(type), static_cast<char>(shape.size())};
  for (const std::uint32_t extent : shape) {
    for (const int shift : {24, 16, 8, 0}) file += static_cast<char>(extent >> shift & 0xff);
  }
  return file + payload;
}

DenseRows read_idx_file(const std::string& file) {
  const Bytes bytes = bytes_of(file, "f");
  return dense_rows(parse_idx(bytes), bytes.name);
}
std::string idx_complaint(const std::string& file) {
  return message_of([&] { read_idx_file(file); });
}

TEST(Idx, ReadsEveryType) {
  EXPECT_THAT(read_idx_file(idx(0x08, {2}, "\x01\xff")).values.span(), ElementsAre(1, 255));
  EXPECT_THAT(read_idx_file(idx(0x09, {2}, "\x01\xff")).values.span(), ElementsAre(1, -1));
  EXPECT_THAT(read_idx_file(idx(0x0b, {1}, "\xff\xfe")).values.span(), ElementsAre(-2));
  EXPECT_THAT(read_idx_file(idx(0x0c, {1}, std::string("\0\0\1\2", 4))).values.span(),
              ElementsAre(258));
  EXPECT_THAT(read_idx_file(idx(0x0d, {1}, std::string("\x3f\xc0\0\0", 4))).values.span(),
              ElementsAre(1.5));
  EXPECT_THAT(read_idx_file(idx(0x0e, {1}, std::string("\xc0\x04\0\0\0\0\0\0", 8))).values.span(),
              ElementsAre(-2.5));
}

TEST(Idx, ImagesAreFlattened) {
  const auto rows = read_idx_file(idx(0x08, {2, 2, 3}, "abcdefghijkl"));
  EXPECT_EQ(rows.rows, 2);
  EXPECT_EQ(rows.cols, 6);
  EXPECT_THAT(rows.row(1), ElementsAre('g', 'h', 'i', 'j', 'k', 'l'));
}

TEST(IdxFault, NotAnIdxFile) {
  for (const std::string& file :
       {std::string(), std::string("\0\0\x08", 3), std::string("\0\1\x08\1\0\0\0\1x", 9),
        std::string("\0\0\x0a\1\0\0\0\1x", 9), std::string("\0\0\x08\0", 4)}) {
    EXPECT_THAT(idx_complaint(file), HasSubstr("f: not an IDX file"));
  }
}
TEST(IdxFault, HeaderCutOff) {
  EXPECT_THAT(idx_complaint(idx(0x08, {2, 3}, "").substr(0, 10)), HasSubstr("cut off"));
}
TEST(IdxFault, PayloadOfAnotherSizeThanTheShape) {
  EXPECT_THAT(idx_complaint(idx(0x08, {2, 3}, "abcde")), HasSubstr("shape (2, 3)"));
  EXPECT_THAT(idx_complaint(idx(0x08, {2, 3}, "abcdefg")), HasSubstr("does not fit the 7 bytes"));
}
TEST(IdxFault, HugeShapeTakesNoMemory) {
  const std::uint32_t most = 0xffffffff;
  EXPECT_THAT(idx_complaint(idx(0x0e, {most, most, most}, "abcdefgh")), HasSubstr("does not fit"));
  EXPECT_THAT(idx_complaint(idx(0x0e, {0x80000000, 0x80000000, 4}, "abcdefgh")),
              HasSubstr("does not fit"));
}
TEST(IdxFault, EmptyArray) {
  EXPECT_THAT(idx_complaint(idx(0x08, {0, 4}, "")), HasSubstr("holds nothing"));
}
TEST(IdxFault, InfiniteValue) {
  EXPECT_THAT(idx_complaint(idx(0x0d, {2, 1}, std::string("\0\0\0\0\x7f\x80\0\0", 8))),
              HasSubstr("row 2, column 1 is inf"));
}

}  // namespace
}  // namespace ardent
