#include "ardent/data/csv.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "ardent/base/random.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Dataset parse(std::string_view text, const CsvOptions& options = {}) {
  return parse_csv(bytes_of(text, "f"), options);
}
std::string fault(std::string_view text, const CsvOptions& options = {}) {
  return message_of([&] { parse(text, options); });
}
std::span<const double> values(const Dataset& data) {
  return std::get<DenseRows>(data.features).values.span();
}

TEST(Csv, ReadsNamesNumbersAndLabels) {
  const Dataset data = parse("a,b,label\n1,2.5,x\n-3e2,+4,y\n");
  EXPECT_THAT(data.feature_names, ElementsAre("a", "b"));
  EXPECT_THAT(values(data), ElementsAre(1, 2.5, -300, 4));
  EXPECT_THAT(data.labels.names, ElementsAre("x", "y"));
  EXPECT_EQ(data.rows(), 2);
  EXPECT_EQ(data.cols(), 2);
  EXPECT_EQ(data.source, "f");
}

TEST(Csv, FindsTheSeparatorInTheHeader) {
  EXPECT_THAT(values(parse("a;b;y\n1;2;3\n")), ElementsAre(1, 2));
  EXPECT_THAT(values(parse("a\tb\ty\n1\t2\t3\n")), ElementsAre(1, 2));
  EXPECT_THAT(values(parse("\"a,b,c,d\";b;y\n1;2;3\n")), ElementsAre(1, 2));
  EXPECT_THAT(parse("\"a,b,c,d\";b;y\n1;2;3\n").feature_names, ElementsAre("a,b,c,d", "b"));
}

TEST(Csv, UnderstandsQuotes) {
  const Dataset data = parse(
      "\"the \"\"a\"\"\", \"line\nbreak\" ,label\r\n"
      "\"1\",2,\"say \"\"yes\"\", twice\"\r\n"
      " 3 ,\"4\" ,\"two\nlines\"",
      {});
  EXPECT_THAT(data.feature_names, ElementsAre("the \"a\"", "line\nbreak"));
  EXPECT_THAT(values(data), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(data.labels.names, ElementsAre("say \"yes\", twice", "two\nlines"));
}

TEST(Csv, SkipsByteOrderMarkAndEmptyLinesAndNeedsNoLastNewline) {
  const Dataset data = parse(
      "\xef\xbb\xbf\n"
      "a,y\n\n1,2\r\n\r\n3,4");
  EXPECT_THAT(data.feature_names, ElementsAre("a"));
  EXPECT_THAT(values(data), ElementsAre(1, 3));
  EXPECT_THAT(data.labels.numbers, ElementsAre(2, 4));
}

TEST(Csv, ChoosesTheLabelColumn) {
  EXPECT_THAT(parse("a,b,c\n1,2,3\n").labels.numbers, ElementsAre(3));             // the last
  EXPECT_THAT(parse("a,Target,c\n1,2,3\n").labels.numbers, ElementsAre(2));        // a usual name
  EXPECT_THAT(parse("Y,Class,c\n1,2,3\n").labels.numbers, ElementsAre(2));         // class before y
  EXPECT_THAT(parse("a,label,c\n1,2,3\n", {"a"}).labels.numbers, ElementsAre(1));  // the one named
  EXPECT_THAT(parse("a,label,c\n1,2,3\n", {"a"}).feature_names, ElementsAre("label", "c"));
}

TEST(Csv, WithoutLabelsAllColumnsAreFeaturesWhereThatIsAllowed) {
  const CsvOptions optional{"", true};
  EXPECT_TRUE(parse("a,b\n1,2\n", optional).labels.empty());
  EXPECT_THAT(values(parse("a,b\n1,2\n", optional)), ElementsAre(1, 2));
  EXPECT_THAT(parse("a,y\n1,2\n", optional).labels.numbers, ElementsAre(2));
  EXPECT_TRUE(parse("a,b\n1,2\n", {"kind", true}).labels.empty());
  EXPECT_THAT(values(parse("a\n1\n", optional)), ElementsAre(1));
}

TEST(Csv, NumbersAreNamesWhereTheyCountUpOrTheLabelIsNamed) {
  // What pandas writes for a table of an array, with a label and without.
  EXPECT_THAT(parse("0,1,2,target\n5,6,7,1\n").feature_names, ElementsAre("0", "1", "2"));
  EXPECT_THAT(values(parse("0,1,2\n5,6,7\n", {"", true})), ElementsAre(5, 6, 7));
  // Wavelengths.
  EXPECT_THAT(parse("850,852.5,fat\n5,6,7\n", {"fat"}).feature_names, ElementsAre("850", "852.5"));
}

TEST(Csv, ReadsFilesWithoutAHeader) {
  const Dataset data = parse("5.1,3.5,setosa\n4.9,3.0,virginica\n", {.no_header = true});
  EXPECT_EQ(data.rows(), 2);
  EXPECT_THAT(values(data), ElementsAre(5.1, 3.5, 4.9, 3.0));
  EXPECT_TRUE(data.feature_names.empty());
  EXPECT_THAT(data.labels.names, ElementsAre("setosa", "virginica"));
  EXPECT_EQ(data.label_name, "3");
  CsvOptions options{.label = "1", .no_header = true, .ignore = {"2"}};
  EXPECT_THAT(parse("7,x,5\n8,y,6\n", options).labels.numbers, ElementsAre(7, 8));
  EXPECT_THAT(values(parse("7,x,5\n8,y,6\n", options)), ElementsAre(5, 6));
}

TEST(Csv, WithoutAHeaderTheModelTellsWhetherThereAreLabels) {
  const CsvOptions options{
      .label = "3", .labels_optional = true, .no_header = true, .model_features = 2};
  EXPECT_THAT(values(parse("1,2,x\n3,4,y\n", options)), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(parse("1,2,x\n3,4,y\n", options).labels.size(), 2);
  EXPECT_THAT(values(parse("1,2\n3,4\n", options)), ElementsAre(1, 2, 3, 4));
  EXPECT_TRUE(parse("1,2\n3,4\n", options).labels.empty());
}

TEST(Csv, AnIndexWithoutANameIsWarnedAboutAndCanBeIgnored) {
  const Dataset data = parse(",a,y\n0,5,1\n1,6,2\n");
  EXPECT_THAT(data.feature_names, ElementsAre("Unnamed: 0", "a"));
  ASSERT_EQ(data.warnings.size(), 1u);
  EXPECT_THAT(data.warnings[0], HasSubstr("f: the first column has no name"));
  EXPECT_THAT(data.warnings[0], HasSubstr("--ignore \"Unnamed: 0\""));
  const Dataset without = parse(",a,y\n0,5,1\n1,6,2\n", {.ignore = {"Unnamed: 0"}});
  EXPECT_THAT(values(without), ElementsAre(5, 6));
  EXPECT_TRUE(without.warnings.empty());
  EXPECT_THAT(values(parse("id,a,y\nword,5,1\n", {.ignore = {"id"}})), ElementsAre(5));
}

TEST(Csv, AgreesWithStrtodOnRandomTables) {
  Random random(3);
  std::string text = "y";
  for (int c = 0; c < 7; ++c) text += ",c" + std::to_string(c);
  text += '\n';
  std::vector<double> expected;
  for (int i = 0; i < 500; ++i) {
    text += "1";
    for (int c = 0; c < 7; ++c) {
      char number[40];
      std::snprintf(number, sizeof number, c % 2 ? "%.17g" : "%.4f", 100 * random.normal());
      expected.push_back(std::strtod(number, nullptr));
      text += c == 3 ? std::string(",\"") + number + "\"" : std::string(",") + number;
    }
    text += '\n';
  }
  EXPECT_TRUE(std::ranges::equal(values(parse(text)), expected));
}

TEST(CsvFault, EmptyFile) {
  EXPECT_EQ(fault("\n\n"), "f: the file is empty");
}
TEST(CsvFault, HeaderOnly) {
  EXPECT_EQ(fault("a,b\n"), "f: no rows after the header");
}
TEST(CsvFault, NoHeader) {
  EXPECT_THAT(fault("1,2,3\n4,5,6\n"), HasSubstr("f:1:1: the first line holds numbers only"));
}
TEST(CsvFault, NoHeaderButForTheLabel) {
  EXPECT_EQ(fault("5.1,3.5,setosa\n4.9,3.0,setosa\n"),
            "f:1:1: the first line holds numbers but for the label, so it looks like a row and not "
            "like names: give --no-header if it is a row, else --label with the name of the label "
            "column");
  EXPECT_THAT(fault("5.1,3.5,y\n4.9,3.0,n\n"), HasSubstr("looks like a row"));
  EXPECT_THAT(fault("5.1,3.5\n4.9,3.0\n", {"", true}), HasSubstr("numbers only"));
}
TEST(CsvFault, AColumnToIgnoreThatIsNotThere) {
  EXPECT_EQ(fault("a,b,y\n1,2,3\n", {.ignore = {"c"}}),
            "f: no column is named 'c'; the columns are 'a', 'b', 'y'");
  EXPECT_THAT(fault("a,y\n1,2\n", {.ignore = {"a"}}), HasSubstr("there are no features"));
}
TEST(CsvFault, DuplicateNames) {
  EXPECT_EQ(fault("a,b,a\n1,2,3\n"), "f:1:5: two columns are named 'a'; names must differ");
}
TEST(CsvFault, MissingLabelColumn) {
  EXPECT_EQ(fault("a,b\n1,2\n", {"kind"}),
            "f: no column is named 'kind'; the columns are 'a', 'b'");
}
TEST(CsvFault, LabelsButNoFeatures) {
  EXPECT_THAT(fault("y\n1\n"), HasSubstr("there are no features"));
}
TEST(CsvFault, TooFewFields) {
  EXPECT_EQ(fault("a,b,y\n1,2,3\n4,5\n"),
            "f:3:3: this row ends after 2 of 3 fields: 'y' is missing");
}
TEST(CsvFault, TooManyFields) {
  EXPECT_EQ(fault("a,y\n1,2\n3,4,5\n"),
            "f:3:5: this row has more than the 2 fields that the header names");
}
TEST(CsvFault, FieldThatIsNoNumber) {
  EXPECT_EQ(fault("a,b,y\n1,2,3\n4,five,6\n"),
            "f:3:3: column 'b': 'five' is not a number; --categorical b takes words, --ignore b "
            "leaves the column out");
  EXPECT_THAT(fault("a,y\n1 2,3\n"), HasSubstr("f:2:1: column 'a': '1 2' is not a number;"));
}
TEST(CsvFault, EmptyField) {
  EXPECT_EQ(fault("a,b,y\n1,,3\n"),
            "f:2:3: column 'b' is empty; fill in missing values first, or --missing mean");
}
TEST(CsvFault, NanField) {
  EXPECT_EQ(fault("a,y\nNaN,1\n"),
            "f:2:1: column 'a': 'NaN' is not finite; fill in missing values first, or --missing "
            "mean");
}
TEST(CsvFault, InfiniteField) {
  EXPECT_EQ(fault("a,y\n1,1\n-inf,1\n"), "f:3:1: column 'a': '-inf' is not finite");
}
TEST(CsvFault, FieldBeyondDouble) {
  EXPECT_EQ(fault("a,y\n1e999,1\n"), "f:2:1: column 'a': '1e999' is too large");
}
TEST(CsvFault, EmptyLabel) {
  EXPECT_EQ(fault("a,kind\n1,\n", {"kind"}), "f:2:3: the label (column 'kind') is empty");
}
TEST(CsvFault, LabelThatIsNotFinite) {
  EXPECT_EQ(fault("a,y\n1,nan\n"), "f:2:3: the label 'nan' (column 'y') is not finite");
}
TEST(CsvFault, QuoteThatIsNeverClosed) {
  EXPECT_EQ(fault("a,y\n1,\"open\n2,3\n"), "f:2:3: this quote is never closed");
}
TEST(CsvFault, TextAfterAClosingQuote) {
  EXPECT_EQ(fault("a,y\n\"1\"x,2\n"),
            "f:2:4: expected ',' or the end of the line after the closing quote, found 'x'");
}
TEST(CsvFault, LinesInsideQuotesCount) {
  EXPECT_THAT(fault("a,\"two\nlines\",y\n1,2,3\n4,x,6\n"),
              HasSubstr("f:4:3: column 'two\\x0alines': 'x' is not a number"));
}

TEST(CsvFault, HostileBytesAreAnErrorOrRowsButNeverACrash) {
  const std::string good = "a,\"b\",y\n1,2,3\n\"4\",5.5,\"x\"\"y\"\n7,8,9\n";
  Random random(4);
  int errors = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    std::string text = good;
    for (Index k = random.below(3); k >= 0; --k) {
      static constexpr std::string_view kNasty("\0\n\r\t \",;-+.e01\xff", 16);
      text[random.below(std::ssize(text))] = kNasty[random.below(16)];
    }
    text.resize(text.size() - static_cast<std::size_t>(random.below(20)));
    try {
      parse(text);
    } catch (const InputError&) {
      ++errors;
    }
  }
  EXPECT_GT(errors, 1000);
}

}  // namespace
}  // namespace ardent
