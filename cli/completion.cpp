// Completion of commands, options and their words, for the shells.
#include <fmt/format.h>

#include "command.h"
#include "command_outline.h"

namespace ardent::cli {
namespace {

using Commands = std::vector<CommandOutline>;

std::string with_spaces(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> names(const Commands& commands) {
  std::vector<std::string> all;
  for (const CommandOutline& command : commands) all.push_back(command.name);
  return all;
}

/// Text between single quotes; shells differ in how they write one.
std::string quoted(const std::string& text, std::string_view quote) {
  std::string safe = "'";
  for (const char c : text) safe += c == '\'' ? std::string(quote) : std::string(1, c);
  return safe + "'";
}

/// Words that a value may be, by the option before it; and options, by the command.
std::string bash(const Commands& commands) {
  std::string text =
      "# bash completion of ardent, made by: ardent completion bash\n"
      "_ardent() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  if [[ $word == = ]]; then word=''\n"
      "  elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
      "  COMPREPLY=()\n"
      "  if (( COMP_CWORD == 1 )); then\n";
  text += fmt::format("    COMPREPLY=($(compgen -W '{} help --help --version' -- \"$word\"))\n",
                      with_spaces(names(commands)));
  text += "    return\n  fi\n  case \"${COMP_WORDS[1]} $before\" in\n";
  text += fmt::format("    'help help') COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
                      with_spaces(names(commands)));
  for (const CommandOutline& command : commands) {
    for (const OptionOutline& option : command.options) {
      if (option.values.empty() || option.takes_file) continue;
      // The word before an argument is the command itself.
      std::string before = quoted(
          fmt::format("{} {}", command.name, option.is_argument ? command.name : option.name), "");
      if (!option.short_name.empty()) {
        before += "|" + quoted(command.name + " " + option.short_name, "");
      }
      text += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
                          before, with_spaces(option.choices));
    }
  }
  text += "  esac\n  [[ $word == -* ]] || return\n  local options=''\n  case ${COMP_WORDS[1]} in\n";
  for (const CommandOutline& command : commands) {
    std::vector<std::string> options;
    for (const OptionOutline& option : command.options) {
      if (!option.is_argument) options.push_back(option.name);
    }
    text += fmt::format("    {}) options='{}' ;;\n", command.name, with_spaces(options));
  }
  return text +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "}\n"
         "complete -o default -F _ardent ardent\n";
}

/// Within an _arguments specification these characters have a meaning.
std::string zsh_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string zsh_specification(const OptionOutline& option) {
  std::string action = option.takes_file ? "_files" : "( )";
  if (!option.choices.empty()) action = fmt::format("({})", with_spaces(option.choices));
  if (option.is_argument) {
    return fmt::format("*:{}:{}", option.name, action);
  }
  std::string value;
  if (!option.values.empty()) {
    value =
        fmt::format(":{}:{}", zsh_text(option.choices.empty() ? option.values : "value"), action);
  }
  return fmt::format("{}[{}]{}", option.name, zsh_text(option.summary()), value);
}

std::string zsh(const Commands& commands) {
  constexpr std::string_view kQuote = "'\\''";
  std::string text =
      "#compdef ardent\n"
      "# zsh completion of ardent, made by: ardent completion zsh\n"
      "_ardent() {\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const CommandOutline& command : commands) {
    text += fmt::format("    {}\n", quoted(command.name + ":" + zsh_text(command.help), kQuote));
  }
  text +=
      "    'help:Help on a command'\n"
      "  )\n"
      "  if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $command in\n";
  for (const CommandOutline& command : commands) {
    text += fmt::format("    {})\n      _arguments", command.name);
    bool with_argument = false;
    for (const OptionOutline& option : command.options) {
      if (option.is_argument && with_argument) continue;  // one specification serves all of them
      with_argument = with_argument || option.is_argument;
      text += " \\\n        " + quoted(zsh_specification(option), kQuote);
    }
    text += "\n      ;;\n";
  }
  return text + "  esac\n}\n_ardent \"$@\"\n";
}

std::string fish(const Commands& commands) {
  constexpr std::string_view kQuote = "\\'";
  std::string text =
      "# fish completion of ardent, made by: ardent completion fish\n"
      "complete -c ardent -n __fish_use_subcommand -f -a help -d 'Help on a command'\n";
  text += fmt::format("complete -c ardent -n '__fish_seen_subcommand_from help' -f -a '{}'\n",
                      with_spaces(names(commands)));
  for (const CommandOutline& command : commands) {
    text += fmt::format("complete -c ardent -n __fish_use_subcommand -f -a {} -d {}\n",
                        command.name, quoted(command.help, kQuote));
    for (const OptionOutline& option : command.options) {
      if (option.is_argument && option.takes_file) continue;  // files are completed anyway
      text += fmt::format("complete -c ardent -n '__fish_seen_subcommand_from {}'", command.name);
      if (option.is_argument) text += " -f";
      if (option.name.starts_with("--")) text += " -l " + option.name.substr(2);
      if (!option.short_name.empty()) text += " -s " + option.short_name.substr(1);
      if (!option.values.empty() && !option.is_argument) {
        text += option.takes_file ? " -r -F" : " -x";
      }
      if (!option.choices.empty()) text += " -a " + quoted(with_spaces(option.choices), kQuote);
      text += " -d " + quoted(option.summary(), kQuote) + "\n";
    }
  }
  return text;
}

}  // namespace

void add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* sub =
      app.add_subcommand("completion", "Print the completion of commands and options for a shell");
  sub->add_option("SHELL", *shell,
                  "bash: source it, or put it in ~/.local/share/bash-completion/"
                  "completions/ardent; zsh: _ardent in a folder of $fpath; fish: "
                  "~/.config/fish/completions/ardent.fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->required();
  sub->callback([&app, shell] {
    const Commands commands = outline_commands(app);
    fmt::print("{}", *shell == "bash"  ? bash(commands)
                     : *shell == "zsh" ? zsh(commands)
                                       : fish(commands));
  });
}

}  // namespace ardent::cli
