#include "ardent/data/libsvm.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

using ::testing::ElementsAre;

Dataset parsed(std::string_view text, const LibsvmOptions& options = {}) {
  return parse_libsvm(bytes_of(text, "f"), options);
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
  // the reader parse the text again.
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
  std::vector<double> expected(data.rows() * data.cols());
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
      const auto at = static_cast<std::size_t>(random.below(std::ssize(text)));
      static constexpr std::string_view kNasty("\0\n\r\t :#-+.e0129\xff", 17);
      text[at] = kNasty[random.below(17)];
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
