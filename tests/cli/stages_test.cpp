#include <gmock/gmock.h>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::HasSubstr;
using StagesCommandTest = CommandTest;

TEST_F(StagesCommandTest, OneFitGivesAccuracyAgainstSparsity) {
  const std::string cancer = data("breast_cancer.csv");
  const Outcome train = ardent(
      "train " + cancer + " --engine diagonal --max-stages 12 --keep-stages on -o m.model --json");
  ASSERT_EQ(train.status, 0) << train.err;
  EXPECT_GT(train.json()["peak_bytes"], 1 << 20);
  const Outcome curve = ardent("evaluate m.model " + cancer + " --every-stage --json");
  ASSERT_EQ(curve.status, 0) << curve.err;
  const auto path = curve.json()["stages"];
  ASSERT_EQ(path.size(), 12u);
  EXPECT_EQ(path[0]["active"], 30);
  EXPECT_EQ(path[11]["active"], train.json()["active"]);

  const Outcome stage = ardent("evaluate m.model " + cancer + " --stage 3 --json");
  EXPECT_EQ(stage.json()["accuracy"], path[2]["accuracy"]);
  const Outcome last = ardent("predict m.model " + cancer + " --stage 12 --proba");
  const Outcome plug_in = ardent("predict m.model " + cancer + " --plug-in --proba");
  ASSERT_EQ(last.status, 0) << last.err;
  EXPECT_EQ(last.out, plug_in.out);
  EXPECT_THAT(ardent("evaluate m.model " + cancer + " --every-stage").out, HasSubstr("accuracy"));
}

TEST_F(StagesCommandTest, ModelWithoutStagesSaysHowToKeepThem) {
  const std::string iris = data("iris.csv");
  ASSERT_EQ(ardent("train " + iris + " -o m.model").status, 0);
  const Outcome outcome = ardent("evaluate m.model " + iris + " --every-stage");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("keep-stages on"));
}

TEST_F(StagesCommandTest, EarlyStopAndRefitGoTogetherAndAreAGridLikeAnyOption) {
  const std::string cancer = data("breast_cancer.csv");
  const Outcome train = ardent("train " + cancer + " --early-stop cv --refit on");
  ASSERT_EQ(train.status, 0) << train.err;
  EXPECT_THAT(train.out, HasSubstr("MiB"));
  const Outcome grid =
      ardent("cv " + data("wine.csv") + " --folds 2 --engine diagonal --grid refit=on,off --json");
  ASSERT_EQ(grid.status, 0) << grid.err;
}

TEST_F(StagesCommandTest, TrainSaysWhichEngineAutoTook) {
  const std::string iris = data("iris.csv");
  EXPECT_THAT(ardent("train " + iris).out, HasSubstr("engine auto (exact)"));
  EXPECT_THAT(ardent("train " + iris + " --engine diagonal").out, HasSubstr("engine diagonal,"));
  const auto report = ardent("train " + iris + " --json").json();
  EXPECT_FALSE(report["parts"].empty());
  for (const auto& part : report["parts"]) EXPECT_EQ(part["engine"], "exact");
}

TEST_F(StagesCommandTest, SeveralModelsAreOneBarWithATimeLeft) {
  // A terminal is what makes a bar: script(1) provides one.
  const Outcome bar =
      shell("script -qec \"ardent train " + data("digits.libsvm") + " --map rbf\" bar.txt");
  ASSERT_EQ(bar.status, 0) << bar.err;
  const std::string drawn = slurp(path("bar.txt"));
  EXPECT_THAT(drawn, testing::ContainsRegex("0 of 45 models"));
  EXPECT_THAT(drawn, testing::ContainsRegex("[1-9][0-9]* of 45 models  [0-9]+:[0-9][0-9] left"));
  EXPECT_THAT(drawn.substr(0, drawn.find(" rows")), testing::Not(HasSubstr("log evidence")));
}

}  // namespace
}  // namespace ardent::cli_test
