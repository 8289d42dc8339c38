#include "ardent/data/data_format.h"

#include <gmock/gmock.h>

#include "ardent/base/container.h"
#include "ardent/data/labels_file.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

using namespace std::string_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string_view format_of(const std::string& text, const std::string& path = "-") {
  return format_name(detect_format(bytes_of(text, "f"), path));
}
std::string refusal(const std::string& contents) {
  return message_of([&] { detect_format(bytes_of(contents, "f"), "x.csv"); });
}

TEST(DataFormat, TextIsRecognisedByItsFirstRow) {
  EXPECT_EQ(format_of("a,b,y\n1,2,3\n"), "csv");
  EXPECT_EQ(format_of("\xef\xbb\xbf\n\"a b\";y\n1;2\n"), "csv");
  EXPECT_EQ(format_of("a\tb\n1\t2\n"), "csv");
  EXPECT_EQ(format_of("5.1,3.5,setosa\n"), "csv");
  EXPECT_EQ(format_of("time 12:30,y\n1,2\n", "a.csv"), "csv");
  EXPECT_EQ(format_of("1 1:2 3:4\n"), "libsvm");
  EXPECT_EQ(format_of("+1\t1:2\n"), "libsvm");
  EXPECT_EQ(format_of("1,3 7:2\n"), "libsvm");  // two labels of a row
  EXPECT_EQ(format_of("# a, b\n\n1 1:2\n"), "libsvm");
  EXPECT_EQ(format_of("1 qid:3 1:2\n"), "libsvm");  // for its own message
}

TEST(DataFormat, ContentsCountMoreThanTheNameOfText) {
  EXPECT_EQ(format_of("a,b,y\n1,2,3\n", "data.libsvm"), "csv");
  EXPECT_EQ(format_of("1 1:2\n", "data.csv"), "libsvm");
  EXPECT_EQ(format_of("a\n1\n", "data.csv"), "csv");  // one column
  EXPECT_EQ(format_of("1\n-1\n", "data"), "libsvm");  // rows without features
}

TEST(DataFormat, WhatIsNotReadIsNamed) {
  const auto named = [](const char* what) {
    return AllOf(HasSubstr("f: this is "), HasSubstr(what), HasSubstr("ardent does not read"));
  };
  EXPECT_THAT(refusal("PAR1\x15\x04\x15"), named("Parquet"));
  EXPECT_THAT(refusal("ARROW1\0\0\xff\xff"s), named("Arrow"));
  EXPECT_THAT(refusal("\xff\xff\xff\xff\x10\1\0\0"s), named("an Arrow stream"));
  EXPECT_THAT(refusal("\x28\xb5\x2f\xfd\x04"), named("zstd"));
  EXPECT_THAT(refusal("\x89HDF\r\n\x1a\n"), named("HDF5"));
  EXPECT_THAT(refusal("PK\x03\x04"s + std::string(26, '\0') + "arr_0.npy"), named("NPZ"));
  EXPECT_THAT(refusal("PK\x03\x04"s + std::string(26, '\0') + "[Content_Types].xml"),
              named("Excel"));
  EXPECT_THAT(refusal("PK\x03\x04"s + std::string(26, '\0') + "data.csv"), named("zip"));
  EXPECT_THAT(refusal("\x80\x04\x95"), named("pickle"));
  EXPECT_THAT(refusal("ARDENTM\n\1\0"s), named("an ardent model"));
  EXPECT_THAT(refusal(ContainerWriter().bytes({.kind = "model", .version = 2})),
              named("an ardent model"));
  EXPECT_THAT(refusal("\xff\xfe"
                      "a\0,\0"s),
              named("UTF-16"));
  // Text may begin like that.
  EXPECT_EQ(format_of("PAR1,PAR2,y\n1,2,3\n"), "csv");
  EXPECT_EQ(format_of("PKZ,y\n1,2\n"), "csv");
}

TEST(DataFormat, LabelsAndWeightsAreCheckedToo) {
  EXPECT_THAT(message_of([] { parse_labels(bytes_of("\x28\xb5\x2f\xfd\x04", "w.zst")); }),
              HasSubstr("w.zst: this is zstd data"));
}

}  // namespace
}  // namespace ardent
