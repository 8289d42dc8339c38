#include <gmock/gmock.h>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class OptionsCommandTest : public CommandTest {
 protected:
  /// The message of a command that must be refused.
  std::string refusal(const std::string& arguments) const {
    const Outcome outcome = ardent(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << '\n' << outcome.out;
    return outcome.err;
  }

  std::string iris() const { return data("iris.csv"); }
};

TEST_F(OptionsCommandTest, AnOptionOfAnotherMapIsRefused) {
  EXPECT_EQ(refusal("train " + iris() + " --map linear --atoms 5 --hidden 3 --chains 9"),
            "ardent: --atoms belongs to the map dictionary; the map is linear\n");
  EXPECT_THAT(refusal("train " + iris() + " --hidden 200"),  // its default
              HasSubstr("--hidden belongs to the map elm; the map is linear"));
  EXPECT_THAT(refusal("train " + iris() + " --map elm --sigma 2"),
              HasSubstr("--sigma belongs to the map rbf; the map is elm"));
  EXPECT_THAT(
      refusal("train " + iris() + " --map dictionary --alpha-max 10"),
      HasSubstr("--alpha-max belongs to the map linear, rbf or elm; the map is dictionary"));
  EXPECT_THAT(refusal("train " + iris() + " --map doubly-sparse --engine exact"),
              HasSubstr("--engine belongs to the map linear, rbf or elm"));
  EXPECT_THAT(refusal("select " + iris() + " --chains 2"),
              HasSubstr("--chains belongs to the map doubly-sparse; the map is linear"));
}

TEST_F(OptionsCommandTest, AnOptionOfAnotherEngineSamplerOrTaskIsRefused) {
  EXPECT_THAT(refusal("train " + iris() + " --engine exact --probes 5"),
              HasSubstr("--probes belongs to the engine probes; the engine is exact"));
  EXPECT_THAT(refusal("train " + iris() + " --second-start off"),
              HasSubstr("--second-start belongs to the engine sequential; the engine is auto"));
  EXPECT_THAT(refusal("train " + iris() + " --engine diagonal --warm-b on"),
              HasSubstr("--warm-b belongs to the engine dqn; the engine is diagonal"));
  EXPECT_THAT(refusal("masks " + iris() + " --sampler paper --chains 2"),
              HasSubstr("--chains belongs to the sampler collapsed; the sampler is paper"));
  EXPECT_THAT(refusal("masks " + iris() + " --sampler paper --checkpoint c"),
              HasSubstr("checkpoint belongs to the sampler collapsed"));
  EXPECT_THAT(refusal("train " + iris() + " --task regression --class-weight balanced"),
              HasSubstr("--class-weight belongs to the task auto or classification"));
}

TEST_F(OptionsCommandTest, CodingOptionsThatExcludeEachOtherAreRefused) {
  write("a.csv", "1,0\n0,1\n");
  const std::string code = "code a.csv a.csv ";
  EXPECT_THAT(refusal(code + "--method lasso --lambda 1 --max-outer 3"),
              HasSubstr("--max-outer belongs to the method sbl; the method is lasso"));
  EXPECT_THAT(refusal(code + "--lambda 1 --noise-factor 3"),
              HasSubstr("--noise-factor belongs to --lambda auto; --lambda is 1"));
  EXPECT_THAT(refusal(code + "--ball paper"),
              HasSubstr("--ball belongs to the screening sphere, dome or tht"));
}

TEST_F(OptionsCommandTest, AGridMayUseWhatSomeOfItsPointsUse) {
  EXPECT_THAT(refusal("cv " + iris() + " --folds 2 --grid hidden=1,2"),
              HasSubstr("--hidden belongs to the map elm; the map is linear"));
  EXPECT_THAT(refusal("cv " + iris() + " --folds 2 --grid map=linear,elm --sigma 2"),
              HasSubstr("--sigma belongs to the map rbf; the map is elm"));
  EXPECT_THAT(refusal("cv " + iris() + " --folds 2 --sigma 2"), HasSubstr("the map rbf"));
  const Outcome grid = ardent("cv " + iris() + " --folds 2 --grid map=linear,rbf --sigma 2 --json");
  EXPECT_EQ(grid.status, 0) << grid.err;
}

TEST_F(OptionsCommandTest, AnOptionOfAnotherCommandSaysWhose) {
  EXPECT_EQ(refusal("masks " + iris() + " --alpha-max 10"),
            "ardent: --alpha-max is no option of masks: it belongs to train, cv, select\n");
  ASSERT_EQ(ardent("train " + iris() + " -o m.model").status, 0);
  write("w.txt", "1\n");
  EXPECT_EQ(refusal("evaluate m.model " + iris() + " --weights w.txt"),
            "ardent: --weights is no option of evaluate: it belongs to train, cv, select, masks\n");
  EXPECT_THAT(refusal("predict m.model " + iris() + " --weights w.txt"),
              HasSubstr("it belongs to train"));
  EXPECT_THAT(refusal("train " + iris() + " --no-such-thing 1"), HasSubstr("--no-such-thing"));
}

TEST_F(OptionsCommandTest, RowWeightsThatDoNothingAreRefused) {
  write("two.libsvm", "1 1:1 2:2\n-1 1:2\n1 1:3 2:1\n-1 1:1\n");
  write("w.txt", "1\n2\n1\n1\n");
  EXPECT_THAT(refusal("train two.libsvm --map dictionary --weights w.txt"),
              HasSubstr("the map dictionary counts every row once"));
  EXPECT_THAT(refusal("train two.libsvm --map doubly-sparse --sampler paper --weights w.txt"),
              HasSubstr("weights belong to the sampler collapsed"));
  EXPECT_THAT(refusal("train two.libsvm --map dictionary --checkpoint c"),
              HasSubstr("training with the map dictionary has no checkpoint"));
}

TEST_F(OptionsCommandTest, MasksHasTheOptionsThatItUses) {
  const Outcome help = ardent("masks --help all");
  ASSERT_EQ(help.status, 0) << help.err;
  for (const char* name : {"--task ",
                           "--scale ",
                           "--bias ",
                           "--seed ",
                           "--sampler ",
                           "--mask-prior ",
                           "--expected-features ",
                           "--expected-basis ",
                           "--delta ",
                           "--sample-delta ",
                           "--xi ",
                           "--sample-xi ",
                           "--chains ",
                           "--burn-in ",
                           "--sweeps ",
                           "--draws ",
                           "--landmarks ",
                           "--point-estimate ",
                           "--multiclass ",
                           "--class-weight ",
                           "--weights ",
                           "--checkpoint "}) {
    EXPECT_THAT(help.out, HasSubstr(name));
  }
  for (const char* name : {"--map ", "--engine ", "--alpha-init ", "--early-stop ", "--refit ",
                           "--keep-stages ", "--second-start ", "--atoms ", "--vote ", "--method ",
                           "--lambda ", "--lambda-ratio ", "--noise-factor ", "--code-start ",
                           "--max-outer ", "--outer-tolerance ", "--gap ", "--nonnegative "}) {
    EXPECT_THAT(help.out, Not(HasSubstr(name)));
  }
}

TEST_F(OptionsCommandTest, StacksRefuseWhatIsForImages) {
  ASSERT_EQ(ardent("scene -o s.npy --size 18x16x12 --sources 2").status, 0);
  for (const char* option : {"--regions r.reg", "--overlay o.png"}) {
    EXPECT_THAT(refusal("locate s.npy --stack on " + std::string(option)),
                HasSubstr("belongs to --stack off; --stack is on"))
        << option;
  }
  EXPECT_THAT(refusal("locate s.npy --stack on -o r.reg"), HasSubstr("a catalogue of a stack"));
  EXPECT_THAT(refusal("locate s.npy --stack on --atoms 50"),
              HasSubstr("--atoms belongs to the dictionary uniform or normal"));
  ASSERT_EQ(ardent("scene -o i.npy").status, 0);
  EXPECT_THAT(refusal("locate i.npy --sigma-z 2"), HasSubstr("--sigma-z belongs to --stack on"));
  EXPECT_THAT(refusal("locate s.npy --stack on --psf i.npy"), HasSubstr("a stack itself"));
  EXPECT_THAT(refusal("locate i.npy --seed 2"),
              HasSubstr("--seed belongs to the dictionary uniform or normal"));
  EXPECT_THAT(refusal("locate i.npy --background constant --background-cell 9"),
              HasSubstr("--background-cell belongs to the background map or auto"));
  EXPECT_THAT(refusal("locate i.npy --reference i.npy"), HasSubstr("a sweep"));
  EXPECT_THAT(refusal("denoise i.npy -o d.npy --sweep-count 5"),
              HasSubstr("--sweep-count belongs to --lambda sweep; --lambda is auto"));
  EXPECT_THAT(refusal("scene -o i.npy --sigma-z 2"), HasSubstr("--sigma-z belongs to stacks"));
  EXPECT_THAT(refusal("scene -o i.npy --noise 1 --snr 3"),
              HasSubstr("--snr belongs to --noise auto"));
}

// Written before the renames, by: train iris.csv --map dictionary --atoms 9 --start ones
// --lambda-ratio 0.01 --path on (the vote was called refit).
TEST_F(OptionsCommandTest, AModelWithTheNamesOfBeforeIsRead) {
  const std::string model =
      "'" + std::string(ARDENT_SOURCE) + "/tests/models/dictionary-names-before.model'";
  const Outcome inspect = ardent("inspect " + model + " -v");
  ASSERT_EQ(inspect.status, 0) << inspect.err;
  EXPECT_THAT(inspect.out, AllOf(HasSubstr("--code-start ones"), HasSubstr("--keep-stages on"),
                                 HasSubstr("--vote residual")));
  EXPECT_THAT(inspect.out, AllOf(Not(HasSubstr("--path ")), Not(HasSubstr("--start "))));
  const Outcome evaluate = ardent("evaluate " + model + " " + iris() + " --json");
  ASSERT_EQ(evaluate.status, 0) << evaluate.err;
  EXPECT_GT(evaluate.json()["accuracy"], 0.8);
}

TEST_F(OptionsCommandTest, HelpShowsWhatIsCommonAndNamesTheGroups) {
  const Outcome help = ardent("train --help");
  ASSERT_EQ(help.status, 0) << help.err;
  EXPECT_THAT(help.out, AllOf(HasSubstr("--map "), HasSubstr("--engine "), HasSubstr("--json")));
  EXPECT_THAT(help.out, Not(HasSubstr("--hidden ")));
  EXPECT_THAT(
      help.out,
      HasSubstr("--help GROUP, of dictionary, doubly-sparse, dqn, elm, evidence, path, probes, "
                "published, rbf, sequential; --help all"));
  const std::string rbf = ardent("train --help rbf").out;
  EXPECT_THAT(rbf, HasSubstr("--sigma "));
  EXPECT_THAT(rbf, AllOf(Not(HasSubstr("--hidden ")), Not(HasSubstr("--engine "))));
  const std::string masks = ardent("train --help doubly-sparse").out;
  EXPECT_THAT(masks, AllOf(HasSubstr("--chains "), HasSubstr("--sampler ")));
  const std::string all = ardent("train --help all").out;
  EXPECT_THAT(all, AllOf(HasSubstr("--sigma "), HasSubstr("--hidden "), HasSubstr("--chains "),
                         HasSubstr("--engine "), HasSubstr("--vote ")));
  const std::string published = ardent("train --help published").out;
  EXPECT_THAT(published, AllOf(HasSubstr("--warm-b "), HasSubstr("--sampler "),
                               HasSubstr("--vote "), HasSubstr("--code-start ")));
  EXPECT_THAT(published, Not(HasSubstr("--chains ")));
  EXPECT_THAT(ardent("code --help published").out,
              AllOf(HasSubstr("--screening "), HasSubstr("--ball "), HasSubstr("--code-start ")));
  const Outcome unknown = ardent("train --help steam");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("there is no help on 'steam'; there is on: dictionary"));
  EXPECT_THAT(ardent("--help").out, HasSubstr("score-sources"));
}

}  // namespace
}  // namespace ardent::cli_test
