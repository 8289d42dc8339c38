#include "ardent/data/libsvm.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Dataset parsed(std::string_view text, const LibsvmOptions& options = {}) {
  return parse_libsvm(bytes_of(text, "f"), options);
}
std::string libsvm_complaint(std::string_view text, const LibsvmOptions& options = {}) {
  return message_of([&] { parsed(text, options); });
}
const SparseRows& sparse(const Dataset& data) {
  return std::get<SparseRows>(data.features);
}
const DenseRows& dense(const Dataset& data) {
  return std::get<DenseRows>(data.features);
}

/// Wide enough that the rows stay sparse.
constexpr LibsvmOptions kWide{.features = 1000};

TEST(Libsvm, ReadsRowsLabelsAndColumns) {
  const Dataset data = parsed("+1 1:0.5 3:2\n-1 2:-1.25\n", kWide);
  EXPECT_THAT(sparse(data).offsets.span(), ElementsAre(0, 2, 3));
  EXPECT_THAT(sparse(data).columns.span(), ElementsAre(0, 2, 1));
  EXPECT_THAT(sparse(data).values.span(), ElementsAre(0.5F, 2.0F, -1.25F));
  EXPECT_THAT(data.labels.numbers, ElementsAre(1, -1));
  EXPECT_THAT(data.labels.names, ElementsAre("+1", "-1"));
  EXPECT_EQ(data.cols(), 1000);
  EXPECT_EQ(data.source, "f");
}

TEST(Libsvm, AcceptsWhatLiesAroundRows) {
  const Dataset data = parsed(
      "\xef\xbb\xbf# a comment: 1:2\n"
      "\n"
      "1 1:1 2:+2\t3:3 # trailing: 9:9\r\n"
      "  \t \r\n"
      "2\n"
      "  # indented comment\n"
      "3 7:7 \n"
      "4 8:8#tight comment\n"
      "5\t9:9.0",
      kWide);
  EXPECT_THAT(sparse(data).offsets.span(), ElementsAre(0, 3, 3, 4, 5, 6));
  EXPECT_THAT(sparse(data).columns.span(), ElementsAre(0, 1, 2, 6, 7, 8));
  EXPECT_THAT(sparse(data).values.span(), ElementsAre(1, 2, 3, 7, 8, 9));
  EXPECT_THAT(data.labels.numbers, ElementsAre(1, 2, 3, 4, 5));
}

TEST(Libsvm, ZerosWrittenOutCountAsColumnsButAreNotStored) {
  const Dataset data = parsed("1 1:0 2:5 9:0\n2 3:0.0 4:-0 8:1e-60\n", {});
  EXPECT_EQ(data.cols(), 9);
  EXPECT_THAT(sparse(data).offsets.span(), ElementsAre(0, 1, 1));
  EXPECT_THAT(sparse(data).columns.span(), ElementsAre(1));
}

TEST(Libsvm, LabelsMayBeText) {
  const Dataset data = parsed("spam 1:1\nham#2 2:1\nspam\n1,2 1:1\n", kWide);
  EXPECT_THAT(data.labels.names, ElementsAre("spam", "ham#2", "1,2"));
  EXPECT_THAT(data.labels.ids, ElementsAre(0, 1, 0, 2));
  EXPECT_FALSE(data.labels.numeric());
}

TEST(Libsvm, AQuarterOfTheEntriesMakesThemDenseInDouble) {
  const Dataset data = parsed("1 1:0.1\n2 2:16777217 4:1e300\n", {.features = 6});
  ASSERT_FALSE(is_sparse(data.features));
  EXPECT_THAT(dense(data).values.span(),
              ElementsAre(0.1, 0, 0, 0, 0, 0, 0, 16777217, 0, 1e300, 0, 0));
  EXPECT_TRUE(is_sparse(parsed("1 1:0.1\n2 2:1 4:3\n", {.features = 7}).features));
}

TEST(Libsvm, LargeDenseTextsKeepEveryDigitToo) {
  const LibsvmOptions large{.double_bytes = 0};
  const Dataset data = parsed("1 1:0.1 2:16777217\n2 2:0.3\n", large);
  ASSERT_FALSE(is_sparse(data.features));
  EXPECT_THAT(dense(data).values.span(), ElementsAre(0.1, 16777217, 0, 0.3));
  EXPECT_TRUE(
      is_sparse(parsed("1 1:1 2:2\n2 2:3\n", {.double_bytes = 0, .dense_bytes = 31}).features));
}

TEST(Libsvm, SmallAndLargeTextsRoundSparseValuesAlike) {
  // The first is halfway between two floats as a double, but not as written: rounding twice would
  // go wrong. The others are on the edges of float's range. One a text: a single one of them makes
  // the reader parse the text anew.
  for (const std::string value :
       {"1.00000017881393432617187499", "16777217", "1e-40", "3.4028235e38", "0.1"}) {
    const std::string text = "1 1:" + value + " 500:2\n";
    const auto small = sparse(parsed(text)).values;
    const auto large = sparse(parsed(text, {.double_bytes = 0})).values;
    EXPECT_THAT(small.span(), ElementsAre(std::strtof(value.c_str(), nullptr), 2)) << value;
    EXPECT_TRUE(std::ranges::equal(small, large)) << value;
  }
  EXPECT_THAT(sparse(parsed("1 1:1e-50 500:2\n")).columns.span(), ElementsAre(499));
  EXPECT_THAT(sparse(parsed("1 1:1e-50 500:2\n", {.double_bytes = 0})).columns.span(),
              ElementsAre(499));
}

TEST(Libsvm, IndicesOfAnyLengthAreRead) {
  const Dataset data =
      parsed("1 7:1 00000000012:2 1234567:3 12345678:4 123456789:5 4294967294:6\n");
  EXPECT_THAT(sparse(data).columns.span(),
              ElementsAre(6, 11, 1234566, 12345677, 123456788, 4294967293));
  EXPECT_EQ(data.cols(), 4294967294);
}

// ---- faults: file, line, column, and what was found

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
  EXPECT_EQ(libsvm_complaint("1 1:1\n1 2:1e39\n", kWide),
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

// ---- blocks, threads, and an independent parser

/// Random rows with everything that the format allows, and what they mean.
struct RandomText {
  std::string text;
  std::vector<double> labels;
  std::vector<std::uint64_t> offsets = {0};
  std::vector<std::uint32_t> columns;
  std::vector<double> values;

  RandomText(std::uint64_t seed, int rows, Index width) {
    Random random(seed);
    for (int i = 0; i < rows; ++i) {
      if (random.below(10) == 0) text += random.below(2) ? "\n" : "# 3:4 5:6\n";
      const std::string label = std::to_string(random.below(5) - 2);
      text += label;
      labels.push_back(std::strtod(label.c_str(), nullptr));
      Index column = 0;
      const Index entries = random.below(12);
      for (Index k = 0; k < entries; ++k) {
        column += 1 + random.below(width);
        add_entry(random, column);
      }
      if (random.below(8) == 0) text += " # note 1:2";
      text += random.below(6) == 0 ? " \r\n" : "\n";
      offsets.push_back(columns.size());
    }
    if (random.below(2)) text.pop_back();
  }

  void add_entry(Random& random, Index column) {
    static constexpr const char* kForms[] = {"%.0f", "%.3f", "%.9g", "%.17g", "%+.6e", "%.1f"};
    char value[64];
    std::snprintf(value, sizeof value, kForms[random.below(6)], 10 * random.normal());
    text += (random.below(9) == 0 ? "\t " : " ") + std::to_string(column) + ":" + value;
    const double number = std::strtod(value, nullptr);
    if (number == 0) return;
    columns.push_back(static_cast<std::uint32_t>(column - 1));
    values.push_back(number);
  }
};

TEST(Libsvm, AgreesWithStrtodOnRandomTextsInBlocksOfAnySize) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomText random(seed, 200, 40);
    for (const std::size_t block : {1, 2, 3, 17, 100, 1 << 20}) {
      const Dataset data = parsed(
          random.text, {.features = 1000, .block_bytes = block, .double_bytes = seed % 2 * 99});
      EXPECT_EQ(data.labels.numbers, random.labels);
      const std::vector<float> expected(random.values.begin(), random.values.end());
      ASSERT_TRUE(std::ranges::equal(sparse(data).offsets, random.offsets)) << seed << ' ' << block;
      ASSERT_TRUE(std::ranges::equal(sparse(data).columns, random.columns)) << seed << ' ' << block;
      ASSERT_TRUE(std::ranges::equal(sparse(data).values, expected)) << seed << ' ' << block;
    }
  }
}

TEST(Libsvm, DenseRandomTextsAgreeWithStrtodToTheLastDigit) {
  const RandomText random(5, 300, 2);
  const Dataset data = parsed(random.text, {.block_bytes = 50});
  ASSERT_FALSE(is_sparse(data.features));
  std::vector<double> expected(static_cast<std::size_t>(data.rows() * data.cols()));
  for (std::size_t i = 0; i < random.labels.size(); ++i) {
    for (auto k = random.offsets[i]; k < random.offsets[i + 1]; ++k) {
      expected[i * static_cast<std::size_t>(data.cols()) + random.columns[k]] = random.values[k];
    }
  }
  EXPECT_TRUE(std::ranges::equal(dense(data).values, expected));
}

TEST(Libsvm, ThreadsDoNotChangeABit) {
  const RandomText random(6, 3000, 500);
  const auto read = [&](int count) {
    const ThreadScope scope(count);
    return parsed(random.text, {.block_bytes = 777});
  };
  const Dataset one = read(1);
  for (const int count : {2, 8}) {
    const Dataset many = read(count);
    EXPECT_TRUE(std::ranges::equal(sparse(one).offsets, sparse(many).offsets));
    EXPECT_TRUE(std::ranges::equal(sparse(one).columns, sparse(many).columns));
    EXPECT_TRUE(std::ranges::equal(sparse(one).values, sparse(many).values));
    EXPECT_EQ(one.labels.numbers, many.labels.numbers);
    EXPECT_EQ(one.cols(), many.cols());
  }
}

TEST(Libsvm, HostileBytesAreAnErrorOrRowsButNeverACrash) {
  const RandomText good(9, 20, 30);
  Random random(10);
  int errors = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text = good.text;
    for (Index k = random.below(4); k >= 0; --k) {
      const auto at = static_cast<std::size_t>(random.below(static_cast<Index>(text.size())));
      static constexpr std::string_view kNasty("\0\n\r\t :#-+.e0129\xff", 17);
      text[at] = kNasty[static_cast<std::size_t>(random.below(17))];
    }
    text.resize(text.size() - static_cast<std::size_t>(random.below(40)));
    try {
      parsed(text, {.block_bytes = 64});
    } catch (const InputError&) {
      ++errors;
    }
  }
  EXPECT_GT(errors, 1000);
}

}  // namespace
}  // namespace ardent
