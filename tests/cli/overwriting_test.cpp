// An output never replaces an input: for every output option of every command, under every name
// that the input has.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::HasSubstr;

class OverwritingTest : public CommandTest {
 protected:
  OverwritingTest() {
    shell("cp " + data("iris.csv") + " d.csv && ardent train d.csv -o m.model >/dev/null && " +
          "ardent scene -o a.fits --truth t.csv --size 32x32 --sources 2 >/dev/null && " +
          "ardent scene -o r.npy --size 32x32 --sources 2 >/dev/null && " +
          "printf '1 1:1 2:2\\n-1 1:3\\n' > x.libsvm && printf '1\\n2\\n' > w.txt");
  }

  /// Refused, and the file is as it was.
  void expect_kept(const std::string& file, const std::string& arguments) const {
    const std::string before = slurp(path(file));
    ASSERT_NE(before, "") << file;
    const Outcome outcome = ardent(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << '\n' << outcome.out << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("would replace")) << arguments;
    EXPECT_EQ(slurp(path(file)), before) << arguments;
  }

  /// Each command with its inputs, and the options it needs for an output option to be taken.
  struct Case {
    std::string input;
    std::string line;
    std::map<std::string, std::string> needs = {};
  };
  const std::map<std::string, Case> cases_ = {
      {"train", {"d.csv", "train d.csv"}},
      {"predict", {"d.csv", "predict m.model d.csv"}},
      {"cv", {"d.csv", "cv d.csv --grid scale=none,rms"}},
      {"select", {"d.csv", "select d.csv"}},
      {"masks", {"d.csv", "masks d.csv"}},
      {"code", {"x.libsvm", "code x.libsvm x.libsvm"}},
      {"convert", {"d.csv", "convert d.csv"}},
      {"report", {"d.csv", "report m.model d.csv"}},
      {"locate", {"a.fits", "locate a.fits", {{"--table", "--lambda sweep"}}}},
      {"denoise", {"a.fits", "denoise a.fits -o out.fits", {{"--table", "--lambda sweep"}}}},
  };

  /// Options whose help says that they are written.
  std::set<std::string> outputs_of(const std::string& command) const {
    std::set<std::string> outputs;
    std::istringstream lines(ardent(command + " --help all").out);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t at = line.find("--");
      if (at == line.npos || line.find(" OUTPUT") == line.npos) continue;
      outputs.insert(line.substr(at, line.find_first_of(" ,", at) - at));
    }
    return outputs;
  }
};

TEST_F(OverwritingTest, EveryOutputOptionOfEveryCommandIsKnown) {
  const std::map<std::string, std::set<std::string>> expected = {
      {"train", {"--output", "--checkpoint"}},
      {"predict", {"--output"}},
      {"evaluate", {}},
      {"cv", {"--output", "--table", "--resume"}},
      {"select", {"--output"}},
      {"masks", {"--output", "--table", "--basis-table", "--checkpoint"}},
      {"code", {"--output"}},
      {"convert", {"--output"}},
      {"inspect", {}},
      {"synth", {"--output", "--truth"}},
      {"report", {"--output"}},
      {"locate",
       {"--output", "--regions", "--overlay", "--table", "--background-map", "--residual-map",
        "--rms-map"}},
      {"denoise", {"--output", "--residual", "--table"}},
      {"scene", {"--output", "--truth", "--clean"}},
      {"score-sources", {}},
      {"demo", {"--output"}},
  };
  for (const auto& [command, outputs] : expected)
    EXPECT_EQ(outputs_of(command), outputs) << command;
}

TEST_F(OverwritingTest, NoneReplacesTheInputItself) {
  for (const auto& [command, one] : cases_) {
    for (const std::string& option : outputs_of(command)) {
      const auto needs = one.needs.find(option);
      std::string line = one.line;
      if (command == "denoise" && option == "--output") line = "denoise a.fits";
      expect_kept(one.input, line + (needs == one.needs.end() ? "" : " " + needs->second) + " " +
                                 option + " " + one.input);
    }
  }
}

TEST_F(OverwritingTest, NorUnderAnotherName) {
  ASSERT_EQ(shell("ln -s d.csv soft.csv && ln d.csv hard.csv && mkdir sub && "
                  "ln -s ../a.fits sub/soft.fits")
                .status,
            0);
  for (const char* name : {"./d.csv", "sub/../d.csv", "soft.csv", "hard.csv"}) {
    expect_kept("d.csv", std::string("train d.csv -o ") + name);
    expect_kept("d.csv", std::string("predict m.model d.csv -o ") + name);
    expect_kept("d.csv", std::string("predict m.model ") + name + " -o d.csv");
  }
  expect_kept("a.fits", "locate a.fits -o sub/soft.fits");
  expect_kept("d.csv", "train - -o d.csv < d.csv");
}

TEST_F(OverwritingTest, EveryInputIsProtected) {
  expect_kept("m.model", "predict m.model d.csv -o m.model");
  expect_kept("w.txt", "train x.libsvm --weights w.txt -o w.txt");
  expect_kept("t.csv", "locate a.fits --lambda sweep --truth t.csv --table t.csv");
  expect_kept("r.npy", "denoise a.fits -o out.fits --reference r.npy --residual r.npy");
  expect_kept("r.npy", "locate a.fits --psf r.npy -o r.npy");
}

TEST_F(OverwritingTest, TwoOutputsAreTwoFiles) {
  const Outcome outcome = ardent("scene -o new.fits --truth ./new.fits");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--output and --truth name one file"));
  EXPECT_EQ(ardent("cv d.csv --grid scale=none --table d2.csv -o d2.csv").status, 2);
  EXPECT_FALSE(std::filesystem::exists(path("d2.csv")));
}

TEST_F(OverwritingTest, DevicesAndOtherFilesAreWritten) {
  EXPECT_EQ(ardent("train d.csv -o /dev/null").status, 0);
  EXPECT_EQ(
      ardent("masks x.libsvm --sweeps 2 --burn-in 1 --table /dev/null --basis-table /dev/null")
          .status,
      0);
  write("old.model", "old");
  EXPECT_EQ(ardent("train d.csv -o old.model").status, 0);
}

}  // namespace
}  // namespace ardent::cli_test
