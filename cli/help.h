// `ardent train --help` (or `ardent help train`) shows what is common and names the groups of
// options; `--help rbf` shows a group, `--help all` all of them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ardent::cli {

/// The groups of an option as CLI11 keeps them: one text.
std::string joined_groups(const std::vector<std::string>& groups);

/// The group that help shows the option in.
std::string first_group(const CLI::Option& option);

/// The word after --help; empty: none.
std::string help_topic(const std::vector<std::string>& words);

/// Help of the command that was named, or of all. InputError if there is no such topic.
void show_help(CLI::App& app, const std::string& topic);

}  // namespace ardent::cli
