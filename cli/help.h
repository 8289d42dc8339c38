// `ardent train --help` shows what is common and names the groups of options; `--help rbf` shows a
// group, `--help all` all of them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ardent::cli {

/// The groups of an option as CLI11 keeps them: one text.
std::string joined_groups(const std::vector<std::string>& groups);

/// The word after --help; empty: none.
std::string help_topic(int argc, char** argv);

/// Help of the command that was named, or of all. InputError if there is no such topic.
void show_help(CLI::App& app, const std::string& topic);

/// What to say of arguments that a command does not take: whose options they are, where they are
/// some other command's; else `message`.
std::string unknown_option(const CLI::App& app, const std::string& message);

}  // namespace ardent::cli
