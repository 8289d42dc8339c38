#include <gmock/gmock.h>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ExportCommandTest : public CommandTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(ardent("train " + data("iris.csv") + " --map rbf -o iris.model").status, 0);
  }
};

TEST_F(ExportCommandTest, WritesAHeaderNamedAfterItsFile) {
  const Outcome outcome = ardent("export iris.model --to c -o flower-2.h");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("flower_2_predict and others written to flower-2.h"));
  EXPECT_THAT(slurp(path("flower-2.h")), HasSubstr("int flower_2_predict(const flower_2_real *x)"));
  const auto json = ardent("export iris.model --real float -o f.h --json").json();
  EXPECT_EQ(json["name"], "f");
  EXPECT_GT(json["constant_bytes"], 100);
  EXPECT_THAT(ardent("export iris.model --name flower").out, StartsWith("/* A model of ardent"));
}

TEST_F(ExportCommandTest, APrintedRowIsWhatPredictSays) {
  ASSERT_EQ(ardent("export iris.model -o iris.h --exp own --exp-table 16").status, 0);
  write("main.c",
        "#include \"iris.h\"\n#include <stdio.h>\n"
        "int main(void)\n{\n    double x[4], p[3];\n    int k;\n"
        "    while (scanf(\"%lf,%lf,%lf,%lf,%*s\", x, x + 1, x + 2, x + 3) == 4) {\n"
        "        printf(\"%s\", iris_label(iris_probabilities(x, p)));\n"
        "        for (k = 0; k < 3; ++k)\n            printf(\" %.9f\", p[k]);\n"
        "        printf(\"\\n\");\n    }\n    return 0;\n}\n");
  const Outcome compiled =
      shell("cc -std=c99 -Wall -Wextra -Werror -pedantic main.c -o main -lm && tail -n +2 " +
            data("iris.csv") + " | ./main");
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  const auto predicted = ardent("predict iris.model " + data("iris.csv") + " --json").json();
  std::istringstream lines(compiled.out);
  for (std::size_t i = 0; i < 150; ++i) {
    std::string label;
    lines >> label;
    EXPECT_EQ(label, predicted["predictions"][i]) << i;
    for (std::size_t c = 0; c < 3; ++c) {
      double p = -1;
      lines >> p;
      EXPECT_NEAR(p, predicted["probabilities"][i][c].get<double>(), 1e-9) << i;
    }
  }
}

TEST_F(ExportCommandTest, NeverReplacesTheModelAndRefusesWhatDoesNothing) {
  const std::string before = slurp(path("iris.model"));
  const Outcome over = ardent("export iris.model -o iris.model");
  EXPECT_EQ(over.status, 2);
  EXPECT_THAT(over.err, HasSubstr("would replace iris.model"));
  EXPECT_EQ(slurp(path("iris.model")), before);
  const Outcome idle = ardent("export iris.model --exp-table 16");
  EXPECT_EQ(idle.status, 2);
  EXPECT_THAT(idle.err, HasSubstr("--exp-table belongs to the exp own; the exp is auto"));
  const Outcome plain = ardent("export iris.model --arithmetic plain");
  EXPECT_EQ(plain.status, 2);
  EXPECT_THAT(plain.err, HasSubstr("--arithmetic belongs to the real float; the real is double"));
  const Outcome bad = ardent("export iris.model --exp own --exp-table 5 -o no.h");
  EXPECT_EQ(bad.status, 2);
  EXPECT_FALSE(std::filesystem::exists(path("no.h")));
}

TEST_F(ExportCommandTest, AModelOfMasksIsRefused) {
  ASSERT_EQ(
      ardent("masks " + data("iris.csv") + " --burn-in 2 --sweeps 3 --chains 1 -o d.model").status,
      0);
  const Outcome outcome = ardent("export d.model -o d.h");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("a model of the map doubly-sparse cannot be exported"));
}

}  // namespace
}  // namespace ardent::cli_test
