#include "ardent/data/npy.h"

#include <gmock/gmock.h>

#include <cstring>

#include "ardent/base/random.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string npy(const std::string& header, std::string_view payload, int version = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  const std::size_t bytes = version == 1 ? 2 : 4;
  for (std::size_t i = 0; i < bytes; ++i) file += static_cast<char>(header.size() >> 8 * i & 0xff);
  return file + header + std::string(payload);
}

std::string dictionary(const std::string& descr, const std::string& shape,
                       const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

template <class T>
std::string raw(std::initializer_list<T> numbers, bool big_endian = false) {
  std::string bytes;
  for (const T number : numbers) {
    char piece[sizeof(T)];
    std::memcpy(piece, &number, sizeof(T));
    if (big_endian) std::reverse(piece, piece + sizeof(T));
    bytes.append(piece, sizeof(T));
  }
  return bytes;
}

DenseRows read_npy_file(std::string_view file) {
  const Bytes bytes = bytes_of(file, "f");
  return dense_rows(parse_npy(bytes), bytes.name);
}
std::string npy_complaint(std::string_view file) {
  return message_of([&] { read_npy_file(file); });
}

template <class T>
void expect_type(const std::string& code) {
  const auto little = read_npy_file(npy(dictionary("<" + code, "(2, 2)"), raw<T>({1, 2, 3, 100})));
  EXPECT_THAT(little.values.span(), ElementsAre(1, 2, 3, 100)) << code;
  const auto big =
      read_npy_file(npy(dictionary(">" + code, "(2, 2)"), raw<T>({1, 2, 3, 100}, true)));
  EXPECT_THAT(big.values.span(), ElementsAre(1, 2, 3, 100)) << code;
}

TEST(Npy, ReadsEveryTypeInBothByteOrders) {
  expect_type<float>("f4");
  expect_type<double>("f8");
  expect_type<std::int8_t>("i1");
  expect_type<std::int16_t>("i2");
  expect_type<std::int32_t>("i4");
  expect_type<std::int64_t>("i8");
  expect_type<std::uint8_t>("u1");
  expect_type<std::uint16_t>("u2");
  expect_type<std::uint32_t>("u4");
  expect_type<std::uint64_t>("u8");
  EXPECT_THAT(
      read_npy_file(npy(dictionary("|b1", "(2,)"), raw<std::uint8_t>({1, 0}))).values.span(),
      ElementsAre(1, 0));
  EXPECT_THAT(
      read_npy_file(npy(dictionary("<i2", "(2,)"), raw<std::int16_t>({-1, -300}))).values.span(),
      ElementsAre(-1, -300));
}

TEST(Npy, ReadsEveryVersionOfTheHeader) {
  for (const int version : {1, 2, 3}) {
    const auto rows =
        read_npy_file(npy(dictionary("<f8", "(1, 2)"), raw<double>({0.1, -2.5}), version));
    EXPECT_EQ(rows.rows, 1);
    EXPECT_THAT(rows.values.span(), ElementsAre(0.1, -2.5));
  }
  // Keys in another order, double quotes, no comma at the end, Python 2's long integers.
  EXPECT_EQ(read_npy_file(npy("{\"shape\":(2L,1L),\"fortran_order\":False,\"descr\":\"<f8\"}",
                              raw<double>({1, 2})))
                .rows,
            2);
}

TEST(Npy, OneDimensionIsOneColumn) {
  const auto rows = read_npy_file(npy(dictionary("<f8", "(3,)"), raw<double>({1, 2, 3})));
  EXPECT_EQ(rows.rows, 3);
  EXPECT_EQ(rows.cols, 1);
}

TEST(Npy, ColumnMajorArraysComeOutByRows) {
  const auto rows =
      read_npy_file(npy(dictionary("<f8", "(2, 3)", "True"), raw<double>({1, 4, 2, 5, 3, 6})));
  EXPECT_THAT(rows.values.span(), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Npy, ImagesAreFlattenedAlikeInBothOrders) {
  // a[i][j][k] = 100 i + 10 j + k, of shape (2, 2, 3).
  std::string by_row;
  std::string by_column;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k) by_row += raw<double>({100. * i + 10 * j + k});
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i) by_column += raw<double>({100. * i + 10 * j + k});
  const auto c = read_npy_file(npy(dictionary("<f8", "(2, 2, 3)"), by_row));
  const auto fortran = read_npy_file(npy(dictionary("<f8", "(2, 2, 3)", "True"), by_column));
  EXPECT_EQ(c.cols, 6);
  EXPECT_THAT(c.row(1), ElementsAre(100, 101, 102, 110, 111, 112));
  EXPECT_TRUE(std::ranges::equal(c.values, fortran.values));
}

TEST(NpyFault, NotAnNpyFile) {
  EXPECT_THAT(npy_complaint("1 1:2\n"), HasSubstr("f: not an NPY file"));
}
TEST(NpyFault, UnknownVersion) {
  EXPECT_THAT(npy_complaint(npy(dictionary("<f8", "(1,)"), raw<double>({1}), 4)),
              HasSubstr("version 4"));
}
TEST(NpyFault, HeaderCutOff) {
  const std::string file = npy(dictionary("<f8", "(1,)"), raw<double>({1}));
  EXPECT_THAT(npy_complaint(file.substr(0, 8)), HasSubstr("cut off"));
  EXPECT_THAT(npy_complaint(file.substr(0, 40)), HasSubstr("cut off"));
}
TEST(NpyFault, PayloadTruncated) {
  EXPECT_THAT(npy_complaint(npy(dictionary("<f8", "(2, 3)"), raw<double>({1, 2, 3, 4, 5}))),
              HasSubstr("shape (2, 3) of 8-byte numbers does not fit the 40 bytes"));
}
TEST(NpyFault, PayloadTooLong) {
  EXPECT_THAT(npy_complaint(npy(dictionary("<f8", "(1,)"), raw<double>({1, 2}))),
              HasSubstr("does not fit"));
}
TEST(NpyFault, HugeShapeTakesNoMemory) {
  for (const char* shape : {"(1000000000000, 1000)", "(4294967296, 4294967296)",
                            "(2305843009213693952, 8)", "(65536, 65536, 65536, 65536)"}) {
    EXPECT_THAT(npy_complaint(npy(dictionary("<f8", shape), raw<double>({1}))), HasSubstr("f: "))
        << shape;
  }
  EXPECT_THAT(npy_complaint(npy(dictionary("<f8", "(99999999999999999999999, 1)"), "")),
              HasSubstr("impossibly large"));
}
TEST(NpyFault, EmptyArray) {
  EXPECT_THAT(npy_complaint(npy(dictionary("<f8", "(0, 5)"), "")),
              HasSubstr("shape (0, 5) holds nothing"));
  EXPECT_THAT(npy_complaint(npy(dictionary("<f8", "()"), raw<double>({1}))),
              HasSubstr("one number"));
}
TEST(NpyFault, NanNamesItsRowAndColumn) {
  EXPECT_THAT(npy_complaint(npy(dictionary("<f8", "(2, 2)"), raw<double>({1, 2, 3, std::nan("")}))),
              HasSubstr("f: row 2, column 2 is nan"));
  // In column-major order too, and the first in row order wins.
  EXPECT_THAT(npy_complaint(npy(dictionary("<f4", "(2, 2)", "True"),
                                raw<float>({1, INFINITY, -INFINITY, 2}))),
              HasSubstr("f: row 1, column 2 is -inf"));
}
TEST(NpyFault, TypesThatAreNoNumbers) {
  for (const char* type : {"<c16", "|O", "<U5", "|S3", "<M8[ns]", "<f2", "<f16", "", "f8", "|V8"}) {
    EXPECT_THAT(npy_complaint(npy(dictionary(type, "(1,)"), raw<double>({1, 2}))),
                HasSubstr("not read"))
        << type;
  }
  EXPECT_THAT(
      npy_complaint(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
                        raw<double>({1}))),
      HasSubstr("table of records"));
}
TEST(NpyFault, HeaderThatIsNotTheLiteralExpected) {
  for (const char* header :
       {"", "{", "{}", "{'descr': '<f8'}", "__import__('os')", "{'descr': '<f8', 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': [1]}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1 2)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)",
        "{'descr': '<f8', 'fortran_order': Falsy, 'shape': (1,)}", "{'descr': '<f8",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': 1}"}) {
    EXPECT_THAT(npy_complaint(npy(header, raw<double>({1}))), HasSubstr("not understood"))
        << header;
  }
}

TEST(NpyFault, HostileBytesAreAnErrorOrRowsButNeverACrash) {
  const std::string good = npy(dictionary("<f8", "(2, 2)"), raw<double>({1, 2, 3, 4}));
  Random random(5);
  int errors = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    std::string file = good;
    for (Index k = random.below(4); k >= 0; --k) {
      file[random.below(std::ssize(file))] = static_cast<char>(random.below(256));
    }
    try {
      read_npy_file(file);
    } catch (const InputError&) {
      ++errors;
    }
  }
  EXPECT_GT(errors, 1000);
}

}  // namespace
}  // namespace ardent
