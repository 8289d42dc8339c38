#include <algorithm>
#include <set>

#include "command.h"

namespace ardent::cli {
namespace {

struct Command {
  std::string_view name;
  void (*add)(CLI::App&);
};

/// In the order of the help.
constexpr Command kCommands[] = {
    {"train", add_train},       {"predict", add_predict},
    {"evaluate", add_evaluate}, {"cv", add_cv},
    {"select", add_select},     {"masks", add_masks},
    {"code", add_code},         {"convert", add_convert},
    {"inspect", add_inspect},   {"report", add_report},
    {"export", add_export},     {"synth", add_synth},
    {"locate", add_locate},     {"denoise", add_denoise},
    {"scene", add_scene},       {"score-sources", add_score_sources},
    {"demo", add_demo},         {"completion", add_completion},
    {"manual", add_manual},
};

}  // namespace

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  return names;
}

void add_commands(CLI::App& app, std::string_view first) {
  if (first == "--version") return;
  const bool known = std::ranges::count(kCommands, first, &Command::name) > 0;
  for (const Command& command : kCommands) {
    if (!known || command.name == first) command.add(app);
  }
}

void add_other_commands(CLI::App& app) {
  std::set<std::string> added;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    added.insert(command->get_name());
  }
  for (const Command& command : kCommands) {
    if (!added.contains(std::string(command.name))) command.add(app);
  }
}

}  // namespace ardent::cli
