// Tables with words and gaps.
#include "ardent/data/csv_table.h"

#include <gmock/gmock.h>

#include <cmath>

#include "ardent/data/csv.h"
#include "ardent/data/gaps.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::NanSensitiveDoubleEq;

Dataset parse_table(std::string_view text, const CsvOptions& options) {
  return parse_csv(bytes_of(text, "f"), options);
}
std::string table_fault(std::string_view text, const CsvOptions& options) {
  return message_of([&] { parse_table(text, options); });
}
std::vector<double> values(const Features& features) {
  const auto span = std::get<DenseRows>(features).values.span();
  return {span.begin(), span.end()};
}
/// 999 for what is missing.
std::vector<double> shown(const Dataset& data) {
  std::vector<double> cells = values(data.features);
  for (double& cell : cells) cell = std::isnan(cell) ? 999 : cell;
  return cells;
}

TEST(CsvTable, CellsThatStandForAMissingValue) {
  for (const char* gap : {"", "NA", "na", "N/A", "NaN", "null", "?"}) EXPECT_TRUE(is_gap(gap));
  for (const char* other : {"0", "-", "none", "north", "nano", "NAN1"}) EXPECT_FALSE(is_gap(other));
}

TEST(CsvTable, GapsAreKeptForTrainingToFill) {
  const Dataset data = parse_table("a,b,y\n1,,1\nNA,4,2\n3,6,1\n", {.missing = "mean"});
  EXPECT_TRUE(data.has_gaps);
  EXPECT_THAT(shown(data), ElementsAre(1, 999, 999, 4, 3, 6));
  EXPECT_THAT(data.feature_names, ElementsAre("a", "b"));
  EXPECT_EQ(data.layout.missing, "mean");
  const Vector means = column_means_over_gaps(data.features);
  EXPECT_THAT(means, ElementsAre(2, 5));
  EXPECT_THAT(values(filled(data.features, means)), ElementsAre(1, 5, 2, 4, 3, 6));
  const std::vector<double> weights = {3, 1, 1};
  EXPECT_THAT(column_means_over_gaps(data.features, weights), ElementsAre(1.5, 5));
}

TEST(CsvTable, IndicatorsShowGapsOfTheColumnsThatHaveSome) {
  const std::string text = "a,b,y\n1,,1\n2,4,2\n";
  const Dataset data = parse_table(text, {.missing = "indicator"});
  EXPECT_THAT(data.feature_names, ElementsAre("a", "b", "b missing"));
  EXPECT_THAT(shown(data), ElementsAre(1, 999, 1, 2, 4, 0));
  // For a model, which may have seen gaps elsewhere, of all columns.
  const Dataset rows = parse_table(text, {.missing = "indicator", .model_features = 3});
  EXPECT_THAT(rows.feature_names, ElementsAre("a", "a missing", "b", "b missing"));
}

TEST(CsvTable, WordsBecomeColumnsInAlphabeticalOrder) {
  const std::string text = "city,size,y\nRome,1,1\n\"New York\",2,2\nRome,3,1\n";
  const Dataset data = parse_table(text, {.find_words = true});
  EXPECT_THAT(data.feature_names, ElementsAre("city=New York", "city=Rome", "size"));
  EXPECT_THAT(values(data.features), ElementsAre(0, 1, 1, 1, 0, 2, 0, 1, 3));
  EXPECT_FALSE(data.has_gaps);
  // Numbers that are codes, on request.
  const Dataset codes = parse_table("zone,y\n7,1\n3,2\n", {.categories = {{"zone", {}}}});
  EXPECT_THAT(codes.feature_names, ElementsAre("zone=3", "zone=7"));
  EXPECT_THAT(values(codes.features), ElementsAre(0, 1, 1, 0));
}

TEST(CsvTable, AGapAmongWordsIsOneInAllTheirColumns) {
  const Dataset data = parse_table("c,y\nx,1\n,2\nz,1\n", {.missing = "mean", .find_words = true});
  EXPECT_THAT(shown(data), ElementsAre(1, 0, 999, 999, 0, 1));
  // The mean of a column of 0 and 1 is the word's share.
  EXPECT_THAT(column_means_over_gaps(data.features), ElementsAre(0.5, 0.5));
}

TEST(CsvTable, AModelsWordsAreTheColumnsWhateverOccurs) {
  const CsvOptions options{
      .labels_optional = true, .categories = {{"city", {"Oslo", "Rome"}}}, .model_features = 3};
  const Dataset data = parse_table("city,size\nRome,1\nParis,2\nLyon,3\n", options);
  EXPECT_THAT(data.feature_names, ElementsAre("city=Oslo", "city=Rome", "size"));
  EXPECT_THAT(values(data.features), ElementsAre(0, 1, 1, 0, 0, 2, 0, 0, 3));
  EXPECT_THAT(data.warnings, ElementsAre("f: column 'city': 2 of 3 rows have words that training "
                                         "has not seen ('Paris', …); they count as none of its "
                                         "words"));
}

TEST(CsvTable, Faults) {
  EXPECT_THAT(table_fault("c,y\nx,1\n,2\n", {.find_words = true}),
              HasSubstr("f:3:1: column 'c' is empty"));
  EXPECT_THAT(table_fault("a,y\n1,\n", {.missing = "mean"}),
              HasSubstr("the label (column 'y') is empty"));
  EXPECT_THAT(table_fault("a,y\n1,2\n", {.categories = {{"b", {}}}}),
              HasSubstr("no column is named 'b' (--categorical)"));
  EXPECT_THAT(table_fault("x,1\ny,2\n", {.no_header = true, .find_words = true}),
              HasSubstr("need names"));
  std::string identifiers = "id,y\n";
  for (int i = 0; i < 1001; ++i) identifiers += "n" + std::to_string(i) + ",1\n";
  EXPECT_THAT(table_fault(identifiers, {.find_words = true}),
              HasSubstr("column 'id' has more than 1000 different words"));
}

}  // namespace
}  // namespace ardent
