#include <gmock/gmock.h>

#include <sstream>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class GridCommand : public CommandTest {};

std::vector<std::vector<std::string>> csv_cells(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

TEST_F(GridCommand, ItsPointsAreTheCvOfEachAndTheTableHoldsThem) {
  const std::string common =
      "cv " + data("wine.csv") + " --map rbf --folds 3 --seed 2 --max-stages 30 --json ";
  const Outcome grid = ardent(common + "--grid sigma=2^0:2^2 --grid scale=minmax,standard" +
                              " --table t.csv -o best.model");
  ASSERT_EQ(grid.status, 0) << grid.err;
  const nlohmann::json report = grid.json();
  ASSERT_EQ(report["grid"].size(), 6u);
  const auto cells = csv_cells(slurp(path("t.csv")));
  ASSERT_EQ(cells.size(), 7u);
  EXPECT_EQ(cells[0][0], "sigma");
  EXPECT_EQ(cells[0][1], "scale");
  EXPECT_EQ(cells[0][2], "accuracy_mean");
  EXPECT_EQ(cells[0][3], "accuracy_sd");
  for (std::size_t p = 0; p < 6; ++p) {
    const auto& point = report["grid"][p];
    const std::string sigma = point["options"]["sigma"], scale = point["options"]["scale"];
    const auto alone = ardent(common + "--sigma " + sigma + " --scale " + scale).json();
    for (const char* score : {"accuracy", "log_loss", "auc", "active", "total", "evidence"}) {
      EXPECT_EQ(point[score], alone[score]) << sigma << ' ' << scale << ' ' << score;
    }
    ASSERT_EQ(cells[p + 1].size(), cells[0].size());
    EXPECT_EQ(cells[p + 1][0], sigma);
    EXPECT_EQ(cells[p + 1][1], scale);
    for (std::size_t c = 2; c < cells[0].size(); ++c) {
      const std::string& column = cells[0][c];
      const std::size_t cut = column.rfind('_');
      EXPECT_EQ(std::stod(cells[p + 1][c]),
                point[column.substr(0, cut)][column.substr(cut + 1)].get<double>())
          << column;
    }
  }
  const auto best = report["best"];
  for (const auto& point : report["grid"]) {
    EXPECT_LE(point["accuracy"]["mean"], best["accuracy"]["mean"]);
  }
  // The model is that of `train` with the best options.
  EXPECT_EQ(report["model"], "best.model");
  const std::string sigma = best["options"]["sigma"], scale = best["options"]["scale"];
  ASSERT_EQ(ardent("train " + data("wine.csv") + " --map rbf --seed 2 --max-stages 30 --sigma " +
                   sigma + " --scale " + scale + " -o alone.model")
                .status,
            0);
  EXPECT_EQ(slurp(path("best.model")), slurp(path("alone.model")));
}

TEST_F(GridCommand, TextMarksTheBest) {
  const Outcome grid =
      ardent("cv " + data("iris.csv") + " --grid map=linear,elm --hidden 20 --folds 3");
  ASSERT_EQ(grid.status, 0) << grid.err;
  EXPECT_THAT(grid.out, HasSubstr("2 points, 3 folds"));
  EXPECT_THAT(grid.out, HasSubstr("\n  best "));
  EXPECT_THAT(grid.out, HasSubstr("best by accuracy: map="));
  EXPECT_EQ(grid.err, "");
}

TEST_F(GridCommand, EvidenceHasNoFoldsAndPlainNumbers) {
  const Outcome grid =
      ardent("cv " + data("iris.csv") +
             " --map elm --grid hidden=10,20 --pick evidence --json --table t.csv");
  ASSERT_EQ(grid.status, 0) << grid.err;
  EXPECT_TRUE(grid.json()["folds"].is_null());
  EXPECT_TRUE(grid.json()["best"]["evidence"].is_number());
  EXPECT_THAT(slurp(path("t.csv")), StartsWith("hidden,active,total,evidence,seconds\n10,"));
}

TEST_F(GridCommand, RegressionIsPickedByItsOwnError) {
  std::string text = "x,noise,y\n";
  for (int i = 0; i < 60; ++i) {
    text += std::to_string(i) + "," + std::to_string(i * 37 % 11) + "," +
            std::to_string(2 * i + 1 + 0.1 * (i * 7 % 5)) + "\n";
  }
  write("line.csv", text);
  const Outcome grid = ardent("cv line.csv --grid map=elm,linear --hidden 3 --folds 3 --json");
  ASSERT_EQ(grid.status, 0) << grid.err;
  EXPECT_EQ(grid.json()["pick"], "rmse");
  EXPECT_EQ(grid.json()["best"]["options"]["map"], "linear");
  EXPECT_FALSE(grid.json()["best"].contains("accuracy"));
}

TEST_F(GridCommand, AKilledSearchGoesOnWhereItWas) {
  const std::string line = "cv " + data("wine.csv") +
                           " --map elm --hidden 100 --grid seed=1:16 --folds 4 --json --threads 1 ";
  const nlohmann::json whole = ardent(line).json();
  // Killed as soon as the journal holds three points.
  const Outcome killed = shell("ardent " + line + "--resume j & pid=$!\n" +
                               "until [ \"$(cat j 2>/dev/null | wc -l)\" -ge 4 ]; do " +
                               "kill -0 $pid || break; sleep 0.01; done\nkill -9 $pid\nwait $pid");
  EXPECT_EQ(killed.status, 137);
  const Outcome resumed = ardent(line + "--resume j");
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  const nlohmann::json report = resumed.json();
  EXPECT_GE(report["resumed"], 3);
  EXPECT_LT(report["resumed"], 16);
  for (std::size_t p = 0; p < 16; ++p) {
    for (const char* score : {"accuracy", "log_loss", "evidence", "active"}) {
      EXPECT_EQ(report["grid"][p][score], whole["grid"][p][score]);
    }
  }
  EXPECT_EQ(report["best"]["point"], whole["best"]["point"]);
}

TEST_F(GridCommand, VerboseTellsTheTimeLeft) {
  const Outcome grid =
      ardent("cv " + data("iris.csv") + " --grid bias=on,off --folds 2 --threads 1 -v");
  EXPECT_THAT(grid.err, HasSubstr("grid 1/4 "));
  EXPECT_THAT(grid.err, testing::ContainsRegex("[0-9]:[0-9][0-9] left"));
  EXPECT_THAT(grid.err.substr(grid.err.find("grid 4/4")), Not(HasSubstr("left")));
}

TEST_F(GridCommand, AnOutputThatCannotBeWrittenIsFoundBeforeTheSearch) {
  for (const std::string option : {" -o ", " --table "}) {
    const Outcome outcome =
        ardent("cv no-such-data.csv --grid seed=1:2" + option + "missing/folder/file");
    EXPECT_NE(outcome.status, 0);
    EXPECT_THAT(outcome.err, HasSubstr("missing/folder"));
  }
  write("kept.csv", "old");
  ASSERT_EQ(ardent("cv no-such-data.csv --grid seed=1:2 --table kept.csv").status, 2);
  EXPECT_EQ(slurp(path("kept.csv")), "old");
}

TEST_F(GridCommand, MistakesEndWithStatusTwoAndWriteNothing) {
  const std::string cv = "cv " + data("iris.csv");
  for (const std::string wrong :
       {" --pick evidence", " -o m.model", " --resume j", " --table t.csv", " --grid sigma",
        " --grid sigma=0", " --grid nothing=1", " --grid seed=1:2 --pick rmse",
        " --grid seed=1:2 --pick luck", " --grid seed=1:2 --resume missing/folder/j",
        " --grid seed=1:100001"}) {
    const Outcome outcome = ardent(cv + wrong);
    EXPECT_EQ(outcome.status, 2) << wrong << outcome.err;
    EXPECT_EQ(outcome.out, "") << wrong;
    EXPECT_NE(outcome.err, "") << wrong;
  }
  EXPECT_FALSE(std::filesystem::exists(path("m.model")));
  EXPECT_FALSE(std::filesystem::exists(path("t.csv")));
}

}  // namespace
}  // namespace ardent::cli_test
