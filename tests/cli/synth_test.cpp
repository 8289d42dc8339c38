#include <gmock/gmock.h>

#include <algorithm>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kShape = " --rows 3000 --columns 2000 --nonzeros 20 --relevant 8 --seed 3 ";

TEST_F(CommandTest, SynthReportsWhatItWrote) {
  const Outcome synth = ardent(std::string("synth -o a.libsvm --truth t.csv --json") + kShape);
  ASSERT_EQ(synth.status, 0) << synth.err;
  const auto json = synth.json();
  EXPECT_EQ(json["rows"], 3000);
  EXPECT_EQ(json["columns"], 2000);
  EXPECT_EQ(json["relevant"], 8);
  EXPECT_EQ(json["output"], "a.libsvm");
  EXPECT_NEAR(json["bayes_accuracy"], 0.9, 0.02);
  EXPECT_GT(json["bayes_log_loss"], 0);
  EXPECT_TRUE(json.contains("seconds"));
  const std::string text = slurp(path("a.libsvm"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3000);
  EXPECT_EQ(std::count(text.begin(), text.end(), ':'), json["nonzeros"]);
  const std::string truth = slurp(path("t.csv"));
  EXPECT_THAT(truth, StartsWith("feature,weight\n"));
  EXPECT_EQ(std::count(truth.begin(), truth.end(), '\n'), 9);
}

TEST_F(CommandTest, SynthCacheHoldsTheSameDataAsItsText) {
  ASSERT_EQ(ardent(std::string("synth -o a.libsvm") + kShape).status, 0);
  ASSERT_EQ(ardent(std::string("synth -o a.cache") + kShape).status, 0);
  EXPECT_THAT(slurp(path("a.cache")), HasSubstr("\"kind\":\"cache\""));
  ASSERT_EQ(ardent("convert a.libsvm -o b.cache --features 2000").status, 0);
  EXPECT_EQ(slurp(path("a.cache")), slurp(path("b.cache")));
  ASSERT_EQ(ardent(std::string("synth -o c --format cache --threads 1") + kShape).status, 0);
  EXPECT_EQ(slurp(path("c")), slurp(path("a.cache"))) << "threads change nothing";
}

TEST_F(CommandTest, SynthWithImpossibleOptionsIsRefusedAndWritesNothing) {
  const Outcome outcome = ardent("synth -o a.libsvm --columns 100 --nonzeros 60");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("nonzeros must be from 1 to 25, not 60"));
  EXPECT_FALSE(std::filesystem::exists(path("a.libsvm")));
  EXPECT_EQ(ardent("synth --rows 10").status, 2) << "no output named";
}

}  // namespace
}  // namespace ardent::cli_test
