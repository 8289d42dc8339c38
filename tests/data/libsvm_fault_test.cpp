// What is reported about a text that is no LIBSVM: file, line, column, and what was found.
#include "ardent/data/libsvm_fault.h"

#include <gmock/gmock.h>

#include "ardent/base/parallel.h"
#include "ardent/data/libsvm.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

using ::testing::HasSubstr;

/// Wide enough that the rows stay sparse.
constexpr LibsvmOptions kWideText{.features = 1000};

std::string libsvm_complaint(std::string_view text, const LibsvmOptions& options = {}) {
  return message_of([&] { parse_libsvm(bytes_of(text, "f"), options); });
}

TEST(LibsvmFault, EmptyFile) {
  EXPECT_EQ(libsvm_complaint(""), "f: the file is empty");
}
TEST(LibsvmFault, NoRows) {
  EXPECT_EQ(libsvm_complaint("# nothing\n\n"), "f: no rows");
}
TEST(LibsvmFault, NoFeaturesAtAll) {
  EXPECT_THAT(libsvm_complaint("1\n2\n"), HasSubstr("no row has a feature"));
}

TEST(LibsvmFault, TokenWithoutColon) {
  EXPECT_EQ(libsvm_complaint("1 1:2\n1 1:2 34 5:6\n"), "f:2:7: expected index:value, found '34'");
  EXPECT_EQ(libsvm_complaint("1 abc\n"), "f:1:3: expected index:value, found 'abc'");
}
TEST(LibsvmFault, IndexThatIsNoNumber) {
  EXPECT_EQ(libsvm_complaint("1 x1:2\n"),
            "f:1:3: expected index:value, but index 'x1' is not a whole number");
  EXPECT_EQ(libsvm_complaint("1 1.5:2\n"),
            "f:1:3: expected index:value, but index '1.5' is not a whole number");
  EXPECT_EQ(libsvm_complaint("1 :2\n"),
            "f:1:3: expected index:value, but index '' is not a whole number");
}
TEST(LibsvmFault, IndexZero) {
  EXPECT_EQ(libsvm_complaint("1 0:1 1:1\n"), "f:1:3: index 0: indices count from 1");
}
TEST(LibsvmFault, NegativeIndex) {
  EXPECT_EQ(libsvm_complaint("1 -3:1\n"), "f:1:3: index -3 is negative; indices count from 1");
}
TEST(LibsvmFault, DescendingIndex) {
  EXPECT_EQ(libsvm_complaint("1 1:1\n1 5:1 3:1\n"),
            "f:2:7: index 3 comes after index 5; indices must ascend");
}
TEST(LibsvmFault, DuplicateIndex) {
  EXPECT_EQ(libsvm_complaint("1 5:1 5:1\n"), "f:1:7: index 5 occurs twice in this row");
}
TEST(LibsvmFault, HugeIndex) {
  EXPECT_EQ(libsvm_complaint("1 4294967295:1\n"),
            "f:1:3: index '4294967295' is too large; the largest is 4294967294");
  EXPECT_THAT(libsvm_complaint("1 99999999999999999999999999:1\n"),
              HasSubstr("f:1:3: index '9999"));
  EXPECT_THAT(libsvm_complaint("1 18446744073709551617:1\n"), HasSubstr("is too large"));
}
TEST(LibsvmFault, IndexAboveTheNumberOfFeatures) {
  EXPECT_EQ(libsvm_complaint("1 1:1\n1 3:1 4:1\n", {.features = 3}),
            "f:2:7: index 4 is above the number of features, 3");
}
TEST(LibsvmFault, FeaturesOutOfRange) {
  EXPECT_THAT(libsvm_complaint("1 1:1\n", {.features = -1}), HasSubstr("features must be"));
  EXPECT_THAT(libsvm_complaint("1 1:1\n", {.features = Index{1} << 40}),
              HasSubstr("features must be"));
}
TEST(LibsvmFault, ValueThatIsNoNumber) {
  EXPECT_EQ(libsvm_complaint("1 1:2 33:abc\n"), "f:1:10: value 'abc' is not a number");
  EXPECT_EQ(libsvm_complaint("1 1:0x10\n"), "f:1:5: value '0x10' is not a number");
  EXPECT_EQ(libsvm_complaint("1 1:--1\n"), "f:1:5: value '--1' is not a number");
  EXPECT_EQ(libsvm_complaint("1 1:1:1\n"), "f:1:5: value '1:1' is not a number");
}
TEST(LibsvmFault, JunkAfterAValue) {
  EXPECT_EQ(libsvm_complaint("1 1:2x 3:4\n"), "f:1:5: value '2x' is not a number");
  EXPECT_EQ(libsvm_complaint("1 1:2.5e\n"), "f:1:5: value '2.5e' is not a number");
  EXPECT_EQ(libsvm_complaint("1 1:2,3:4\n"), "f:1:5: value '2,3:4' is not a number");
}
TEST(LibsvmFault, MissingValue) {
  EXPECT_EQ(libsvm_complaint("1 7: 8:1\n"), "f:1:5: index 7 has no value");
  EXPECT_EQ(libsvm_complaint("1 7:"), "f:1:5: index 7 has no value");
  EXPECT_EQ(libsvm_complaint("1 7:#\n"), "f:1:5: index 7 has no value");
}
TEST(LibsvmFault, NanValue) {
  EXPECT_EQ(libsvm_complaint("1 1:nan\n"), "f:1:5: value 'nan' is not finite");
}
TEST(LibsvmFault, InfiniteValue) {
  EXPECT_EQ(libsvm_complaint("1 1:-inf\n"), "f:1:5: value '-inf' is not finite");
  EXPECT_EQ(libsvm_complaint("1 1:1 2:+Infinity\n"), "f:1:9: value '+Infinity' is not finite");
}
TEST(LibsvmFault, ValueBeyondDouble) {
  EXPECT_EQ(libsvm_complaint("1 1:1e999\n"), "f:1:5: value '1e999' is too large");
}
TEST(LibsvmFault, SparseValueBeyondFloat) {
  // Small text: parsed as double first, found out when it is made sparse.
  EXPECT_EQ(libsvm_complaint("1 1:1\n1 2:1e39\n", kWideText),
            "f:2:5: value '1e39' is too large: sparse values are stored in 32 bits");
  EXPECT_EQ(libsvm_complaint("1 1:1\n1 2:1e39\n", {.features = 1000, .double_bytes = 0}),
            "f:2:5: value '1e39' is too large: sparse values are stored in 32 bits");
}
TEST(LibsvmFault, RowThatStartsWithABlank) {
  EXPECT_EQ(libsvm_complaint("1 1:1\n 1:2 3:4\n"),
            "f:2:1: row without a label: the line starts with a blank");
}
TEST(LibsvmFault, RowThatStartsWithAFeature) {
  EXPECT_EQ(libsvm_complaint("1:2 3:4\n"), "f:1:1: row without a label: it starts with '1:2'");
}
TEST(LibsvmFault, LabelThatIsNotFinite) {
  EXPECT_EQ(libsvm_complaint("1 1:1\nnan 1:2\n"), "f:2:1: label 'nan' is not finite");
  EXPECT_EQ(libsvm_complaint("-inf 1:2\n"), "f:1:1: label '-inf' is not finite");
}
TEST(LibsvmFault, QueryIds) {
  EXPECT_EQ(libsvm_complaint("1 qid:3 1:2\n"),
            "f:1:3: found 'qid:', which is for ranking; ardent does not rank: take the qid out");
}
TEST(LibsvmFault, ControlCharacters) {
  EXPECT_EQ(libsvm_complaint(std::string_view("1 1:1 \0 2:2\n", 12)),
            "f:1:7: expected index:value, found '\\x00'");
  EXPECT_EQ(libsvm_complaint("1 1:1\r2 1:1\n"), "f:1:6: expected index:value, found '\\x0d'");
  EXPECT_EQ(libsvm_complaint("\x01 1:1\n"), "f:1:1: expected a label, found '\\x01'");
  EXPECT_EQ(libsvm_complaint(std::string_view("1 1:1\n\0", 7)),
            "f:2:1: expected a label, found '\\x00'");
}

TEST(LibsvmFault, TheFirstFaultIsReportedWhateverTheThreads) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "1 1:1 20:2\n";
  text += "1 1:1 1:1\n";
  for (int i = 0; i < 500; ++i) text += i % 2 ? "bad\xff line\n" : " 3:nan\n";
  for (const int count : {1, 2, 8}) {
    const ThreadScope scope(count);
    for (const std::size_t block : {7, 64, 1000, 1 << 20}) {
      EXPECT_EQ(libsvm_complaint(text, {.block_bytes = block}),
                "f:501:7: index 1 occurs twice in this row");
    }
  }
}

}  // namespace
}  // namespace ardent
