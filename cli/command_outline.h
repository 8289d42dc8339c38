// Commands with their options as completion and the manual need them: read from what CLI11 was
// given, which comes from the option schemas.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ardent::cli {

struct OptionOutline {
  std::string name;                  // "--engine"; of an argument "DATA"
  std::string short_name;            // "-o", or empty
  std::string values;                // what it takes: "a number > 0"; empty: nothing, it is a flag
  std::vector<std::string> choices;  // words that it takes
  std::string group;                 // that help shows it in
  std::string default_value;
  std::string help;
  bool is_argument = false;
  bool takes_file = false;

  /// The beginning of the help, for a menu.
  std::string summary() const;
};

struct CommandOutline {
  std::string name;
  std::string help;
  std::vector<OptionOutline> options;  // arguments first
};

/// Every command, in the order of the help; those that `app` lacks are added to it.
std::vector<CommandOutline> outline_commands(CLI::App& app);

}  // namespace ardent::cli
