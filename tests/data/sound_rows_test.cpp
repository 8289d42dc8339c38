#include "ardent/data/sound_rows.h"

#include <gmock/gmock.h>

#include <cmath>

namespace ardent {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Rows {0: 1, 2: 2}, {}, {1: 3} of three columns, with what a test changes.
struct ThreeRows {
  Index rows = 3;
  std::vector<std::uint64_t> offsets{0, 2, 2, 3};
  std::vector<std::uint32_t> columns{0, 2, 1};
  std::vector<float> values{1, 2, 3};

  std::string fault(bool finite = true) const {
    return sparse_fault(
        {rows, 3, Buffer<std::uint64_t>::copy_of(offsets), Buffer<std::uint32_t>::copy_of(columns),
         Buffer<float>::copy_of(values), nullptr},
        finite);
  }
};

TEST(SoundRows, NothingIsSaidOfSoundOnes) {
  EXPECT_EQ(ThreeRows{}.fault(), "");
  EXPECT_EQ((ThreeRows{.rows = 0, .offsets = {0}, .columns = {}, .values = {}}.fault()), "");
}

TEST(SoundRows, SizesThatContradictEachOther) {
  const auto expect_misfit = [](const ThreeRows& rows) {
    EXPECT_THAT(rows.fault(), StartsWith("do not fit together: "));
  };
  expect_misfit({.rows = 2});
  expect_misfit({.rows = -1, .offsets = {}});
  expect_misfit({.offsets = {1, 2, 2, 3}});
  expect_misfit({.offsets = {0, 2, 2, 4}});
  expect_misfit({.offsets = {0, 2, 1, 3}});
  expect_misfit({.values = {1, 2}});
}

TEST(SoundRows, TheFirstRowThatCannotBeIsNamed) {
  EXPECT_THAT((ThreeRows{.columns = {0, 2, 3}}.fault()), HasSubstr("in row 3 "));
  EXPECT_THAT((ThreeRows{.columns = {2, 2, 3}}.fault()), HasSubstr("in row 1 "));
  EXPECT_THAT((ThreeRows{.columns = {2, 0, 1}}.fault()), HasSubstr("in row 1 "));
  EXPECT_THAT((ThreeRows{.columns = {0, 3, 1}}.fault()), HasSubstr("be below 3"));
}

TEST(SoundRows, ValuesAreFiniteWhereTheyMustBe) {
  for (const float value : {NAN, INFINITY, -INFINITY}) {
    const ThreeRows rows{.values = {1, 2, value}};
    EXPECT_THAT(rows.fault(), HasSubstr("in row 3 "));
    EXPECT_EQ(rows.fault(false), "");
  }
}

}  // namespace
}  // namespace ardent
