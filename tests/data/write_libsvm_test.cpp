#include "ardent/data/write_libsvm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "ardent/data/bytes.h"
#include "ardent/data/reader.h"
#include "base/temporary_files.h"
#include "problems/random_matrix.h"

namespace ardent {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string text_of(const std::string& path) {
  return std::string(load_bytes(path).text());
}

/// Finite floats of all magnitudes: random bits.
SparseRows any_floats(Index rows, Index cols, std::uint64_t seed) {
  SparseRows sparse = problems::sparse_rows(problems::random_matrix(rows, cols, seed, 0.1));
  Random random(seed);
  float* values = sparse.values.mutable_data();
  for (std::size_t e = 0; e < sparse.values.size(); ++e) {
    do {
      values[e] = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits() >> 32));
    } while (!std::isnormal(values[e]));
  }
  return sparse;
}

TEST(WriteLibsvm, TextIsWhatLibsvmUsersExpect) {
  const TemporaryFiles files;
  Dataset data;
  Matrix x(3, 4);
  x << 0.5, 0, 0, -2,  //
      0, 0, 0, 0,      //
      0, 1e-20, 3, 0;
  data.features = problems::dense_rows(x);
  const std::vector<std::string_view> labels{"+1", "-1", "+1"};
  data.labels = make_labels(labels);
  write_libsvm(data, files.path("a.libsvm"));
  const std::string expected = "+1 1:0.5 4:-2\n-1\n+1 2:1e-20 3:3\n";
  EXPECT_EQ(text_of(files.path("a.libsvm")), expected);
  data.features = problems::sparse_rows(x);
  write_libsvm(data, files.path("b.libsvm"));
  EXPECT_EQ(text_of(files.path("b.libsvm")), expected);
}

TEST(WriteLibsvm, SparseRowsOfAnyMagnitudeReadBackToTheSameBits) {
  const TemporaryFiles files;
  Dataset data;
  const SparseRows rows = any_floats(3000, 400, 1);
  ASSERT_GT(rows.nonzeros(), 1 << 16) << "several blocks";
  data.features = rows;
  std::vector<double> numbers;
  Random random(2);
  for (Index i = 0; i < rows.rows; ++i) numbers.push_back(random.normal());
  data.labels = make_labels(numbers);
  const std::string path = files.path("a.libsvm");
  write_libsvm(data, path);
  const Dataset back = read_dataset(path, {.format = "libsvm", .features = 400});
  const auto& read = std::get<SparseRows>(back.features);
  EXPECT_TRUE(std::ranges::equal(read.offsets.span(), rows.offsets.span()));
  EXPECT_TRUE(std::ranges::equal(read.columns.span(), rows.columns.span()));
  EXPECT_TRUE(std::ranges::equal(read.values.span(), rows.values.span()));
  EXPECT_EQ(back.labels.numbers, numbers);
}

TEST(WriteLibsvm, DenseRowsKeepEveryDigitOfADouble) {
  const TemporaryFiles files;
  Dataset data;
  Random random(3);
  Matrix x(200, 7);
  for (Index i = 0; i < 200; ++i) {
    for (Index k = 0; k < 7; ++k) x(i, k) = random.normal() * std::pow(10, random.below(200) - 100);
  }
  const DenseRows rows = problems::dense_rows(x);
  data.features = rows;
  data.labels = make_labels(std::vector<double>(200, 1.0));
  write_libsvm(data, files.path("a.libsvm"));
  const Dataset back = read_dataset(files.path("a.libsvm"));
  EXPECT_TRUE(
      std::ranges::equal(std::get<DenseRows>(back.features).values.span(), rows.values.span()));
}

TEST(WriteLibsvm, SameBytesForAnyNumberOfThreads) {
  const TemporaryFiles files;
  Dataset data;
  data.features = any_floats(2000, 500, 4);
  data.labels = make_labels(std::vector<double>(2000, -1.0));
  const auto written = [&](int count) {
    const ThreadScope threads(count);
    write_libsvm(data, files.path("a.libsvm"));
    return text_of(files.path("a.libsvm"));
  };
  const std::string serial = written(1);
  EXPECT_EQ(written(2), serial);
  EXPECT_EQ(written(8), serial);
}

TEST(WriteLibsvm, LabelsThatCouldNotBeReadBackAreRefusedAndNothingIsWritten) {
  const TemporaryFiles files;
  Dataset data;
  data.source = "birds.csv";
  data.features = problems::dense_rows(Matrix::Ones(2, 1));
  const std::string path = files.path("a.libsvm");
  EXPECT_THAT(message_of([&] { write_libsvm(data, path); }),
              AllOf(HasSubstr("birds.csv"), HasSubstr("0 labels")));
  for (const std::string_view label : {"two words", "", "a:b", "#1", "nan", "line\nbreak"}) {
    const std::vector<std::string_view> labels{"fine", label};
    data.labels = make_labels(labels);
    EXPECT_THAT(message_of([&] { write_libsvm(data, path); }), HasSubstr("cannot be written"))
        << label;
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace ardent
