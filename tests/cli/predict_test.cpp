// What predict writes: words with blanks, CSV, agreement with labels, and answers to a stream.
#include <gmock/gmock.h>

#include <sstream>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class PredictTest : public CommandTest {
 protected:
  PredictTest() {
    std::string text = "x,city\n";
    for (int i = 0; i < 30; ++i) {
      text +=
          std::to_string(i % 10) + "," + (i % 10 < 5 ? "New York" : "\"Say \"\"hi\"\"\"") + "\n";
    }
    write("cities.csv", text);
    shell("ardent train cities.csv -o m.model");
  }
};

TEST_F(PredictTest, LabelsWithBlanksAreQuotedBesideProbabilities) {
  const Outcome lines = ardent("predict m.model cities.csv --proba");
  ASSERT_EQ(lines.status, 0) << lines.err;
  EXPECT_THAT(lines.out, StartsWith("labels \"New York\" \"Say \"\"hi\"\"\"\n\"New York\" 0.9"));
  EXPECT_THAT(ardent("predict m.model cities.csv").out, StartsWith("New York\n"));
}

TEST_F(PredictTest, CsvHasAHeaderAndIsReadAgain) {
  ASSERT_EQ(ardent("predict m.model cities.csv --proba -o out.csv").status, 0);
  const std::string csv = slurp(path("out.csv"));
  EXPECT_THAT(csv, StartsWith("prediction,p(New York),\"p(Say \"\"hi\"\")\"\nNew York,0.9"));
  // By ardent itself: the predictions are learnt from the probabilities.
  const Outcome again = ardent("train out.csv --label prediction --json");
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json()["classes"][0], "New York");
  EXPECT_EQ(again.json()["rows"], 30);
  ASSERT_EQ(ardent("predict m.model cities.csv -o plain.csv").status, 0);
  EXPECT_THAT(slurp(path("plain.csv")), StartsWith("prediction\nNew York\n"));
  ASSERT_EQ(ardent("predict m.model cities.csv -o lines.txt").status, 0);
  EXPECT_EQ(slurp(path("lines.txt")), ardent("predict m.model cities.csv").out);
}

TEST_F(PredictTest, RegressionAsCsv) {
  write("line.csv", "x,y\n0,0.1\n1,1.3\n2,1.9\n3,3.2\n4,3.9\n5,5.05\n");
  ASSERT_EQ(ardent("train line.csv -o r.model").status, 0);
  const Outcome csv = ardent("predict r.model line.csv --proba -o r.csv");
  EXPECT_THAT(slurp(path("r.csv")), StartsWith("mean,sd\n"));
  EXPECT_THAT(csv.out,
              AllOf(StartsWith("RMSE 0.1"), HasSubstr(", R2 0.99"), EndsWith("(6 rows)\n")));
}

TEST_F(PredictTest, TellsTheAccuracyWhereThereAreLabels) {
  // LIBSVM's way: predictions to a file, accuracy on the screen.
  EXPECT_EQ(ardent("predict m.model cities.csv -o p.txt").out, "accuracy 1 (30 of 30 rows)\n");
  const Outcome both = ardent("predict m.model cities.csv");
  EXPECT_EQ(both.err, "accuracy 1 (30 of 30 rows)\n");
  EXPECT_THAT(both.out, Not(HasSubstr("accuracy")));
  EXPECT_EQ(ardent("predict m.model cities.csv --json").json()["accuracy"], 1.0);
  // It is evaluate's.
  ASSERT_EQ(ardent("train " + data("iris.csv") + " -o i.model").status, 0);
  EXPECT_EQ(ardent("predict i.model " + data("iris.csv") + " --json").json()["accuracy"],
            ardent("evaluate i.model " + data("iris.csv") + " --json").json()["accuracy"]);
  // Not without labels, nor with some of another kind.
  write("bare.csv", "x\n1\n");
  EXPECT_EQ(ardent("predict m.model bare.csv").err, "");
  write("other.csv", "x,city\n1,Rome\n");
  EXPECT_EQ(ardent("predict m.model other.csv").err, "");
}

TEST_F(PredictTest, AnswersAStreamLineByLine) {
  // The second row is sent only once the first was answered; a reader that waits for the end of its
  // input would wait for ever: `timeout` ends it.
  const std::string conversation =
      "mkfifo rows answers\n"
      "timeout 60 ardent predict m.model - < rows > answers &\n"
      "exec 3> rows 4< answers\n"
      "printf 'x,other\\n1,0\\n' >&3 && read -r first <&4\n"
      "printf '8,0\\n' >&3 && read -r second <&4\n"
      "exec 3>&-\n"
      "wait\n"
      "echo \"$first / $second\"";
  EXPECT_EQ(shell(conversation).out, "New York / Say \"hi\"\n");
}

TEST_F(PredictTest, AStreamGetsTheAnswersOfTheFile) {
  const std::string file = ardent("predict m.model cities.csv --proba").out;
  const Outcome stream = shell("cat cities.csv | ardent predict m.model - --proba");
  EXPECT_EQ(stream.out, file);
  EXPECT_EQ(stream.err, "accuracy 1 (30 of 30 rows)\n");
  ASSERT_EQ(ardent("train " + data("digits.libsvm") + " --engine diagonal -o d.model").status, 0);
  const std::string digits = ardent("predict d.model " + data("digits.libsvm")).out;
  EXPECT_EQ(shell("cat " + data("digits.libsvm") + " | ardent predict d.model -").out, digits);
  EXPECT_EQ(shell("gzip -c " + data("digits.libsvm") + " | ardent predict d.model -").out, digits);
  // Faults name the line of the stream; what was answered stays.
  const Outcome fault = shell("printf '# note\\n1 1:2\\n\\n1 x:2\\n' | ardent predict d.model -");
  EXPECT_EQ(fault.status, 2);
  EXPECT_THAT(fault.err, HasSubstr("standard input:4:3:"));
  EXPECT_NE(fault.out, "");
  const Outcome csv = shell("printf 'x,other\\n1,0\\n\\ntwo,0\\n' | ardent predict m.model -");
  EXPECT_THAT(csv.err, HasSubstr("standard input:4:1: column 'x'"));
}

TEST_F(PredictTest, ClassWeightsAsLibsvmHasThem) {
  std::string text;
  for (int i = 0; i < 60; ++i) {
    text += std::string(i % 12 == 0 ? "1" : "-1") + " 1:" + std::to_string((i * 37) % 23) +
            " 2:" + std::to_string(i % 12 == 0 ? 3 : (i * 5) % 7) + "\n";
  }
  write("rare.libsvm", text);
  ASSERT_EQ(ardent("train rare.libsvm -w1 5 -w-1 1 -o a.model").status, 0);
  ASSERT_EQ(ardent("train rare.libsvm --class-weight 1=5,-1=1 -o b.model").status, 0);
  EXPECT_EQ(slurp(path("a.model")), slurp(path("b.model")));
  ASSERT_EQ(ardent("train rare.libsvm -o c.model").status, 0);
  EXPECT_NE(ardent("inspect a.model").out, ardent("inspect c.model").out);
  const Outcome unknown = ardent("train rare.libsvm -w2 5");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("a class weight names '2', and no row has that label"));
  EXPECT_THAT(ardent("train rare.libsvm --class-weight 1=x").err,
              HasSubstr("--class-weight must be none, balanced or LABEL=WEIGHT,..."));
  EXPECT_EQ(ardent("train rare.libsvm -w1 5 --class-weight balanced").status, 2);
}

}  // namespace
}  // namespace ardent::cli_test
