#include "help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "ardent/base/error.h"

namespace ardent::cli {
namespace {

constexpr std::string_view kSeparator = ", ";

/// Groups of options that are shown when asked for are written small, others ("Training") large.
bool is_topic(const std::string& group) {
  return !group.empty() && std::islower(static_cast<unsigned char>(group.front()));
}

std::vector<std::string> groups_of(const CLI::Option& option) {
  std::vector<std::string> groups;
  const std::string& all = option.get_group();
  for (std::size_t begin = 0; begin <= all.size();) {
    const std::size_t end = std::min(all.find(kSeparator, begin), all.size());
    groups.push_back(all.substr(begin, end - begin));
    begin = end + kSeparator.size();
  }
  return groups;
}

/// What the option is shown under; empty: it is not shown.
std::string heading(const std::vector<std::string>& groups, const std::string& topic) {
  if (topic == "all") return groups.front();
  if (topic.empty()) return is_topic(groups.front()) ? "" : groups.front();
  return std::find(groups.begin(), groups.end(), topic) == groups.end() ? "" : topic;
}

}  // namespace

std::string joined_groups(const std::vector<std::string>& groups) {
  return fmt::format("{}", fmt::join(groups, kSeparator));
}

std::string first_group(const CLI::Option& option) {
  return groups_of(option).front();
}

std::string help_topic(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool asked = words[i] == "--help" || words[i] == "-h";
    if (asked && !words[i + 1].starts_with('-')) return words[i + 1];
  }
  return "";
}

void show_help(CLI::App& app, const std::string& topic) {
  const auto chosen = app.get_subcommands();
  CLI::App& command = chosen.empty() ? app : *chosen.front();
  std::set<std::string> topics;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& group : groups_of(*option)) {
      if (is_topic(group)) topics.insert(group);
    }
  }
  if (!topic.empty() && topic != "all" && !topics.contains(topic)) {
    throw InputError(fmt::format("there is no help on {}; there is on: {}",
                                 ardent::in_quotes(topic), fmt::join(topics, ", ")));
  }
  for (CLI::Option* option : command.get_options()) {
    option->group(heading(groups_of(*option), topic));
  }
  if (!topics.empty() && topic != "all") {
    command.footer(
        fmt::format("More options: --help GROUP, of {}; --help all", fmt::join(topics, ", ")));
  }
  fmt::print("{}", app.help());
}

}  // namespace ardent::cli
