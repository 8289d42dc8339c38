// Each way a request or an input can be wrong: exit status 2, a message that says what to do, and
// nothing lost.
#include <gmock/gmock.h>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::HasSubstr;

class BadInputTest : public CommandTest {
 protected:
  void expect_refused(const std::string& arguments, const std::string& message) const {
    const Outcome outcome = ardent(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << '\n' << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(message)) << arguments;
    EXPECT_EQ(outcome.out, "");
  }
  void expect_text_refused(const std::string& text, const std::string& message) const {
    write("bad.libsvm", text);
    expect_refused("train bad.libsvm -o m.model", message);
    EXPECT_FALSE(std::filesystem::exists(path("m.model")));
  }
};

TEST_F(BadInputTest, NoCommandOrAnUnknownOne) {
  EXPECT_EQ(ardent("").status, 2);
  EXPECT_EQ(ardent("fly").status, 2);
  EXPECT_EQ(ardent("train").status, 2);
}

TEST_F(BadInputTest, BadToken) {
  expect_text_refused("1 1:2\n0 1:x\n", "bad.libsvm:2:5");
}
TEST_F(BadInputTest, IndexZero) {
  expect_text_refused("1 0:2\n", "bad.libsvm:1:3");
}
TEST_F(BadInputTest, DescendingIndex) {
  expect_text_refused("1 3:1 2:1\n", "bad.libsvm:1:7");
}
TEST_F(BadInputTest, HugeIndex) {
  expect_text_refused("1 99999999999999999999:1\n", "bad.libsvm:1:3");
}
TEST_F(BadInputTest, NotANumber) {
  expect_text_refused("1 1:nan\n", "bad.libsvm:1:5");
}
TEST_F(BadInputTest, Infinity) {
  expect_text_refused("1 1:inf\n", "bad.libsvm:1:5");
}
TEST_F(BadInputTest, EmptyFile) {
  expect_text_refused("", "bad.libsvm");
}
TEST_F(BadInputTest, RowWithoutLabel) {
  expect_text_refused("1 1:2\n1:3 2:1\n", "bad.libsvm:2:1");
}
TEST_F(BadInputTest, HugeAndTinyTargets) {
  for (const std::string power : {"200", "300", "-170"}) {
    std::string text;
    for (int i = 1; i < 30; ++i) {
      text += std::to_string(0.1 * i) + "e" + power + " 1:" + std::to_string(i % 7) + "\n";
    }
    expect_text_refused(text, "the target's largest absolute value is 2.9e");
    write("bad.libsvm", text);
    expect_refused("train bad.libsvm --map doubly-sparse --sweeps 5 -o m.model",
                   "divide the target by 3e");
    expect_refused("cv bad.libsvm --folds 3", "divide the target by 3e");
  }
}
TEST_F(BadInputTest, OneClass) {
  expect_text_refused("1 1:2\n1 1:3\n", "two classes");
}

TEST_F(BadInputTest, FewerFeaturesThanTheFileHas) {
  write("f.libsvm", "1 1:2\n-1 7:3\n");
  expect_refused("train f.libsvm --features 5", "f.libsvm:2:4");
}

TEST_F(BadInputTest, MissingFile) {
  expect_refused("train none.libsvm", "none.libsvm");
}

TEST_F(BadInputTest, AModelThatIsNoModel) {
  write("m.model", "1 1:2\n");
  expect_refused("predict m.model " + data("iris.csv"), "m.model");
}

TEST_F(BadInputTest, OptionOutOfRangeNamesOptionRuleAndValue) {
  expect_refused("train " + data("iris.csv") + " --sigma -1",
                 "--sigma must be auto or a number > 0, not '-1'");
  expect_refused("train " + data("iris.csv") + " --map cubic", "linear, rbf, elm");
}

TEST_F(BadInputTest, AlphaMaxBelowAlphaInit) {
  expect_refused("train " + data("iris.csv") + " --alpha-max 1e-6", "alpha");
}

TEST_F(BadInputTest, MoreFoldsThanRowsOfAClass) {
  expect_refused("cv " + data("iris.csv") + " --folds 60", "fewer than the 60 folds");
}

TEST_F(BadInputTest, DataOfAnotherShapeThanTheModel) {
  ASSERT_EQ(ardent("train " + data("iris.csv") + " -o m.model --map rbf").status, 0);
  expect_refused("predict m.model " + data("wine.csv"), "wine.csv");
}

TEST_F(BadInputTest, UnknownClassInEvaluation) {
  ASSERT_EQ(ardent("train " + data("iris.csv") + " -o m.model").status, 0);
  EXPECT_EQ(shell("sed s/setosa/tulip/ " + data("iris.csv") + " > t.csv").status, 0);
  expect_refused("evaluate m.model t.csv", "'tulip'");
}

TEST_F(BadInputTest, AnUnwritableOutputLosesNothing) {
  expect_refused("train " + data("iris.csv") + " -o no/such/folder/m.model", "no/such/folder");
  write("m.model", "precious");
  expect_refused("train bad.libsvm -o m.model", "bad.libsvm");
  EXPECT_EQ(slurp(path("m.model")), "precious");
}

TEST_F(BadInputTest, MoreFeaturesThanRowsIsNoError) {
  std::string text;
  // Enough rows that one column of 41 does not separate them by chance, which it does with eight.
  for (int i = 0; i < 24; ++i) {
    text += i % 2 ? "1" : "-1";
    for (int k = 1; k <= 40; ++k) {
      text += " " + std::to_string(k) + ":" + std::to_string((i * 31 + k * 17) % 23 - 11);
    }
    text += " 41:" + std::to_string(i % 2 ? 3 : -3) + "\n";
  }
  write("wide.libsvm", text);
  EXPECT_EQ(ardent("train wide.libsvm -o m.model").status, 0);
  EXPECT_EQ(ardent("evaluate m.model wide.libsvm --json").json()["accuracy"], 1.0);
}

}  // namespace
}  // namespace ardent::cli_test
