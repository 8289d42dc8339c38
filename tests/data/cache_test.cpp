#include "ardent/data/cache.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "ardent/base/container.h"
#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "ardent/data/libsvm.h"
#include "ardent/data/reader.h"
#include "base/container_bytes.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string contents_of(const std::string& path) {
  return std::string(load_bytes(path).text());
}

Dataset sparse_data() {
  Random random(1);
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += i % 3 ? "spam" : "h\xe9m";  // not UTF-8
    Index column = 0;
    for (Index k = random.below(6); k > 0; --k) {
      column += 1 + random.below(60);
      text += fmt::format(" {}:{:.6f}", column, random.normal());
    }
    text += '\n';
  }
  return parse_libsvm(bytes_of(text, "f"));
}

Dataset dense_data() {
  Dataset data = parse_libsvm(bytes_of("1 1:0.1 2:3\n-1 2:1e300\n1 1:-7\n", "f"));
  data.feature_names = {"first, of two", ""};
  return data;
}

void expect_same_sparse(const SparseRows& a, const SparseRows& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.cols, b.cols);
  EXPECT_TRUE(std::ranges::equal(a.offsets, b.offsets));
  EXPECT_TRUE(std::ranges::equal(a.columns, b.columns));
  EXPECT_TRUE(std::ranges::equal(a.values, b.values));
}

TEST(Cache, SparseDataComeBackWithTheirTranspose) {
  const TemporaryFiles files;
  const Dataset data = sparse_data();
  ASSERT_TRUE(is_sparse(data.features));
  write_cache(data, files.path("c"));
  const Dataset back = read_cache(files.path("c"));
  const auto& before = std::get<SparseRows>(data.features);
  const auto& after = std::get<SparseRows>(back.features);
  expect_same_sparse(before, after);
  ASSERT_TRUE(after.transpose);
  expect_same_sparse(transposed(before), *after.transpose);
  EXPECT_EQ(back.labels.names, data.labels.names);
  EXPECT_EQ(back.labels.ids, data.labels.ids);
  EXPECT_FALSE(back.labels.numeric());
  EXPECT_TRUE(back.feature_names.empty());
  EXPECT_EQ(back.source, files.path("c"));
}

TEST(Cache, DenseDataComeBackWithNamesAndNumbers) {
  const TemporaryFiles files;
  const Dataset data = dense_data();
  write_cache(data, files.path("c"));
  const Dataset back = read_cache(files.path("c"));
  EXPECT_TRUE(std::ranges::equal(std::get<DenseRows>(back.features).values,
                                 std::get<DenseRows>(data.features).values));
  EXPECT_EQ(back.cols(), 2);
  EXPECT_THAT(back.labels.numbers, ElementsAre(1, -1, 1));
  EXPECT_EQ(back.labels.ids, data.labels.ids);
  EXPECT_THAT(back.feature_names, ElementsAre("first, of two", ""));
}

TEST(Cache, DataWithoutLabelsComeBackWithoutLabels) {
  const TemporaryFiles files;
  Dataset data = dense_data();
  data.labels = {};
  write_cache(data, files.path("c"));
  EXPECT_TRUE(read_cache(files.path("c")).labels.empty());
}

TEST(Cache, OutlivesItsFileAndItsBytes) {
  const TemporaryFiles files;
  write_cache(sparse_data(), files.path("c"));
  const Dataset back = read_cache(files.path("c"));
  std::filesystem::remove(files.path("c"));
  const Dataset copy = back;
  expect_same_sparse(std::get<SparseRows>(copy.features),
                     std::get<SparseRows>(sparse_data().features));
}

TEST(Cache, ArraysAreViewsIntoTheFileNotCopies) {
  const TemporaryFiles files;
  write_cache(dense_data(), files.path("c"));
  const Bytes bytes = load_bytes(files.path("c"));
  const Dataset back = parse_cache(bytes);
  const auto* values =
      reinterpret_cast<const char*>(std::get<DenseRows>(back.features).values.data());
  EXPECT_GE(values, bytes.contents.begin());
  EXPECT_LT(values, bytes.contents.end());
}

// ---- damage

class DamagedCache : public ::testing::Test {
 protected:
  DamagedCache() {
    write_cache(sparse_data(), files_.path("sparse"));
    write_cache(dense_data(), files_.path("dense"));
    sparse_ = contents_of(files_.path("sparse"));
    dense_ = contents_of(files_.path("dense"));
  }

  static std::string fault(const std::string& contents) {
    return message_of([&] { parse_cache(bytes_of(contents, "f")); });
  }

  TemporaryFiles files_;
  std::string sparse_;
  std::string dense_;
};

TEST_F(DamagedCache, IsFineBeforeItIsDamaged) {
  EXPECT_NO_THROW(parse_cache(bytes_of(sparse_, "f")));
  EXPECT_NO_THROW(parse_cache(bytes_of(with_checksums(dense_), "f")));
}

TEST_F(DamagedCache, NotACache) {
  EXPECT_THAT(fault("1 1:2\n"), HasSubstr("f: not a cache"));
  EXPECT_THAT(fault(ContainerWriter().bytes({.kind = "model", .version = 2})),
              HasSubstr("f: not a cache"));
}

TEST_F(DamagedCache, TruncatedAnywhere) {
  for (std::size_t size = 0; size < dense_.size(); ++size) {
    EXPECT_THAT(fault(dense_.substr(0, size)), HasSubstr("f: ")) << size;
  }
  EXPECT_THAT(fault(sparse_.substr(0, sparse_.size() / 2)), HasSubstr("outside the file"));
}

TEST_F(DamagedCache, Lengthened) {
  EXPECT_THAT(fault(dense_ + "x"), HasSubstr("bytes after its last array"));
}

TEST_F(DamagedCache, FutureVersion) {
  json header = header_json(dense_);
  header["__metadata__"]["version"] = "9";
  EXPECT_THAT(fault(with_header(dense_, header)),
              AllOf(HasSubstr("version 9"), HasSubstr("version 2"), HasSubstr("newer ardent")));
}

TEST_F(DamagedCache, EveryByteIsGuarded) {
  Dataset few = sparse_data();
  const std::vector<Index> rows{0, 1, 2, 3, 4, 5};
  few = select_rows(few, rows);
  write_cache(few, files_.path("few"));
  for (const std::string& whole : {dense_, contents_of(files_.path("few"))}) {
    EXPECT_NO_THROW(parse_cache(bytes_of(whole, "f")));
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const int change : {1, 0x80}) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ change);
        ASSERT_THAT(fault(damaged), HasSubstr("f: ")) << at;
      }
    }
  }
}

TEST_F(DamagedCache, EveryByteIsGuardedWhenACommandReadsIt) {
  const std::string path = files_.path("damaged");
  for (std::size_t at = 0; at < dense_.size(); ++at) {
    std::string damaged = dense_;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    // Without its first bytes it may be taken for another format, which it is not, either.
    EXPECT_NE(message_of([&] { dataset_of(bytes_of(damaged, path), path, {}); }), "") << at;
  }
}

TEST_F(DamagedCache, AFlippedBitInAnArrayIsNoticed) {
  for (const std::string& whole : {dense_, sparse_}) {
    const json header = header_json(whole);
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") continue;
      const auto begin = entry["data_offsets"][0].get<std::size_t>();
      const auto end = entry["data_offsets"][1].get<std::size_t>();
      if (begin == end) continue;
      std::string damaged = whole;
      damaged[arrays_begin(whole) + (begin + end) / 2] ^= 1;
      EXPECT_THAT(fault(damaged), HasSubstr("arrays are damaged")) << name;
    }
  }
}

TEST_F(DamagedCache, CountsWithRightChecksumsThatContradictTheArrays) {
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1} << 31,
                                    std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    json header = header_json(sparse_);
    json about = json::parse(header["__metadata__"]["about"].get<std::string>());
    about["columns"] = count;
    header["__metadata__"]["about"] = about.dump();
    EXPECT_THAT(fault(with_header(sparse_, header)), HasSubstr("f: ")) << count;
  }
  for (const json& shape : {json{2, 3}, json{6}, json{1, 6}, json{6, 1}}) {
    json header = header_json(dense_);
    header["features"]["shape"] = shape;
    EXPECT_THAT(fault(with_header(dense_, header)), HasSubstr("f: ")) << shape;
  }
  for (const char* about : {"{}", "[]", R"({"sparse": 1})", R"({"sparse": true})"}) {
    json header = header_json(dense_);
    header["__metadata__"]["about"] = about;
    EXPECT_THAT(fault(with_header(dense_, header)), HasSubstr("f: ")) << about;
  }
}

TEST_F(DamagedCache, ColumnOutOfBounds) {
  const Dataset data = sparse_data();
  const auto last = static_cast<std::size_t>(stored(data.features) - 1);
  EXPECT_THAT(fault(with_number(sparse_, "features.columns", last, std::uint32_t(data.cols()))),
              HasSubstr("columns or values that cannot be"));
  EXPECT_THAT(fault(with_number(sparse_, "transposed.columns", last, std::uint32_t(data.rows()))),
              HasSubstr("columns or values that cannot be"));
}

TEST_F(DamagedCache, ColumnsThatDoNotAscend) {
  const SparseRows rows = std::get<SparseRows>(sparse_data().features);
  std::size_t row = 0;
  while (rows.offsets[row + 1] - rows.offsets[row] < 2) ++row;
  const auto second = static_cast<std::size_t>(rows.offsets[row]) + 1;
  EXPECT_THAT(fault(with_number(sparse_, "features.columns", second, rows.columns[second - 1])),
              HasSubstr("columns or values that cannot be"));
}

TEST_F(DamagedCache, OffsetsThatDescendOrLeaveTheFile) {
  for (const char* name : {"features.offsets", "transposed.offsets"}) {
    EXPECT_THAT(fault(with_number(sparse_, name, 5, ~std::uint64_t{0})),
                HasSubstr("do not fit together"));
    EXPECT_THAT(fault(with_number(sparse_, name, 0, std::uint64_t{1})),
                HasSubstr("do not fit together"));
  }
}

TEST_F(DamagedCache, ValuesThatAreNotFinite) {
  EXPECT_THAT(fault(with_number(sparse_, "features.values", 77, NAN)), HasSubstr("cannot be"));
  EXPECT_THAT(fault(with_number(sparse_, "transposed.values", 77, -INFINITY)),
              HasSubstr("cannot be"));
  EXPECT_THAT(fault(with_number(dense_, "features", 3, double{INFINITY})), HasSubstr("not finite"));
}

TEST_F(DamagedCache, LabelsThatPointNowhere) {
  EXPECT_THAT(fault(with_number(sparse_, "labels.ids", 9, std::uint32_t{2})),
              HasSubstr("its labels"));
  EXPECT_THAT(fault(with_number(dense_, "labels.numbers", 0, double{NAN})),
              HasSubstr("its labels"));
}

TEST_F(DamagedCache, NamesThatLeaveTheFile) {
  EXPECT_THAT(fault(with_number(dense_, "feature_names.ends", 1, ~std::uint64_t{0})),
              HasSubstr("the texts feature_names"));
  EXPECT_THAT(fault(with_number(dense_, "labels.names.ends", 1, std::uint64_t{1} << 40)),
              HasSubstr("the texts labels.names"));
}

TEST_F(DamagedCache, ThreadsDoNotChangeTheVerdict) {
  const std::string damaged = with_number(sparse_, "features.values", 4000, NAN);
  for (const int count : {1, 2, 8}) {
    const ThreadScope scope(count);
    EXPECT_THAT(fault(damaged), HasSubstr("cannot be"));
    EXPECT_NO_THROW(parse_cache(bytes_of(sparse_, "f")));
  }
}

}  // namespace
}  // namespace ardent
