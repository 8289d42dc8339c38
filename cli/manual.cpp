// Manual pages (man, section 1): one for ardent, one per command.
#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <map>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"
#include "command.h"
#include "command_outline.h"

namespace ardent::cli {
namespace {

/// Characters that roff would read as its own.
std::string roff(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else if ((c == '.' || c == '\'') && (safe.empty() || safe.back() == '\n')) {
      safe += fmt::format("\\&{}", c);
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string heading(const std::string& page, const std::string& what) {
  std::string title = page;
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return fmt::format(".TH {} 1 \"\" \"ardent {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                     roff(title), ARDENT_VERSION, roff(page), roff(what));
}

std::string entry(const OptionOutline& option) {
  const std::string short_name =
      option.short_name.empty() ? "" : roff(option.short_name) + "\\fR, \\fB";
  const std::string values =
      option.values.empty() || option.is_argument ? "" : " \\fI" + roff(option.values) + "\\fR";
  const bool ends = !option.help.empty() && option.help.back() == '.';
  std::string text = fmt::format(".TP\n\\fB{}{}\\fR{}\n{}{}", short_name, roff(option.name), values,
                                 roff(option.help), ends ? "" : ".");
  if (!option.default_value.empty()) text += " Default: " + roff(option.default_value) + ".";
  return text + "\n";
}

std::string status_section() {
  return ".SH EXIT STATUS\n0 done, 1 failed while running, 2 the request or the input is wrong.\n"
         "Results go to standard output, progress and warnings to standard error.\n";
}

std::string command_page(const CommandOutline& command) {
  std::string text = heading("ardent-" + command.name, command.help);
  text += fmt::format(".SH SYNOPSIS\n.B ardent {}\n[\\fIoptions\\fR]", roff(command.name));
  for (const OptionOutline& option : command.options) {
    if (option.is_argument) text += fmt::format(" \\fI{}\\fR", roff(option.name));
  }
  text += "\n.SH DESCRIPTION\n" + roff(command.help) + ".\n";
  std::vector<std::string> order;
  std::map<std::string, std::string> groups;
  for (const OptionOutline& option : command.options) {
    const std::string group = option.is_argument ? "Arguments" : option.group;
    if (!groups.contains(group)) order.push_back(group);
    groups[group] += entry(option);
  }
  text += ".SH OPTIONS\n";
  for (const std::string& group : order) {
    text += fmt::format(".SS \"{}\"\n{}", roff(group), groups[group]);
  }
  return text + status_section() + ".SH SEE ALSO\n.BR ardent (1)\n";
}

std::string main_page(const std::vector<CommandOutline>& commands) {
  std::string text = heading("ardent", "sparse Bayesian learning");
  text +=
      ".SH SYNOPSIS\n.B ardent\n\\fIcommand\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]\n"
      ".br\n.B ardent help\n[\\fIcommand\\fR [\\fIgroup\\fR]]\n"
      ".SH DESCRIPTION\nEvery weight has its own prior precision and the evidence prunes: the "
      "model that remains is tiny, probabilistic, and needs no regularisation search.\n"
      ".SH COMMANDS\n";
  for (const CommandOutline& command : commands) {
    text += fmt::format(".TP\n.BR ardent\\-{} (1)\n{}.\n", roff(command.name), roff(command.help));
  }
  return text + status_section();
}

void write(const std::filesystem::path& path, const std::string& text) {
  AtomicFile file(path.string());
  file.write(text);
  file.commit();
}

struct ManualCommand {
  std::string name;
  std::string folder;

  void run(CLI::App& app) const {
    const std::vector<CommandOutline> commands = outline_commands(app);
    if (!folder.empty()) {
      write(std::filesystem::path(folder) / "ardent.1", main_page(commands));
      for (const CommandOutline& command : commands) {
        write(std::filesystem::path(folder) / ("ardent-" + command.name + ".1"),
              command_page(command));
      }
      return;
    }
    for (const CommandOutline& command : commands) {
      if (command.name != name) continue;
      fmt::print("{}", command_page(command));
      return;
    }
    if (!name.empty()) throw InputError("there is no command " + in_quotes(name));
    fmt::print("{}", main_page(commands));
  }
};

}  // namespace

void add_manual(CLI::App& app) {
  auto command = std::make_shared<ManualCommand>();
  CLI::App* sub = app.add_subcommand(
      "manual", "Print the manual page of a command, as roff: ardent manual train | man -l -");
  sub->add_option("COMMAND", command->name, "Which command; none: ardent itself")
      ->check(CLI::IsMember(command_names()));
  sub->add_option("--folder", command->folder,
                  "Write the pages of all commands there instead: ardent.1, ardent-train.1, …")
      ->type_name("FOLDER");
  sub->callback([&app, command] { command->run(app); });
}

}  // namespace ardent::cli
