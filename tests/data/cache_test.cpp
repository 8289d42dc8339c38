#include "ardent/data/cache.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstring>

#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "ardent/data/cache_layout.h"
#include "ardent/data/libsvm.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

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

  static CacheHeader header_of(const std::string& contents) {
    CacheHeader header;
    std::memcpy(&header, contents.data(), sizeof header);
    return header;
  }
  /// With another header, its checksum made right: as someone with bad intent would.
  static std::string with(std::string contents, CacheHeader header) {
    header.checksum = cache_checksum(header);
    std::memcpy(contents.data(), &header, sizeof header);
    return contents;
  }
  template <class T>
  static std::string with(std::string contents, CacheSection section, std::size_t element,
                          T value) {
    const auto layout = cache_layout(header_of(contents));
    const std::size_t at = layout.begin[static_cast<std::size_t>(section)] + element * sizeof(T);
    std::memcpy(contents.data() + at, &value, sizeof(T));
    // As in a cache of before, which no checksum of its contents protects.
    CacheHeader header = header_of(contents);
    header.contents = 0;
    return with(contents, header);
  }

  TemporaryFiles files_;
  std::string sparse_;
  std::string dense_;
};

TEST_F(DamagedCache, IsFineBeforeItIsDamaged) {
  EXPECT_NO_THROW(parse_cache(bytes_of(sparse_, "f")));
  EXPECT_NO_THROW(parse_cache(bytes_of(with(dense_, header_of(dense_)), "f")));
}

TEST_F(DamagedCache, NotACache) {
  EXPECT_THAT(fault("1 1:2\n"), HasSubstr("f: not a cache"));
}

TEST_F(DamagedCache, TruncatedAnywhere) {
  for (std::size_t size = 8; size < dense_.size(); ++size) {
    EXPECT_THAT(fault(dense_.substr(0, size)), HasSubstr("f: the cache")) << size;
  }
  EXPECT_THAT(fault(sparse_.substr(0, sparse_.size() / 2)), HasSubstr("bytes but has"));
}

TEST_F(DamagedCache, Lengthened) {
  EXPECT_THAT(fault(dense_ + "x"), HasSubstr("bytes but has"));
}

TEST_F(DamagedCache, FutureVersion) {
  CacheHeader header = header_of(dense_);
  header.version = 9;
  EXPECT_THAT(fault(with(dense_, header)),
              HasSubstr("the cache has version 9, and this ardent reads version 1"));
}

TEST_F(DamagedCache, EveryBitOfTheHeaderIsGuarded) {
  for (std::size_t bit = 64; bit < 8 * sizeof(CacheHeader); ++bit) {
    std::string contents = sparse_;
    contents[bit / 8] = static_cast<char>(contents[bit / 8] ^ (1 << bit % 8));
    EXPECT_THAT(fault(contents), HasSubstr("f: the cache")) << bit;
  }
}

TEST_F(DamagedCache, HugeCountsWithARightChecksumTakeNoMemory) {
  for (const std::string& good : {sparse_, dense_}) {
    for (std::size_t field = 24; field < kCheckedHeaderBytes; field += 8) {
      for (const std::uint64_t count :
           {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1} << 31, std::uint64_t{1} << 32,
            std::uint64_t{1} << 61, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
        CacheHeader header = header_of(good);
        std::uint64_t old = 0;
        std::memcpy(&old, reinterpret_cast<const char*>(&header) + field, 8);
        if (old == count || (old == 0 && count == 0)) continue;
        std::memcpy(reinterpret_cast<char*>(&header) + field, &count, 8);
        EXPECT_THAT(fault(with(good, header)), HasSubstr("f: the cache")) << field << ' ' << count;
      }
    }
  }
}

TEST_F(DamagedCache, ColumnOutOfBounds) {
  const auto header = header_of(sparse_);
  const auto last = static_cast<std::size_t>(header.entries - 1);
  EXPECT_THAT(fault(with(sparse_, CacheSection::columns, last, std::uint32_t(header.cols))),
              HasSubstr("sparse rows are damaged"));
  EXPECT_THAT(
      fault(with(sparse_, CacheSection::transposed_columns, last, std::uint32_t(header.rows))),
      HasSubstr("sparse rows are damaged"));
}

TEST_F(DamagedCache, ColumnsThatDoNotAscend) {
  const SparseRows rows = std::get<SparseRows>(sparse_data().features);
  std::size_t row = 0;
  while (rows.offsets[row + 1] - rows.offsets[row] < 2) ++row;
  const auto second = static_cast<std::size_t>(rows.offsets[row]) + 1;
  EXPECT_THAT(fault(with(sparse_, CacheSection::columns, second, rows.columns[second - 1])),
              HasSubstr("sparse rows are damaged"));
}

TEST_F(DamagedCache, OffsetsThatDescendOrLeaveTheFile) {
  for (const CacheSection section : {CacheSection::offsets, CacheSection::transposed_offsets}) {
    EXPECT_THAT(fault(with(sparse_, section, 5, ~std::uint64_t{0})),
                HasSubstr("offsets are damaged"));
    EXPECT_THAT(fault(with(sparse_, section, 0, std::uint64_t{1})),
                HasSubstr("offsets are damaged"));
  }
}

TEST_F(DamagedCache, ValuesThatAreNotFinite) {
  EXPECT_THAT(fault(with(sparse_, CacheSection::values, 77, NAN)), HasSubstr("damaged"));
  EXPECT_THAT(fault(with(sparse_, CacheSection::transposed_values, 77, -INFINITY)),
              HasSubstr("damaged"));
  EXPECT_THAT(fault(with(dense_, CacheSection::values, 3, double{INFINITY})),
              HasSubstr("values are damaged"));
}

TEST_F(DamagedCache, LabelsThatPointNowhere) {
  EXPECT_THAT(fault(with(sparse_, CacheSection::label_ids, 9, std::uint32_t{2})),
              HasSubstr("labels are damaged"));
  EXPECT_THAT(fault(with(dense_, CacheSection::label_numbers, 0, double{NAN})),
              HasSubstr("labels are damaged"));
}

TEST_F(DamagedCache, NamesThatLeaveTheFile) {
  EXPECT_THAT(fault(with(dense_, CacheSection::feature_name_offsets, 1, ~std::uint64_t{0})),
              HasSubstr("names are damaged"));
  EXPECT_THAT(fault(with(dense_, CacheSection::label_name_offsets, 1, std::uint64_t{1} << 40)),
              HasSubstr("names are damaged"));
}

TEST_F(DamagedCache, AFlippedBitAnywhereIsNoticed) {
  for (const std::string& whole : {dense_, sparse_}) {
    const auto layout = cache_layout(header_of(whole));
    EXPECT_NO_THROW(parse_cache(bytes_of(whole, "f")));
    for (std::size_t section = 0; section < kCacheSections; ++section) {
      if (layout.count[section] == 0) continue;
      std::string damaged = whole;
      damaged[layout.begin[static_cast<std::size_t>(section)] + layout.count[section] / 2] ^= 1;
      EXPECT_THAT(fault(damaged), HasSubstr("checksum differs")) << section;
    }
    std::string other_kind = whole;
    other_kind[offsetof(CacheHeader, absent_is_zero)] ^= 1;
    EXPECT_THAT(fault(other_kind), HasSubstr("checksum differs"));
  }
}

TEST_F(DamagedCache, CachesOfBeforeAreRead) {
  CacheHeader header = header_of(dense_);
  header.contents = 0;
  EXPECT_NO_THROW(parse_cache(bytes_of(with(dense_, header), "f")));
}

TEST_F(DamagedCache, ThreadsDoNotChangeTheVerdict) {
  const std::string damaged = with(sparse_, CacheSection::values, 4000, NAN);
  for (const int count : {1, 2, 8}) {
    const ThreadScope scope(count);
    EXPECT_THAT(fault(damaged), HasSubstr("sparse rows are damaged"));
    EXPECT_NO_THROW(parse_cache(bytes_of(sparse_, "f")));
  }
}

}  // namespace
}  // namespace ardent
