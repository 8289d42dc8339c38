#include "help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
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

std::string help_topic(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; ++i) {
    const std::string_view word = argv[i];
    if ((word == "--help" || word == "-h") && argv[i + 1][0] != '-') return argv[i + 1];
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

std::string unknown_option(const CLI::App& app, const std::string& message) {
  const auto chosen = app.get_subcommands();
  for (const std::string& word : app.remaining(true)) {
    if (!word.starts_with("--") || chosen.empty()) continue;
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> homes;
    for (const CLI::App* other : app.get_subcommands([](const CLI::App*) { return true; })) {
      if (other->get_option_no_throw(name)) homes.push_back(other->get_name());
    }
    if (homes.empty()) continue;
    return fmt::format("{} is no option of {}: it belongs to {}", name, chosen.front()->get_name(),
                       fmt::join(homes, ", "));
  }
  return message;
}

}  // namespace ardent::cli
