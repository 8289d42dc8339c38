// Slips of the fingers: what was typed is named in the order in which it was typed, with what was
// meant.
#include <gmock/gmock.h>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class TypingErrors : public CommandTest {
 protected:
  /// What standard error says of a wrong request.
  std::string refusal(const std::string& arguments) const {
    const Outcome outcome = ardent(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_THAT(outcome.err, StartsWith("ardent: ")) << arguments;
    return outcome.err;
  }
};

TEST_F(TypingErrors, ACommandThatIsNearlyOne) {
  EXPECT_EQ(refusal("trian d.csv"), "ardent: there is no command 'trian'; did you mean train?\n");
  EXPECT_EQ(refusal("evalute m d"),
            "ardent: there is no command 'evalute'; did you mean evaluate?\n");
  EXPECT_EQ(refusal("score"), "ardent: there is no command 'score'; did you mean score-sources?\n");
  EXPECT_THAT(refusal("fly"), StartsWith("ardent: there is no command 'fly'; there are train, "));
  EXPECT_EQ(refusal("help trian"), refusal("trian"));
  EXPECT_THAT(refusal(""), StartsWith("ardent: a command is needed: train, predict, "));
  EXPECT_THAT(refusal("--bogus"), HasSubstr("'--bogus' is none of train, predict"));
}

TEST_F(TypingErrors, AnOptionThatIsNearlyOne) {
  EXPECT_EQ(refusal("train d.csv --engin exact"),
            "ardent: train has no option '--engin'; did you mean --engine?\n");
  EXPECT_EQ(refusal("train d.csv --engin=exact"), refusal("train d.csv --engin exact"));
  EXPECT_EQ(refusal("train d.csv --max-stage 3"),
            "ardent: train has no option '--max-stage'; did you mean --max-stages?\n");
  EXPECT_EQ(refusal("train --bogus 3"),
            "ardent: train has no option '--bogus' (ardent train --help all lists what it has)\n");
  EXPECT_THAT(refusal("train d.csv -x"), HasSubstr("has no option '-x' (ardent train --help all"));
  EXPECT_EQ(refusal("train d.csv --folds 3"),
            "ardent: --folds is no option of train: it belongs to cv\n");
}

TEST_F(TypingErrors, SeveralAreNamedInTheOrderTyped) {
  const std::string engine = "ardent: train has no option '--engin'; did you mean --engine?\n";
  const std::string bogus =
      "ardent: train has no option '--bogus' (ardent train --help all lists what it has)\n";
  EXPECT_EQ(refusal("train d.csv --engin exact --bogus 3"), engine + bogus);
  EXPECT_EQ(refusal("train d.csv --bogus 3 --engin exact"), bogus + engine);
  EXPECT_EQ(refusal("train d.csv one two"),
            "ardent: train does not expect the argument 'one'\n"
            "ardent: train does not expect the argument 'two'\n");
}

TEST_F(TypingErrors, WhatIsMissingOrBeyondIsSaidWithTheName) {
  EXPECT_EQ(refusal("train"), "ardent: DATA is required (ardent train --help)\n");
  EXPECT_EQ(refusal("train d.csv --max-stages"),
            "ardent: --max-stages needs a value (ardent train --help)\n");
  EXPECT_THAT(refusal("train d.csv --threads -3"), HasSubstr("--threads: Value -3 not in range"));
}

TEST_F(TypingErrors, HelpIsACommandToo) {
  for (const std::string arguments : {"help train", "--help train", "train --help", "train -h"}) {
    const Outcome outcome = ardent(arguments);
    EXPECT_EQ(outcome.status, 0) << arguments << outcome.err;
    EXPECT_EQ(outcome.out, ardent("train --help").out) << arguments;
  }
  EXPECT_THAT(ardent("help train").out, HasSubstr("--engine"));
  EXPECT_EQ(ardent("help train rbf").out, ardent("train --help rbf").out);
  EXPECT_EQ(ardent("help").out, ardent("--help").out);
  EXPECT_THAT(ardent("help").out, HasSubstr("score-sources"));
  EXPECT_EQ(ardent("--version").out, ardent("--version").out);
  EXPECT_THAT(ardent("--version").out, StartsWith("ardent "));
}

}  // namespace
}  // namespace ardent::cli_test
