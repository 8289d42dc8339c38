#include <gmock/gmock.h>

#include "ardent/data/cache.h"
#include "ardent/data/reader.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

const std::string kEarlierFiles = ARDENT_SOURCE "/tests/models/0.1/";

/// Written by the commands of versions 0.1 and 0.2 from the text beside the former.
TEST(EarlierCaches, HoldWhatTheTextBesideThemDoes) {
  for (const auto& [cache, text] : {std::pair{"sparse.cache", "sparse.libsvm"},
                                    {"iris.cache", "iris.csv"},
                                    {"../0.2/sparse.cache", "sparse.libsvm"},
                                    {"../0.2/iris.cache", "iris.csv"}}) {
    const Dataset old = read_cache(kEarlierFiles + cache);
    const Dataset now = read_dataset(kEarlierFiles + text, {});
    EXPECT_EQ(is_sparse(old.features), is_sparse(now.features));
    EXPECT_EQ(dense_matrix(old.features), dense_matrix(now.features));
    EXPECT_EQ(old.labels.numbers, now.labels.numbers);
    EXPECT_EQ(old.labels.ids, now.labels.ids);
    EXPECT_EQ(old.labels.names, now.labels.names);
    EXPECT_EQ(old.feature_names, now.feature_names);
    EXPECT_EQ(old.label_name, now.label_name);
    EXPECT_EQ(old.absent_is_zero, now.absent_is_zero);
  }
}

TEST(EarlierCaches, AnyByteChangedCutOffOrAddedIsRefused) {
  for (const char* name : {"sparse.cache", "iris.cache"}) {
    const std::string whole(load_bytes(kEarlierFiles + name).text());
    const auto fault = [](const std::string& contents) {
      return message_of([&] { parse_cache(bytes_of(contents, "f")); });
    };
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 1);
      EXPECT_THAT(fault(damaged), testing::HasSubstr("f: ")) << at;
      EXPECT_THAT(fault(whole.substr(0, at)), testing::HasSubstr("f: ")) << at;
    }
    EXPECT_THAT(fault(whole + 'x'), testing::HasSubstr("f: "));
  }
}

}  // namespace
}  // namespace ardent
