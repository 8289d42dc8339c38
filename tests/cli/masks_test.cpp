#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kQuick = " --burn-in 20 --sweeps 30 --chains 2 ";

TEST_F(CommandTest, MasksRanksFeaturesByNameWithErrors) {
  const Outcome run =
      ardent("masks " + data("wine.csv") + kQuick + "--table f.csv --basis-table b.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("proline"));
  EXPECT_THAT(run.out, HasSubstr("R-hat"));
  const std::string table = slurp(path("f.csv"));
  EXPECT_THAT(table, StartsWith("model,index,name,inclusion,error,effective,r_hat\n"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 3 * 13);
  EXPECT_THAT(slurp(path("b.csv")), HasSubstr("training row "));
}

TEST_F(CommandTest, MasksModelIsPredictedLikeAnyOther) {
  const Outcome run = ardent("masks " + data("breast_cancer.csv") + kQuick + "-o m.model --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  ASSERT_EQ(json["parts"].size(), 1);
  EXPECT_EQ(json["parts"][0]["features"].size(), 30);
  EXPECT_EQ(json["parts"][0]["basis"].size(), 569);
  for (const char* field : {"log_likelihood", "features_on", "basis_on", "log_delta"}) {
    EXPECT_TRUE(json["parts"][0][field].contains("r_hat")) << field;
  }
  const Outcome evaluate = ardent("evaluate m.model " + data("breast_cancer.csv") + " --json");
  ASSERT_EQ(evaluate.status, 0) << evaluate.err;
  EXPECT_GT(evaluate.json()["accuracy"], 0.95);
  const Outcome inspect = ardent("inspect m.model");
  ASSERT_EQ(inspect.status, 0) << inspect.err;
  EXPECT_THAT(inspect.out, HasSubstr("map doubly-sparse, sampler collapsed"));
  EXPECT_THAT(inspect.out, HasSubstr("inclusion"));
  const Outcome reported = ardent("inspect m.model --json");
  EXPECT_TRUE(reported.json()["parts"][0]["inclusion"][0].contains("name"));

  // train --map doubly-sparse is the same fit.
  const Outcome train =
      ardent("train " + data("breast_cancer.csv") + kQuick + "--map doubly-sparse -o t.model");
  ASSERT_EQ(train.status, 0) << train.err;
  EXPECT_EQ(slurp(path("m.model")), slurp(path("t.model")));
}

TEST_F(CommandTest, MasksSaysWhyItsChainsEnded) {
  const std::string run = "masks " + data("iris.csv") + " --burn-in 5 --max-sweeps 8 --chains 2 ";
  const Outcome text = ardent(run + "--landmarks 10");
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("ended before the chains agree after 8 sweeps of each chain"));
  const Outcome json = ardent(run + "--landmarks 10 --json");
  EXPECT_EQ(json.json()["parts"][0]["ended_by"], "sweeps");
  EXPECT_EQ(json.json()["parts"][0]["sweeps"], 8);
  const Outcome both = ardent(run + "--sweeps 5");
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.err, HasSubstr("--max-sweeps"));
}

TEST_F(CommandTest, MasksPointEstimateKeepsOneState) {
  const Outcome run = ardent("masks " + data("breast_cancer.csv") + kQuick +
                             "--landmarks 60 --point-estimate on -o m.model");
  ASSERT_EQ(run.status, 0) << run.err;
  const Outcome inspect = ardent("inspect m.model --json");
  ASSERT_EQ(inspect.status, 0) << inspect.err;
  EXPECT_EQ(inspect.json()["parts"][0]["draws"], 1);
  EXPECT_EQ(ardent("predict m.model " + data("breast_cancer.csv")).status, 0);
}

// Sent SIGKILL while its chains run, and run again: the same model, to the byte.
TEST_F(CommandTest, MasksKilledAndResumedGiveTheSameBytes) {
  const std::string command =
      "masks " + data("breast_cancer.csv") + " --burn-in 40 --sweeps 60 --chains 2 --threads 2 ";
  const Outcome whole = ardent(command + "-o whole.model");
  ASSERT_EQ(whole.status, 0) << whole.err;
  const Outcome killed =
      shell("ardent " + command +
            "--checkpoint-seconds 0 --checkpoint run.chains -o part.model & "
            "while [ ! -s run.chains ]; do sleep 0.01; done; kill -9 $!; wait $!");
  EXPECT_EQ(killed.status, 137);
  EXPECT_FALSE(std::filesystem::exists(path("part.model")));
  const Outcome rest = ardent(command + "--checkpoint run.chains -o part.model");
  ASSERT_EQ(rest.status, 0) << rest.err;
  EXPECT_THAT(rest.out, HasSubstr("came from the checkpoint"));
  EXPECT_EQ(slurp(path("whole.model")), slurp(path("part.model")));
  const Outcome other = ardent(command + "--seed 2 --checkpoint run.chains");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("belongs to other data or other options"));
}

TEST_F(CommandTest, TrainHasTheCheckpointsOfMasks) {
  const std::string options = data("breast_cancer.csv") + kQuick;
  ASSERT_EQ(ardent("masks " + options + "--checkpoint run.chains -o masks.model").status, 0);
  const Outcome resumed = ardent("train --map doubly-sparse " + options +
                                 "--checkpoint run.chains --resume -o train.model --json");
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_EQ(slurp(path("masks.model")), slurp(path("train.model")));
  const Outcome other = ardent("train --map doubly-sparse " + options +
                               "--seed 2 --checkpoint run.chains --resume -o other.model");
  EXPECT_THAT(other.err, HasSubstr("belongs to other data or other options"));
  // Without the word it begins anew.
  EXPECT_EQ(ardent("train --map doubly-sparse " + options +
                   "--seed 2 --checkpoint run.chains -o other.model")
                .status,
            0);
}

// Version 0.1 was killed in the second of two chains.
TEST_F(CommandTest, MasksGoesOnFromACheckpointOfVersion01) {
#ifdef ARDENT_NATIVE
  GTEST_SKIP() << "the checkpoint has the default build's data: the native build scales them to "
                  "other last bits";
#endif
  const std::string earlier = ARDENT_SOURCE "/tests/models/0.1/";
  // The moves of version 0.1.
  const std::string run =
      "masks '" + earlier +
      "measures.csv' --xi-prior gamma --chains 2 --burn-in 10 --sweeps 20 --draws 3 ";
  const std::string command = run + "--seed 3 ";
  const Outcome whole = ardent(command + "-o whole.model");
  ASSERT_EQ(whole.status, 0) << whole.err;
  const auto resume = [&](const std::string& bytes) {
    write("run.chains", bytes);
    return ardent(command + "--checkpoint run.chains -o rest.model");
  };
  const std::string bytes = slurp(earlier + "masks.checkpoint");
  const Outcome rest = resume(bytes);
  ASSERT_EQ(rest.status, 0) << rest.err;
  EXPECT_THAT(rest.out, HasSubstr("34 sweeps came from the checkpoint"));
  // Not to the bit: the file has the rounding of the build that wrote it.
  expect_same_predictions("rest.model", "whole.model", "'" + earlier + "measures.csv'");

  // Magic number, version, run, length, number of chains, a number of a chain, checksum.
  for (const std::size_t at : {std::size_t{1}, std::size_t{8}, std::size_t{13}, std::size_t{21},
                               std::size_t{28}, bytes.size() / 2, bytes.size() - 1}) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_EQ(resume(changed).status, 2) << "byte " << at;
  }
  EXPECT_THAT(resume(bytes.substr(0, bytes.size() - 9)).err, HasSubstr("cut off"));
  write("run.chains", bytes);
  EXPECT_THAT(ardent(run + "--seed 4 --checkpoint run.chains").err,
              HasSubstr("belongs to other data or other options"));
}

TEST_F(CommandTest, MasksRefusesWhatItCannotDo) {
  EXPECT_EQ(ardent("masks " + data("wine.csv") + " --sampler gibbs").status, 2);
  EXPECT_EQ(ardent("masks " + data("wine.csv") + " --multiclass folds").status, 2);
  EXPECT_EQ(ardent("masks " + data("wine.csv") + " --chains 0").status, 2);
  EXPECT_EQ(ardent("masks no-such-file.csv").status, 2);
  const Outcome help = ardent("masks --help");
  EXPECT_THAT(help.out, HasSubstr("--expected-features"));
  EXPECT_THAT(help.out, Not(HasSubstr("--alpha-max")));
}

}  // namespace
}  // namespace ardent::cli_test
