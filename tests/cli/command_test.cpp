#include <gmock/gmock.h>

#include <cmath>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(CommandTest, TrainPredictEvaluateInspectGoTogether) {
  const Outcome train = ardent("train " + data("breast_cancer.csv") + " -o m.model --json");
  ASSERT_EQ(train.status, 0) << train.err;
  EXPECT_EQ(train.json()["task"], "classification");
  EXPECT_EQ(train.json()["positive"], "malignant");
  EXPECT_LT(train.json()["active"], 15);

  const Outcome predict = ardent("predict m.model " + data("breast_cancer.csv") + " --proba");
  ASSERT_EQ(predict.status, 0) << predict.err;
  EXPECT_THAT(predict.out, StartsWith("labels malignant benign\n"));
  std::istringstream lines(predict.out.substr(predict.out.find('\n') + 1));
  std::string label;
  double first = 0, second = 0;
  int count = 0, agree = 0;
  while (lines >> label >> first >> second) {
    EXPECT_NEAR(first + second, 1, 1e-9);
    agree += (first > second) == (label == "malignant");
    ++count;
  }
  EXPECT_EQ(count, 569);
  EXPECT_EQ(agree, 569);

  const Outcome evaluate = ardent("evaluate m.model " + data("breast_cancer.csv") + " --json");
  ASSERT_EQ(evaluate.status, 0) << evaluate.err;
  for (const char* field : {"accuracy", "balanced_accuracy", "log_loss", "f1", "auc", "brier",
                            "ece", "active", "total", "evidence", "seconds", "confusion"}) {
    EXPECT_TRUE(evaluate.json().contains(field)) << field;
  }
  EXPECT_GT(evaluate.json()["accuracy"], 0.95);
  EXPECT_EQ(evaluate.json()["evidence"], train.json()["evidence"]);

  const Outcome inspect = ardent("inspect m.model");
  ASSERT_EQ(inspect.status, 0) << inspect.err;
  EXPECT_THAT(inspect.out, HasSubstr("worst"));
  EXPECT_THAT(inspect.out, HasSubstr("log odds of malignant"));
}

TEST_F(CommandTest, RegressionGivesItsOwnMetrics) {
  std::string text = "x,noise,y\n";
  for (int i = 0; i < 60; ++i) {
    const double x = i / 10.0;
    text += std::to_string(x) + "," + std::to_string((i * 37 % 11) / 11.0) + "," +
            std::to_string(2 * x + 1 + 0.1 * std::sin(i * 12.9898)) + "\n";
  }
  write("line.csv", text);
  const Outcome cv = ardent("cv line.csv --folds 3 --json");
  ASSERT_EQ(cv.status, 0) << cv.err;
  EXPECT_EQ(cv.json()["task"], "regression");
  for (const char* field : {"rmse", "mae", "r2", "nlpd", "active", "evidence"}) {
    EXPECT_TRUE(cv.json()[field].contains("mean")) << field;
    EXPECT_TRUE(cv.json()[field].contains("sd")) << field;
  }
  EXPECT_GT(cv.json()["r2"]["mean"], 0.99);
  EXPECT_EQ(cv.json()["folds"].size(), 3u);

  ASSERT_EQ(ardent("train line.csv -o m.model").status, 0);
  const Outcome predict = ardent("predict m.model line.csv --proba");
  double mean = 0, sd = 0;
  ASSERT_EQ(std::sscanf(predict.out.c_str(), "%lf %lf", &mean, &sd), 2);
  EXPECT_NEAR(mean, 1, 0.2);
  EXPECT_NEAR(sd, 0.07, 0.05);
}

TEST_F(CommandTest, LibsvmUsersGetTheirOwnLabelsBack) {
  write("pm.libsvm", "-1 1:1 2:0.2\n+1 1:-1 2:0.1\n-1 1:2\n+1 1:-2 2:0.3\n-1 1:1.5\n+1 1:-1.5\n");
  ASSERT_EQ(ardent("train pm.libsvm -o m.model").status, 0);
  const Outcome predict = ardent("predict m.model pm.libsvm");
  EXPECT_EQ(predict.out, "-1\n+1\n-1\n+1\n-1\n+1\n");
  // LIBSVM puts +1 first although −1 comes first in the file.
  EXPECT_THAT(ardent("predict m.model pm.libsvm --proba").out, StartsWith("labels +1 -1\n"));
}

TEST_F(CommandTest, StandardInputAndCompressedFilesAreRead) {
  ASSERT_EQ(ardent("train " + data("iris.csv") + " -o m.model").status, 0);
  const std::string plain = ardent("predict m.model " + data("iris.csv")).out;
  EXPECT_EQ(shell("ardent predict m.model - --format csv < " + data("iris.csv")).out, plain);
  EXPECT_EQ(
      shell("gzip -c " + data("iris.csv") + " > i.csv.gz && ardent predict m.model i.csv.gz").out,
      plain);
}

TEST_F(CommandTest, TheCacheGivesTheSameModelAsTheText) {
  ASSERT_EQ(ardent("convert " + data("digits.libsvm") + " -o d.cache").status, 0);
  const std::string options = " --map elm --hidden 30 --max-stages 20 -o ";
  ASSERT_EQ(ardent("train " + data("digits.libsvm") + options + "a.model").status, 0);
  ASSERT_EQ(ardent("train d.cache" + options + "b.model").status, 0);
  EXPECT_EQ(slurp(path("a.model")), slurp(path("b.model")));
}

TEST_F(CommandTest, TheCacheKeepsNamesAndTheLabelColumn) {
  ASSERT_EQ(shell("sed 1s/class/species/ " + data("iris.csv") + " > i.csv").status, 0);
  ASSERT_EQ(ardent("convert i.csv -o i.cache").status, 0);
  ASSERT_EQ(ardent("train i.csv --map rbf -o a.model").status, 0);
  ASSERT_EQ(ardent("train i.cache --map rbf -o b.model").status, 0);
  EXPECT_EQ(slurp(path("a.model")), slurp(path("b.model")));
  // The model knows which column of a CSV file holds the labels.
  const Outcome predict = ardent("predict b.model i.csv");
  EXPECT_EQ(predict.status, 0) << predict.err;
  EXPECT_EQ(predict.out.substr(0, 7), "setosa\n");
}

TEST_F(CommandTest, AnyNumberOfThreadsWritesTheSameModelFile) {
  for (const std::string map : {"linear", "rbf", "elm"}) {
    for (const char* threads : {"1", "2", "4"}) {
      const Outcome train = ardent("train " + data("wine.csv") + " --map " + map + " --threads " +
                                   threads + " -o " + map + threads);
      ASSERT_EQ(train.status, 0) << train.err;
    }
    EXPECT_EQ(slurp(path(map + "1")), slurp(path(map + "2")));
    EXPECT_EQ(slurp(path(map + "1")), slurp(path(map + "4")));
    EXPECT_GT(slurp(path(map + "1")).size(), 100u);
  }
}

TEST_F(CommandTest, CvReportsEveryMetricWithMeanAndSd) {
  const Outcome cv = ardent("cv " + data("iris.csv") + " --folds 5 --seed 1 --json");
  ASSERT_EQ(cv.status, 0) << cv.err;
  for (const char* field : {"accuracy", "balanced_accuracy", "log_loss", "f1", "auc", "brier",
                            "ece", "active", "total", "evidence", "seconds"}) {
    EXPECT_TRUE(cv.json()[field].contains("mean")) << field;
    EXPECT_TRUE(cv.json()["folds"][4].contains(field)) << field;
  }
  double mean = 0;
  const nlohmann::json report = cv.json();
  for (const auto& fold : report["folds"]) mean += fold["accuracy"].get<double>() / 5;
  EXPECT_NEAR(mean, cv.json()["accuracy"]["mean"], 1e-12);
  EXPECT_GT(mean, 0.9);
}

TEST_F(CommandTest, TheSameSeedGivesTheSameFolds) {
  const std::string line = "cv " + data("wine.csv") + " --folds 4 --json --seed ";
  const auto one = ardent(line + "3").json(), two = ardent(line + "3 --threads 1").json();
  EXPECT_EQ(one["log_loss"], two["log_loss"]);
  EXPECT_NE(one["log_loss"], ardent(line + "4").json()["log_loss"]);
}

TEST_F(CommandTest, DemoShowsTheWholeJob) {
  const Outcome demo = ardent("demo -o demo.model");
  ASSERT_EQ(demo.status, 0) << demo.err;
  for (const char* word : {"kept", "accuracy", "log loss", "evidence", "p(malignant)"}) {
    EXPECT_THAT(demo.out, HasSubstr(word));
  }
  EXPECT_TRUE(std::filesystem::exists(path("demo.model")));
  EXPECT_GT(ardent("demo -o demo.model --json").json()["linear"]["accuracy"], 0.93);
}

TEST_F(CommandTest, SelectRanksTheKeptFeaturesWithTheirNames) {
  const Outcome select = ardent("select " + data("breast_cancer.csv") + " -o features.csv");
  ASSERT_EQ(select.status, 0) << select.err;
  std::istringstream lines(slurp(path("features.csv")));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "rank,index,name,weight,sd,relevance,alpha,log_odds");
  std::vector<std::vector<std::string>> rows;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string cell; std::getline(fields, cell, ',');) rows.back().push_back(cell);
  }
  double last = INFINITY;
  int rank = 0;
  const auto kept = static_cast<double>(rows.size());
  const double price = std::log((30 - kept + 1) / kept);  // of the last of them, among 30
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 8u);
    EXPECT_EQ(row[0], std::to_string(++rank));
    const double ratio = std::stod(row[3]) / std::stod(row[4]), odds = std::stod(row[7]);
    const double share = std::stod(row[6]) * std::stod(row[4]) * std::stod(row[4]);
    EXPECT_NEAR(odds, (ratio * ratio + std::log(share)) / 2 - price, 1e-6 * (1 + std::abs(odds)));
    EXPECT_LE(odds, last);
    last = odds;
  }
  EXPECT_GT(rank, 3);
  EXPECT_EQ(slurp(path("features.csv")), ardent("select " + data("breast_cancer.csv")).out);
  EXPECT_THAT(ardent("select " + data("iris.csv")).out, HasSubstr("setosa against versicolor,1,"));
}

TEST_F(CommandTest, ClassAndRowWeightsCount) {
  // 5 positives among 60, not separable: unweighted, the rare class is rarely predicted.
  std::string text, weights;
  for (int i = 0; i < 60; ++i) {
    const bool rare = i % 12 == 0;
    text += std::string(rare ? "1" : "-1") +
            " 1:" + std::to_string((rare ? 0.8 : -0.8) + 1.5 * std::sin(i * 12.9898)) + "\n";
    weights += rare ? "11\n" : "1\n";
  }
  write("rare.libsvm", text);
  write("weights.txt", weights);
  const auto recall = [&](const std::string& options) {
    EXPECT_EQ(ardent("train rare.libsvm -o m.model " + options).status, 0);
    const auto confusion = ardent("evaluate m.model rare.libsvm --json").json()["confusion"];
    return confusion[0][0].get<double>() / 5;
  };
  EXPECT_LT(recall(""), recall("--class-weight balanced"));
  // 11 × 5 = 55: the weights by hand are the balanced ones, to a common factor.
  EXPECT_EQ(recall("--weights weights.txt"), recall("--class-weight balanced"));
  write("short.txt", "1\n2\n");
  const Outcome refused = ardent("train rare.libsvm --weights short.txt");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("60 rows, but short.txt has 2 weights"));
}

TEST_F(CommandTest, EveryEngineIsOneCommand) {
  for (const std::string engine : {"exact", "diagonal", "dqn", "probes", "sequential"}) {
    for (const std::string map : {"linear", "rbf", "elm"}) {
      const Outcome cv = ardent("cv " + data("wine.csv") + " --engine " + engine + " --map " + map +
                                (map == "elm" ? " --hidden 60" : "") + " --folds 3 --json");
      ASSERT_EQ(cv.status, 0) << engine << ' ' << map << '\n' << cv.err;
      EXPECT_GT(cv.json()["accuracy"]["mean"], 0.85) << engine << ' ' << map;
    }
  }
}

TEST_F(CommandTest, HelpStatesDefaultsAndFormulas) {
  const Outcome help = ardent("train --help");
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, HasSubstr("exp(-|x - x_k|^2/sigma^2)"));
  EXPECT_THAT(ardent("train --help evidence").out, HasSubstr("exact 1000"));
  // The one place where the version is written.
  const std::string project = slurp(std::string(ARDENT_SOURCE) + "/CMakeLists.txt");
  const std::size_t begin = project.find("VERSION ", project.find("project(ardent")) + 8;
  const std::string version = project.substr(begin, project.find(' ', begin) - begin);
  EXPECT_THAT(version, testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_EQ(ardent("--version").out, "ardent " + version + "\n");
}

/// Only the command that is asked for is made: by the name that the help lists it under.
TEST_F(CommandTest, EveryCommandOfTheHelpIsThere) {
  const Outcome help = ardent("--help");
  ASSERT_EQ(help.status, 0);
  std::istringstream lines(help.out.substr(help.out.find("Subcommands:\n") + 13));
  int commands = 0;
  for (std::string line, name; std::getline(lines, line);) {
    if (!line.starts_with("  ") || line[2] == ' ') continue;
    std::istringstream(line) >> name;
    const Outcome its = ardent(name + " --help");
    EXPECT_EQ(its.status, 0) << name << its.err;
    EXPECT_THAT(its.out, HasSubstr("ardent " + name + " [OPTIONS]"));
    ++commands;
  }
  EXPECT_EQ(commands, 19);
}

TEST_F(CommandTest, StartsWithoutTheLibrariesOfFits) {
  // CFITSIO brings curl, and curl brings 30 more: only a FITS image is worth loading them.
  const Outcome needed = shell("ldd \"$(command -v ardent)\"");
  ASSERT_EQ(needed.status, 0) << needed.err;
  EXPECT_THAT(needed.out, HasSubstr("libc.so"));
  EXPECT_THAT(needed.out, Not(HasSubstr("cfitsio")));
  EXPECT_THAT(needed.out, Not(HasSubstr("libcurl")));
}

}  // namespace
}  // namespace ardent::cli_test
