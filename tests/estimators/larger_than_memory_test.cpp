// Under a limit of memory: the same bits as without one, and refusals where it cannot be kept.
#include <gmock/gmock.h>

#include "ardent/base/error.h"
#include "ardent/base/memory_limit.h"
#include "ardent/data/cache.h"
#include "ardent/data/reader.h"
#include "ardent/data/synth.h"
#include "ardent/data/write_libsvm.h"
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
  for (const auto& [engine, scale] : {std::pair{"auto", "auto"}, {"diagonal", "tfidf"}}) {
    SCOPED_TRACE(engine);
    const TrainOptions options{.engine = engine, .scale = scale};
    const std::string wanted = model_bytes(read_cache(cache), options);
    const MemoryLimit limit(32 * kMebibyte, folder.folder());
    const auto crowd = Buffer<char>::allocate(15 * kMebibyte);  // so that all else is on disk
    EXPECT_TRUE(model_bytes(read_cache(cache), options) == wanted);
  }
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
