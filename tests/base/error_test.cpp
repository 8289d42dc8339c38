#include "ardent/base/error.h"

#include <gtest/gtest.h>

namespace ardent {
namespace {

TEST(ParseError, NamesFileLineAndColumn) {
  const ParseError error("train.svm", 12, 7, "a label is missing");
  EXPECT_STREQ(error.what(), "train.svm:12:7: a label is missing");
  EXPECT_NE(dynamic_cast<const InputError*>(static_cast<const Error*>(&error)), nullptr);
}

TEST(Quoted, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(in_quotes("1:0.5"), "'1:0.5'");
  EXPECT_EQ(in_quotes(""), "''");
  EXPECT_EQ(in_quotes("naïve – 日本"), "'naïve – 日本'");
}

TEST(Quoted, ControlCharactersCannotReachATerminal) {
  EXPECT_EQ(in_quotes("a\tb\x1b[2J\x7f"), "'a\\x09b\\x1b[2J\\x7f'");
  EXPECT_EQ(in_quotes(std::string_view("\0", 1)), "'\\x00'");
  EXPECT_EQ(in_quotes("\xc2\x9b"
                      "2J"),
            "'\\xc2\\x9b2J'");  // the one-character form of escape [
}

TEST(Quoted, BytesThatAreNoUtf8AreEscaped) {
  EXPECT_EQ(in_quotes("\xff\xfe"), "'\\xff\\xfe'");
  EXPECT_EQ(in_quotes("\xc3"), "'\\xc3'");                             // cut short
  EXPECT_EQ(in_quotes("\xe2\x28\xa1"), "'\\xe2(\\xa1'");               // broken in the middle
  EXPECT_EQ(in_quotes("\xc0\x80"), "'\\xc0\\x80'");                    // overlong
  EXPECT_EQ(in_quotes("\xe0\x81\x81"), "'\\xe0\\x81\\x81'");           // overlong
  EXPECT_EQ(in_quotes("\xed\xa0\x80"), "'\\xed\\xa0\\x80'");           // a surrogate
  EXPECT_EQ(in_quotes("\xf4\x90\x80\x80"), "'\\xf4\\x90\\x80\\x80'");  // beyond Unicode
  EXPECT_EQ(in_quotes("\xf0\x9f\x98\x80"), "'😀'");
}

TEST(Quoted, LongTextIsCutAfter40CharactersNeverWithinOne) {
  EXPECT_EQ(in_quotes(std::string_view(std::string(40, 'x'))), "'" + std::string(40, 'x') + "'");
  EXPECT_EQ(in_quotes(std::string_view(std::string(41, 'x'))), "'" + std::string(40, 'x') + "…'");
  std::string accents, kept;
  for (int i = 0; i < 50; ++i) accents += "é";
  for (int i = 0; i < 40; ++i) kept += "é";
  EXPECT_EQ(in_quotes(std::string_view(accents)), "'" + kept + "…'");
}

}  // namespace
}  // namespace ardent
