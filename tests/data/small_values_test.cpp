// Numbers other than 0 that are 0 in the type they are kept in.
#include <gmock/gmock.h>

#include "ardent/base/parallel.h"
#include "ardent/data/libsvm.h"

namespace ardent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Dataset parsed_values(std::string_view text, const LibsvmOptions& options = {}) {
  return parse_libsvm(bytes_of(text, "f"), options);
}

TEST(SmallValues, SparseOnesBelowFloat32AreCounted) {
  const std::string text = "1 1:1e-50 2:0 3:-0.0 500:2\n2 7:-0.1e-60 9:0e5 500:1\n";
  for (const std::size_t double_bytes : {std::size_t{0}, std::size_t{1} << 20}) {
    EXPECT_THAT(
        parsed_values(text, {.double_bytes = double_bytes}).warnings,
        ElementsAre("f: 2 values are too small for sparse data (32 bits) and counted as 0"));
  }
}

TEST(SmallValues, DenseOnesAreKept) {
  const Dataset data = parsed_values("1 1:1e-50 2:1\n2 1:1e-300 2:2\n");
  EXPECT_THAT(data.warnings, IsEmpty());
  EXPECT_EQ(std::get<DenseRows>(data.features).row(0)[0], 1e-50);
  EXPECT_THAT(parsed_values("1 1:1e-400 2:1\n").warnings, ElementsAre(HasSubstr("1 value")));
}

TEST(SmallValues, TheCountDoesNotDependOnThreadsOrBlocks) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "1 3:1e-60 900:1\n";
  for (const int threads : {1, 4}) {
    const ThreadScope scope(threads);
    EXPECT_THAT(parsed_values(text, {.block_bytes = 100}).warnings, ElementsAre(HasSubstr("500 values")));
  }
}

}  // namespace
}  // namespace ardent
