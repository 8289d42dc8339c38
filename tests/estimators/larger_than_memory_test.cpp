// Under a limit of memory: the same bits as without one, and refusals where it cannot be kept.
#include <gmock/gmock.h>

#include <optional>

#include "ardent/base/error.h"
#include "ardent/base/memory_limit.h"
#include "ardent/data/cache.h"
#include "ardent/data/reader.h"
#include "ardent/data/synth.h"
#include "ardent/data/write_libsvm.h"
#include "ardent/design/sparse.h"
#include "ardent/estimators/memory_need.h"
#include "ardent/estimators/trainer.h"
#include "ardent/model/model_file.h"
#include "tests/base/temporary_files.h"

namespace ardent {
namespace {

using testing::HasSubstr;

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

// 360,000 entries: values and columns of 1.4 MB each, which a limit of a few MiB leaves on disk.
const Dataset& planted() {
  static const Dataset data =
      make_synth({.rows = 6000, .columns = 30000, .nonzeros = 60, .relevant = 40}).data;
  return data;
}

std::string contents_of(const std::string& path) {
  const auto bytes = load_bytes(path);
  return std::string(bytes.text());
}

std::string model_bytes(const Dataset& data, const TrainOptions& options) {
  const TemporaryFiles folder;
  save_model(train(data, options), folder.path("model"));
  return contents_of(folder.path("model"));
}

class LargerThanMemory : public testing::Test {
 protected:
  TemporaryFiles folder;
};

TEST_F(LargerThanMemory, ACacheWrittenAndReadUnderALimitIsTheSameFile) {
  const std::string text = folder.path("rows.libsvm");
  write_libsvm(planted(), text);
  write_cache(read_dataset(text), folder.path("free"));
  {
    const MemoryLimit limit(2 * kMebibyte, folder.folder().string());
    write_cache(read_dataset(text), folder.path("limited"));
  }
  EXPECT_TRUE(contents_of(folder.path("free")) == contents_of(folder.path("limited")));
}

TEST_F(LargerThanMemory, ModelsHaveTheSameBits) {
  write_cache(planted(), folder.path("rows.cache"));
  const std::string cache = folder.path("rows.cache");
  for (const auto& [engine, scale] :
       {std::pair{"shrinkage", "rms"}, {"diagonal", "tfidf"}, {"diagonal", "rms"}}) {
    SCOPED_TRACE(engine);
    TrainOptions options{.engine = engine, .scale = scale};
    options.engine_options.max_stages = engine == std::string("diagonal") ? 5 : 0;
    const std::string wanted = model_bytes(read_cache(cache), options);
    const MemoryLimit limit(32 * kMebibyte, folder.folder());
    const auto crowd = Buffer<char>::allocate(15 * kMebibyte);  // so that all else is on disk
    EXPECT_TRUE(model_bytes(read_cache(cache), options) == wanted);
  }
}

TEST_F(LargerThanMemory, ColumnsThatAreDroppedCountNothingUntilTheyAreCompacted) {
  const auto rows = std::get<SparseRows>(planted().features);
  std::vector<Index> most, fewer;  // a copy of the first would be as good as no smaller
  for (Index k = 0; k < rows.cols; ++k) {
    if (k % 9 != 0) most.push_back(k);
  }
  for (Index k = 0; k < std::ssize(most); k += 3) fewer.push_back(k);
  const auto results = [&](bool limited) {
    std::optional<MemoryLimit> limit;
    if (limited) limit.emplace(2 * kMebibyte, folder.folder());
    SparseDesign design(rows);
    std::vector<double> all;
    for (const auto& kept : {most, fewer}) {
      design.keep(kept);
      EXPECT_EQ(design.nonzeros() == rows.nonzeros(), limited);
      Vector products, norms, transposed;
      RowMatrix many, many_transposed;
      design.multiply(Vector::LinSpaced(design.cols(), -1, 2), products);
      design.multiply_transposed(Vector::LinSpaced(design.rows(), -1, 2), transposed);
      design.weighted_square_norms(Vector::LinSpaced(design.rows(), 0, 2), norms);
      design.multiply_many(RowMatrix::Constant(design.cols(), 3, 0.7), many);
      design.multiply_transposed_many(RowMatrix::Constant(design.rows(), 3, 0.7), many_transposed);
      const Matrix columns = design.columns(std::vector<Index>{5, 0});
      for (const auto* one : {&products, &transposed, &norms}) {
        all.insert(all.end(), one->begin(), one->end());
      }
      all.insert(all.end(), many.data(), many.data() + many.size());
      all.insert(all.end(), many_transposed.data(),
                 many_transposed.data() + many_transposed.size());
      all.insert(all.end(), columns.data(), columns.data() + columns.size());
    }
    design.compact();
    EXPECT_LT(design.nonzeros(), rows.nonzeros() / 2);
    return all;
  };
  EXPECT_TRUE(results(true) == results(false));
}

TEST_F(LargerThanMemory, WhatWouldNotStayWithinTheLimitIsRefused) {
  const auto message = [&](std::size_t bytes, const Dataset& data, const TrainOptions& options) {
    const MemoryLimit limit(bytes, folder.folder().string());
    try {
      require_memory(data, options);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("fits");
  };
  EXPECT_EQ(message(64 * kMebibyte, planted(), {}), "fits");
  EXPECT_THAT(message(8 * kMebibyte, planted(), {}),
              HasSubstr("vectors of the engine shrinkage over 6000 rows and 30000 columns"));
  EXPECT_THAT(message(8 * kMebibyte, planted(), {}), HasSubstr("--engine diagonal"));
  EXPECT_THAT(message(64 * kMebibyte, planted(), {.engine = "exact"}),
              HasSubstr("the engine exact needs its columns in memory"));
  EXPECT_THAT(message(64 * kMebibyte, planted(), {.map = "rbf"}), HasSubstr("use the linear map"));
  Dataset dense = select_rows(planted(), std::vector<Index>{0, 1, 2});
  dense.features = to_dense(dense.features);
  EXPECT_THAT(message(64 * kMebibyte, dense, {}), HasSubstr("only sparse features"));
  EXPECT_NO_THROW(require_memory(dense, {})) << "without a limit";
}

}  // namespace
}  // namespace ardent
