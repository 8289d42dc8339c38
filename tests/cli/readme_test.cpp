// The commands that the README shows are run as they stand.
#include <gmock/gmock.h>

#include <regex>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

/// Lines of ```sh blocks that call ardent, in order; a trailing backslash joins the next line.
std::vector<std::string> ardent_lines(const std::string& markdown) {
  std::vector<std::string> found;
  std::istringstream text(markdown);
  std::string line;
  bool inside = false;
  while (std::getline(text, line)) {
    if (line.starts_with("```")) {
      inside = line == "```sh";
      continue;
    }
    while (inside && line.ends_with('\\')) {
      std::string next;
      std::getline(text, next);
      line = line.substr(0, line.size() - 1) + next;
    }
    if (inside && line.starts_with("ardent ")) found.push_back(line);
  }
  return found;
}

TEST_F(CommandTest, ReadmeCommandsRun) {
  const auto lines = ardent_lines(slurp(std::string(ARDENT_SOURCE) + "/README.md"));
  ASSERT_GE(lines.size(), 5u);
  std::filesystem::create_directory_symlink(std::string(ARDENT_SOURCE) + "/data", path("data"));
  for (const std::string& line : lines) {
    const Outcome outcome = shell(line);
    EXPECT_EQ(outcome.status, 0) << line << '\n' << outcome.err;
    EXPECT_NE(outcome.out, "") << line;
  }
}

}  // namespace
}  // namespace ardent::cli_test
