#include "typing_errors.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/error.h"
#include "command.h"

namespace ardent::cli {
namespace {

/// Letters left out, put in, exchanged, or swapped with their neighbour.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t exchange = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + exchange});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

/// "--engine=exact" and "-engine" as "engine".
std::string bare_name(const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

std::string unknown_option(const CLI::App& app, const CLI::App& command, const std::string& word) {
  const std::string name = bare_name(word), typed = word.substr(0, word.find('='));
  std::vector<std::string> homes, own;
  for (const CLI::App* other : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (other->get_option_no_throw(typed)) homes.push_back(other->get_name());
  }
  if (!homes.empty()) {
    return fmt::format("{} is no option of {}: it belongs to {}", typed, command.get_name(),
                       fmt::join(homes, ", "));
  }
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& known : option->get_lnames()) own.push_back(known);
  }
  if (const auto meant = nearest(name, own)) {
    return fmt::format("{} has no option {}; did you mean --{}?", command.get_name(),
                       in_quotes(typed), *meant);
  }
  return fmt::format("{0} has no option {1} (ardent {0} --help all lists what it has)",
                     command.get_name(), in_quotes(typed));
}

bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-';
}

}  // namespace

std::optional<std::string> nearest(const std::string& word,
                                   const std::vector<std::string>& candidates) {
  if (word.size() < 3) return std::nullopt;  // almost anything is near a letter or two
  const std::size_t allowed = word.size() < 6 ? 1 : word.size() < 9 ? 2 : 3;
  std::optional<std::string> best;
  std::size_t least = allowed + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  if (best) return best;
  std::vector<std::string> longer;
  for (const std::string& candidate : candidates) {
    if (candidate.starts_with(word)) longer.push_back(candidate);
  }
  return longer.size() == 1 ? std::optional(longer.front()) : std::nullopt;
}

std::vector<std::string> with_help_first(std::vector<std::string> words) {
  const bool asked =
      !words.empty() && (words[0] == "help" || words[0] == "--help" || words[0] == "-h");
  if (!asked) return words;
  words[0] = "--help";
  if (words.size() > 1 && !is_option(words[1])) std::swap(words[0], words[1]);
  return words;
}

std::string unknown_command(const std::vector<std::string>& words) {
  const std::vector<std::string> commands = command_names();
  if (words.empty()) {
    return fmt::format("a command is needed: {} (ardent --help says what they do)",
                       fmt::join(commands, ", "));
  }
  const std::string& first = words[0];
  if (first == "--help" || first == "-h" || first == "--version") return "";
  if (std::find(commands.begin(), commands.end(), first) != commands.end()) return "";
  if (is_option(first)) {
    return fmt::format("the command comes before its options, and {} is none of {}",
                       in_quotes(first), fmt::join(commands, ", "));
  }
  if (const auto meant = nearest(first, commands)) {
    return fmt::format("there is no command {}; did you mean {}?", in_quotes(first), *meant);
  }
  return fmt::format("there is no command {}; there are {}", in_quotes(first),
                     fmt::join(commands, ", "));
}

std::string unknown_words(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App& command = *app.get_subcommands().front();
  std::vector<std::string> remaining = app.remaining(true), complaints;
  bool after_option = false;  // a word there is most likely the unknown option's value
  for (const std::string& word : words) {
    const auto place = std::find(remaining.begin(), remaining.end(), word);
    if (place == remaining.end()) {
      after_option = false;
      continue;
    }
    remaining.erase(place);
    if (is_option(word)) {
      complaints.push_back(unknown_option(app, command, word));
    } else if (!after_option) {
      complaints.push_back(
          fmt::format("{} does not expect the argument {}", command.get_name(), in_quotes(word)));
    }
    after_option = is_option(word) && word.find('=') == std::string::npos;
  }
  return fmt::format("{}", fmt::join(complaints, "\nardent: "));
}

std::string unreadable(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + " ";
  std::string message = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    message = message.substr(0, message.find(':')) + " needs a value";
  }
  return fmt::format("{} (ardent {}--help)", message, command);
}

}  // namespace ardent::cli
