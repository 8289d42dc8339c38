#include "ardent/data/reader.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include "ardent/data/cache.h"
#include "ardent/data/labels_file.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Reader : public ::testing::Test {
 protected:
  std::string fault(const std::string& path, const ReadOptions& options = {}) {
    return message_of([&] { read_dataset(path, options); });
  }
  static std::span<const double> values(const Dataset& data) {
    return std::get<DenseRows>(data.features).values.span();
  }
  std::string gzip(const std::string& name, std::string_view contents) const {
    const auto file = gzopen(files_.path(name).c_str(), "wb");
    gzwrite(file, contents.data(), static_cast<unsigned>(contents.size()));
    gzclose(file);
    return files_.path(name);
  }

  TemporaryFiles files_;
  const std::string images_ = std::string("\0\0\x08\3\0\0\0\2\0\0\0\1\0\0\0\2", 16) + "abcd";
  const std::string labels_ = std::string("\0\0\x08\1\0\0\0\2\7\3", 10);
  const std::string npy_ = [] {
    const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }";
    return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header +
           "abcd";
  }();
};

TEST_F(Reader, TellsFormatsByContentsBeforeTheName) {
  const auto labels = files_.write("labels.txt", "x\ny\n");
  const Dataset npy = read_dataset(files_.write("data.csv", npy_), {.labels = labels});
  EXPECT_THAT(values(npy), ElementsAre('a', 'b', 'c', 'd'));
  const Dataset idx = read_dataset(files_.write("data.libsvm", images_), {.labels = labels});
  EXPECT_THAT(values(idx), ElementsAre('a', 'b', 'c', 'd'));
  write_cache(npy, files_.path("data.npy"));
  const Dataset cached = read_dataset(files_.path("data.npy"));
  EXPECT_THAT(values(cached), ElementsAre('a', 'b', 'c', 'd'));
  EXPECT_THAT(cached.labels.names, ElementsAre("x", "y"));
}

TEST_F(Reader, TellsTextFormatsByTheName) {
  EXPECT_EQ(read_dataset(files_.write("A.CSV", "a,y\n1,2\n")).feature_names[0], "a");
  EXPECT_EQ(read_dataset(files_.write("a.tsv", "a\ty\n1\t2\n")).feature_names[0], "a");
  EXPECT_EQ(read_dataset(gzip("b.csv.gz", "a,y\n1,2\n")).feature_names[0], "a");
  EXPECT_THAT(values(read_dataset(files_.write("c.libsvm", "1 1:5\n"))), ElementsAre(5));
  EXPECT_THAT(values(read_dataset(files_.write("anything", "1 1:5\n"))), ElementsAre(5));
  EXPECT_THAT(fault(files_.write("d.npy", "1 1:5\n")), HasSubstr("not an NPY file"));
  EXPECT_THAT(fault(files_.write("x-idx3-ubyte", "1 1:5\n")), HasSubstr("not an IDX file"));
}

TEST_F(Reader, TheFormatNamedWins) {
  EXPECT_EQ(read_dataset(files_.write("a.txt", "a,y\n1,2\n"), {.format = "csv"}).cols(), 1);
  EXPECT_THAT(fault(files_.write("b.csv", "a,y\n1,2\n"), {.format = "libsvm"}),
              HasSubstr("b.csv: no row has a feature"));
  EXPECT_THAT(fault(files_.write("c", "1 1:2\n"), {.format = "cache"}), HasSubstr("not a cache"));
  EXPECT_THAT(fault(files_.path("c"), {.format = "arff"}), HasSubstr("format must be"));
}

TEST_F(Reader, SourceIsThePathAndErrorsNameIt) {
  const auto path = files_.write("a.libsvm", "1 1:5\n1 0:1\n");
  EXPECT_THAT(fault(path), HasSubstr(path + ":2:3: index 0"));
  const auto good = files_.write("b.csv", "a,y\n1,2\n");
  EXPECT_EQ(read_dataset(good).source, good);
}

TEST_F(Reader, MnistFindsItsLabelsBesideTheImages) {
  const auto images = gzip("t-images-idx3-ubyte.gz", images_);
  EXPECT_THAT(fault(images), HasSubstr("holds no labels"));
  files_.write("t-labels-idx1-ubyte", labels_);
  EXPECT_THAT(read_dataset(images).labels.numbers, ElementsAre(7, 3));
  gzip("t-labels-idx1-ubyte.gz", std::string("\0\0\x08\1\0\0\0\2\4\5", 10));
  EXPECT_THAT(read_dataset(images).labels.numbers, ElementsAre(4, 5));
}

TEST_F(Reader, LabelsComeFromNpyIdxOrTextFiles) {
  const auto data = files_.write("x.npy", npy_);
  const auto with = [&](const std::string& labels) {
    return read_dataset(data, {.labels = labels}).labels;
  };
  std::string npy = npy_.substr(0, npy_.size() - 2);
  npy.replace(npy.find("(2, 2)"), 6, "(2,  )");
  EXPECT_THAT(with(files_.write("y.npy", npy)).numbers, ElementsAre('a', 'b'));
  EXPECT_THAT(with(files_.write("y.idx", labels_)).numbers, ElementsAre(7, 3));
  EXPECT_THAT(with(files_.write("y.txt", " +1 \r\nno\r\n\r\n")).names, ElementsAre("+1", "no"));
  EXPECT_THAT(with(gzip("y.gz", "5\n6")).numbers, ElementsAre(5, 6));
  EXPECT_TRUE(read_dataset(data, {.labels_optional = true}).labels.empty());
}

TEST_F(Reader, LabelFaultsAreNamed) {
  const auto data = files_.write("x.npy", npy_);
  EXPECT_THAT(fault(data), HasSubstr("holds no labels; name the file that does"));
  EXPECT_THAT(fault(data, {.labels = files_.write("three", "1\n2\n3\n")}),
              ::testing::AllOf(HasSubstr("x.npy has 2 rows"), HasSubstr("three has 3 labels")));
  EXPECT_THAT(fault(data, {.labels = files_.write("gap", "1\n\n3\n")}), HasSubstr("gap:2:1: "));
  EXPECT_THAT(fault(data, {.labels = files_.write("nan", "1\n nan\n")}),
              HasSubstr("nan:2:2: label 'nan' is not finite"));
  EXPECT_THAT(fault(data, {.labels = files_.write("none", "\n")}), HasSubstr("no labels"));
  EXPECT_THAT(fault(data, {.labels = data}), HasSubstr("labels need one column"));
  EXPECT_THAT(fault(data, {.labels = files_.path("missing")}), HasSubstr("cannot read"));
  EXPECT_THAT(fault(files_.write("own", "1 1:1\n"), {.labels = data}),
              HasSubstr("holds its own labels"));
}

TEST_F(Reader, FeaturesWidenLibsvmAndItsCacheButNothingElse) {
  const auto text = files_.write("a.libsvm", "1 1:5 2:1\n2 2:7\n");
  EXPECT_EQ(read_dataset(text, {.features = 3}).cols(), 3);
  EXPECT_THAT(fault(text, {.features = 1}), HasSubstr(":1:7: index 2 is above"));
  write_cache(read_dataset(text), files_.path("dense"));
  EXPECT_THAT(values(read_dataset(files_.path("dense"), {.features = 3})),
              ElementsAre(5, 1, 0, 0, 7, 0));
  EXPECT_THAT(fault(files_.path("dense"), {.features = 1}),
              HasSubstr("dense has 2 features, but 1 are expected"));
  write_cache(read_dataset(text, {.features = 100}), files_.path("sparse"));
  const Dataset wide = read_dataset(files_.path("sparse"), {.features = 200});
  EXPECT_EQ(wide.cols(), 200);
  EXPECT_FALSE(std::get<SparseRows>(wide.features).transpose);
  EXPECT_THAT(fault(files_.write("b.csv", "a,y\n1,2\n"), {.features = 2}),
              HasSubstr("has 1 features, but 2 are expected"));
  EXPECT_THAT(fault(text, {.features = -1}), HasSubstr("features must be"));
}

TEST_F(Reader, MnistTestSetHasItsPublishedCounts) {
  const std::string folder = real_data();
  if (folder.empty()) GTEST_SKIP() << "real data sets are not here; set ARDENT_DATA";
  const Dataset data = read_dataset(folder + "/t10k-images-idx3-ubyte.gz");
  EXPECT_EQ(data.rows(), 10000);
  EXPECT_EQ(data.cols(), 784);
  std::vector<int> counts(10);
  for (const double label : data.labels.numbers) ++counts[label];
  EXPECT_THAT(counts, ElementsAre(980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009));
}

TEST_F(Reader, Rcv1SampleHasItsPublishedShapeAndUnitRows) {
  const std::string folder = real_data();
  if (folder.empty()) GTEST_SKIP() << "real data sets are not here; set ARDENT_DATA";
  const Dataset data = read_dataset(folder + "/rcv1-sample.libsvm.xz", {.features = 47236});
  const auto& rows = std::get<SparseRows>(data.features);
  EXPECT_EQ(data.rows(), 1500);
  EXPECT_EQ(data.cols(), 47236);
  for (std::size_t i = 0; i < 1500; ++i) {
    double square = 0;
    for (auto k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
      square += double{rows.values[k]} * rows.values[k];
    }
    EXPECT_NEAR(square, 1, 1e-6);
  }
}

}  // namespace
}  // namespace ardent
