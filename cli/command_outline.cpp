#include "command_outline.h"

#include <algorithm>

#include "command.h"
#include "help.h"

namespace ardent::cli {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

/// Of "linear|rbf|elm", of CLI11's "TEXT:{auto,csv}" and of "auto or a number > 0".
std::vector<std::string> choices_of(const std::string& values) {
  const std::size_t open = values.find('{'), close = values.find('}');
  if (open != std::string::npos && close > open) {
    return split(values.substr(open + 1, close - open - 1), ',');
  }
  if (values.find(' ') == std::string::npos) {
    return values.find('|') == std::string::npos ? std::vector<std::string>{} : split(values, '|');
  }
  const std::size_t first = values.find(" or a number");
  return first == std::string::npos ? std::vector<std::string>{}
                                    : std::vector<std::string>{values.substr(0, first)};
}

/// CLI11 calls what has no better name TEXT: with us most of those are files' names.
bool may_be_file(const std::string& type) {
  return type == "TEXT" || type == "FILE" || type == "MODEL" || type == "FOLDER";
}

/// CLI11's own names of types and ranges, in the words of the schemas.
std::string values_of(const std::string& type, const std::vector<std::string>& choices) {
  if (type.find('{') != std::string::npos) return CLI::detail::join(choices, "|");
  const std::string kind = type.substr(0, type.find(':'));
  if (kind == "INT" || kind == "UINT") return "a whole number";
  return kind == "FLOAT" ? "a number" : type;
}

OptionOutline outline(const CLI::Option& option) {
  OptionOutline found;
  found.is_argument = option.get_positional();
  if (found.is_argument) found.name = option.get_name(true);
  if (!option.get_lnames().empty()) found.name = "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) found.short_name = "-" + option.get_snames().front();
  if (found.name.empty()) std::swap(found.name, found.short_name);
  if (option.get_items_expected_max() > 0) {
    const std::string type = option.get_type_name();
    found.choices = choices_of(type);
    found.values = values_of(type, found.choices);
    found.takes_file = found.choices.empty() && may_be_file(type);
  }
  found.group = first_group(option);
  found.default_value = option.get_default_str();
  found.help = option.get_description();
  return found;
}

}  // namespace

std::string OptionOutline::summary() const {
  constexpr std::size_t kMost = 70;
  std::string text = help.substr(0, help.find(';'));
  const std::size_t stop = text.find(". ");
  if (stop != std::string::npos) text.resize(stop);
  if (text.size() <= kMost) return text;
  text.resize(text.find_last_of(' ', kMost));
  return text + " …";
}

std::vector<CommandOutline> outline_commands(CLI::App& app) {
  add_other_commands(app);
  std::vector<CommandOutline> commands;
  for (const std::string& name : command_names()) {
    const CLI::App& command = *app.get_subcommand(name);
    CommandOutline outlined{name, command.get_description(), {}};
    for (const CLI::Option* option : command.get_options()) {
      outlined.options.push_back(outline(*option));
    }
    std::stable_partition(outlined.options.begin(), outlined.options.end(),
                          [](const OptionOutline& option) { return option.is_argument; });
    commands.push_back(std::move(outlined));
  }
  return commands;
}

}  // namespace ardent::cli
