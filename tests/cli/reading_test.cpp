// What new users bring: LIBSVM rows one by one, CSV of every kind, pipes, gaps and words.
#include <gmock/gmock.h>

#include <sstream>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ReadingTest : public CommandTest {
 protected:
  std::string refusal(const std::string& arguments) const {
    const Outcome outcome = ardent(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << '\n' << outcome.out;
    return outcome.err;
  }
  std::string output(const std::string& line) const {
    const Outcome outcome = shell(line);
    EXPECT_EQ(outcome.status, 0) << line << '\n' << outcome.err;
    return outcome.out;
  }
};

TEST_F(ReadingTest, LibsvmRowsOneByOneGetThePredictionsOfTheFile) {
  ASSERT_EQ(ardent("train " + data("digits.libsvm") + " --engine diagonal -o m.model").status, 0);
  ASSERT_EQ(shell("head -40 " + data("digits.libsvm") + " > rows && split -l 1 rows one.").status,
            0);
  const std::string together = output("ardent predict m.model rows");
  EXPECT_EQ(output("for row in one.*; do ardent predict m.model $row; done"), together);
  // A row of zeros, and what is beyond the model.
  write("zeros", "0\n");
  EXPECT_EQ(ardent("predict m.model zeros").status, 0);
  write("beyond", "0 1:1 65:2 70:3\n3 2:1 66:1\n");
  const Outcome beyond = ardent("predict m.model beyond");
  EXPECT_EQ(beyond.status, 0) << beyond.err;
  EXPECT_THAT(beyond.err, HasSubstr("warning: beyond: 3 values in 2 rows with an index beyond the "
                                    "model's 64 features are ignored\n"));
  write("within", "0 1:1\n3 2:1\n");
  EXPECT_EQ(beyond.out, ardent("predict m.model within").out);
  // A cache of such rows is the same.
  ASSERT_EQ(ardent("convert within -o within.cache").status, 0);
  EXPECT_EQ(ardent("predict m.model within.cache").out, beyond.out);
}

TEST_F(ReadingTest, ACsvFileWithoutAHeader) {
  ASSERT_EQ(shell("tail -n +2 " + data("iris.csv") + " > rows.csv").status, 0);
  EXPECT_THAT(refusal("train rows.csv"), HasSubstr("give --no-header"));
  const auto with = ardent("cv " + data("iris.csv") + " --json").json();
  const auto without = ardent("cv rows.csv --no-header --json").json();
  EXPECT_EQ(without["rows"], 150);
  EXPECT_EQ(without["accuracy"], with["accuracy"]);
  ASSERT_EQ(ardent("train rows.csv --no-header -o m.model").status, 0);
  const std::string labelled = output("ardent predict m.model rows.csv --no-header");
  EXPECT_EQ(output("cut -d, -f1-4 rows.csv > x.csv && ardent predict m.model x.csv --no-header"),
            labelled);
  EXPECT_THAT(refusal("predict m.model x.csv"), HasSubstr("give --no-header"));
  EXPECT_EQ(ardent("evaluate m.model rows.csv --no-header").status, 0);
  EXPECT_THAT(refusal("train " + data("digits.libsvm") + " --no-header"),
              HasSubstr("--no-header belongs to the format auto or csv; the format is libsvm"));
}

TEST_F(ReadingTest, PandasIndexIsWarnedAboutAndIgnored) {
  ASSERT_EQ(shell("awk 'NR==1{print \",\"$0;next}{print NR-2\",\"$0}' " + data("iris.csv") +
                  " > indexed.csv")
                .status,
            0);
  const Outcome warned = ardent("train indexed.csv");
  EXPECT_EQ(warned.status, 0);
  EXPECT_THAT(warned.err, HasSubstr("--ignore \"Unnamed: 0\""));
  const std::string kept = "--ignore 'Unnamed: 0' -o a.model";
  const Outcome ignored = ardent("train indexed.csv " + kept);
  EXPECT_EQ(ignored.err, "");
  ASSERT_EQ(ardent("train " + data("iris.csv") + " -o b.model").status, 0);
  // The model remembers it.
  const Outcome predicted = ardent("predict a.model indexed.csv");
  EXPECT_EQ(predicted.out, ardent("predict b.model " + data("iris.csv")).out);
  EXPECT_THAT(predicted.err, Not(HasSubstr("warning")));
  ASSERT_EQ(shell("sed 's/^/id-/;1s/^id-/name/' indexed.csv > words.csv").status, 0);
  EXPECT_EQ(ardent("train words.csv --ignore name").status, 0);
}

TEST_F(ReadingTest, FormatsAreToldByContent) {
  const std::string direct = output("ardent train " + data("iris.csv") + " -o a.model");
  EXPECT_THAT(output("cat " + data("iris.csv") + " | ardent train - -o b.model"),
              HasSubstr("150 rows"));
  ASSERT_EQ(shell("cp " + data("iris.csv") + " plain").status, 0);
  EXPECT_THAT(output("ardent train plain -o c.model"), HasSubstr("150 rows"));
  EXPECT_EQ(slurp(path("a.model")), slurp(path("b.model")));
  EXPECT_EQ(slurp(path("a.model")), slurp(path("c.model")));
  write("x.parquet", std::string("PAR1\x15\x04"));
  EXPECT_THAT(refusal("train x.parquet"), HasSubstr("x.parquet: this is Parquet"));
  write("x.npz", "PK\x03\x04" + std::string(26, ' ') + "a.npy");
  EXPECT_THAT(refusal("train x.npz"), HasSubstr("NPZ"));
}

TEST_F(ReadingTest, MissingValuesAndWords) {
  std::string text = "id,age,city,bought\n";
  for (int i = 0; i < 60; ++i) {
    const char* city = i % 3 == 0 ? "Rome" : i % 3 == 1 ? "\"New York\"" : "Oslo";
    text += "u" + std::to_string(i) + "," + (i % 7 == 0 ? "" : std::to_string(20 + i)) + "," +
            (i % 11 == 0 ? "" : city) + "," + (i % 3 == 0 || i % 5 == 0 ? "yes" : "no") + "\n";
  }
  write("people.csv", text);
  EXPECT_THAT(refusal("train people.csv"), HasSubstr("--ignore id leaves the column out"));
  const std::string read = "train people.csv --ignore id ";
  EXPECT_THAT(refusal(read), HasSubstr("column 'age' is empty; fill in missing values first, or "
                                       "--missing mean"));
  EXPECT_THAT(refusal(read + "--missing mean"), HasSubstr("--categorical city takes words"));
  EXPECT_THAT(refusal(read + "--missing often"), HasSubstr("error, mean, indicator"));
  const std::string all = read + "--missing indicator --categorical auto -o m.model --json";
  const Outcome train = ardent(all);
  ASSERT_EQ(train.status, 0) << train.err;
  // age, age missing, three cities, city missing.
  EXPECT_EQ(train.json()["features"], 6);
  EXPECT_THAT(train.json()["parts"][0]["kept"].dump(), HasSubstr("city=Rome"));
  // The model knows how to read: identifiers, gaps, words; rows in any company.
  const std::string predicted = output("ardent predict m.model people.csv --proba");
  ASSERT_EQ(shell("head -1 people.csv > two.csv && sed -n '2p;13p' people.csv >> two.csv").status,
            0);
  std::istringstream lines(predicted);
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  EXPECT_EQ(output("ardent predict m.model two.csv --proba"),
            rows[0] + "\n" + rows[1] + "\n" + rows[12] + "\n");
  write("strange.csv", "age,city\n30,Paris\n");
  EXPECT_THAT(ardent("predict m.model strange.csv").err, HasSubstr("'Paris'"));
  EXPECT_EQ(ardent("cv people.csv --ignore id --missing mean --categorical city").status, 0);
}

TEST_F(ReadingTest, WeightsBeyondReasonAndValuesBelowItAreNamed) {
  write("x.libsvm", "1 1:1e-50 900:1\n-1 2:3\n1 1:2 900:2\n-1 2:2\n");
  write("w.txt", "1e300\n1\n1\n1\n");
  EXPECT_THAT(
      refusal("train x.libsvm --weights w.txt"),
      HasSubstr("w.txt: the weight of row 1 is 1e+300, but weights must be >= 0 and at most "
                "1e+15"));
  EXPECT_THAT(
      ardent("train x.libsvm").err,
      HasSubstr("x.libsvm: 1 value is too small for sparse data (32 bits) and counted as 0"));
}

TEST_F(ReadingTest, ADamagedDenseCacheIsRefused) {
  ASSERT_EQ(ardent("convert " + data("iris.csv") + " -o i.cache").status, 0);
  ASSERT_EQ(shell("cp i.cache j.cache").status, 0);
  ASSERT_EQ(shell("printf x | dd of=i.cache bs=1 seek=534 conv=notrunc").status, 0);
  EXPECT_THAT(refusal("train i.cache"), HasSubstr("its header is damaged"));
  ASSERT_EQ(shell("printf x | dd of=j.cache bs=1 seek=3000 conv=notrunc").status, 0);
  EXPECT_THAT(refusal("train j.cache"), HasSubstr("its arrays are damaged"));
}

TEST_F(ReadingTest, AFullDiskIsNamed) {
  const Outcome small = shell("ardent train " + data("iris.csv") + " > /dev/full");
  EXPECT_EQ(small.status, 1);
  EXPECT_EQ(small.err,
            "ardent: cannot write to standard output (/dev/full): No space left on device\n");
  ASSERT_EQ(ardent("train " + data("digits.libsvm") + " --engine diagonal -o m.model").status, 0);
  const Outcome large =
      shell("ardent predict m.model " + data("digits.libsvm") + " --proba > /dev/full");
  EXPECT_EQ(large.status, 1);
  EXPECT_THAT(large.err, HasSubstr("standard output (/dev/full): No space left on device"));
}

}  // namespace
}  // namespace ardent::cli_test
