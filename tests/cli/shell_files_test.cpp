// Completion and manual pages: made from the option schemas, and read by the shells and by man.
#include <gmock/gmock.h>

#include "ardent/estimators/train_options.h"
#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

class ShellFiles : public CommandTest {
 protected:
  bool has(const std::string& program) const { return shell("command -v " + program).status == 0; }
  /// What bash would complete: the words typed, the last of them unfinished.
  std::vector<std::string> completed(const std::string& words) const {
    const Outcome outcome = shell(
        "ardent completion bash >c.bash; cat >run.bash <<'END'\n"
        "source ./c.bash\nCOMP_WORDS=(" +
        words +
        ")\nCOMP_CWORD=$((${#COMP_WORDS[@]}-1))\n"
        "_ardent\nprintf '%s\\n' \"${COMPREPLY[@]}\"\nEND\nbash run.bash");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    std::vector<std::string> found;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) found.push_back(line);
    }
    return found;
  }
};

TEST_F(ShellFiles, BashCompletesCommandsOptionsAndTheirWords) {
  EXPECT_THAT(completed("ardent tr"), ElementsAre("train"));
  EXPECT_THAT(completed("ardent help pre"), ElementsAre("predict"));
  EXPECT_THAT(completed("ardent train --eng"), ElementsAre("--engine"));
  EXPECT_THAT(completed("ardent train --engine se"), ElementsAre("sequential"));
  EXPECT_THAT(completed("ardent train --engine = se"), ElementsAre("sequential"));
  EXPECT_THAT(completed("ardent train --format n"), ElementsAre("npy"));
  EXPECT_THAT(completed("ardent train --tolerance ''"), ElementsAre("auto"));
  EXPECT_THAT(completed("ardent locate --eng"), ElementsAre());
  EXPECT_THAT(completed("ardent completion ''"), ElementsAre("bash", "zsh", "fish"));
}

TEST_F(ShellFiles, EveryOptionOfTheSchemaIsThere) {
  TrainOptions options;
  const Schema fields = schema(options);
  const std::vector<std::string> found = completed("ardent train --");
  const std::string page = ardent("manual train").out;
  for (const Option& option : fields.options()) {
    EXPECT_THAT(found, IsSupersetOf({"--" + option.name}));
    std::string name = "--" + option.name;
    for (std::size_t at = 0; (at = name.find('-', at)) != std::string::npos; at += 2) {
      name.replace(at, 1, "\\-");
    }
    EXPECT_THAT(page, HasSubstr("\\fB" + name + "\\fR")) << option.name;
    for (const std::string& choice : option.choices) {
      EXPECT_THAT(completed("ardent train --" + option.name + " " + choice),
                  IsSupersetOf({choice}));
    }
  }
}

TEST_F(ShellFiles, TheOtherShellsReadTheirs) {
  for (const std::string name : {"bash", "zsh", "fish"}) {
    const Outcome script = ardent("completion " + name);
    EXPECT_EQ(script.status, 0);
    EXPECT_THAT(script.out, HasSubstr("auto exact diagonal")) << name;
    if (!has(name)) continue;
    const Outcome read = shell("ardent completion " + name + " >c && " + name + " -n c");
    EXPECT_EQ(read.status, 0) << read.err;
    EXPECT_EQ(read.err, "");
  }
  if (!has("fish")) GTEST_SKIP() << "fish is not installed: its completions were not asked for";
  const Outcome asked = shell(
      "ardent completion fish >c.fish && HOME=$PWD fish --no-config -c "
      "'source c.fish; complete -C \"ardent train --engine s\"'");
  EXPECT_THAT(asked.out, HasSubstr("sequential"));
}

TEST_F(ShellFiles, ManReadsEveryPageWithoutAWarning) {
  ASSERT_EQ(shell("mkdir pages && ardent manual --folder pages").status, 0);
  const Outcome listed = shell("ls pages");
  EXPECT_THAT(listed.out, HasSubstr("ardent.1\n"));
  EXPECT_THAT(listed.out, HasSubstr("ardent-score-sources.1\n"));
  EXPECT_EQ(shell("ardent manual train | cmp - pages/ardent-train.1").status, 0);
  EXPECT_EQ(shell("ardent manual | cmp - pages/ardent.1").status, 0);
  if (!has("groff")) GTEST_SKIP() << "groff is not installed: the pages were not formatted";
  const Outcome read =
      shell("for p in pages/*.1; do groff -P-cbu -man -Tutf8 -Kutf8 -ww $p || exit 1; done");
  EXPECT_EQ(read.status, 0);
  EXPECT_EQ(read.err, "");
  EXPECT_THAT(read.out, HasSubstr("ardent train [options] DATA"));
  EXPECT_THAT(read.out, HasSubstr("EXIT STATUS"));
  EXPECT_THAT(read.out, Not(HasSubstr("\\fB")));
}

}  // namespace
}  // namespace ardent::cli_test
