// The command line. Exit status: 0 done, 1 failed while running, 2 the request or input is wrong.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <set>
#include <string_view>
#include <system_error>

#include "ardent/base/error.h"
#include "command.h"
#include "help.h"

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
    {"inspect", add_inspect},   {"synth", add_synth},
    {"locate", add_locate},     {"denoise", add_denoise},
    {"scene", add_scene},       {"score-sources", add_score_sources},
    {"demo", add_demo},
};

/// All options of all commands take CLI11 longer to make than many a command to run: where the
/// first argument names a command, its own are made, and for the version none.
void add_commands(CLI::App& app, std::string_view first) {
  if (first == "--version") return;
  const bool known = std::ranges::count(kCommands, first, &Command::name) > 0;
  for (const Command& command : kCommands) {
    if (!known || command.name == first) command.add(app);
  }
}

/// The commands that add_commands() left out: an option may be one of theirs.
void add_other_commands(CLI::App& app) {
  std::set<std::string_view> added;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    added.insert(command->get_name());
  }
  for (const Command& command : kCommands) {
    if (!added.contains(command.name)) command.add(app);
  }
}

}  // namespace
}  // namespace ardent::cli

namespace {

int fail(const char* message, int status) {
  fmt::print(stderr, "ardent: {}\n", message);
  return status;
}

/// Standard output could not be written: the file behind it is named where there is one.
int tell_unwritten(int reason) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/fd/1", path, sizeof path);
  std::string message = "cannot write to standard output";
  if (length > 0 && path[0] == '/') {
    message += fmt::format(" ({})", std::string_view(path, static_cast<std::size_t>(length)));
  }
  if (reason != 0) message += fmt::format(": {}", std::strerror(reason));
  return tell(message.c_str(), 1);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "ardent: sparse Bayesian learning. Every weight has its own prior precision and the evidence "
      "prunes: the model that remains is tiny, probabilistic, and needs no regularisation search.",
      "ardent");
  app.set_version_flag("--version", "ardent " ARDENT_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Results go to standard output, progress and warnings to standard error.\n"
      "Exit status: 0 done, 1 failed while running, 2 the request or the input is wrong.");
  ardent::cli::add_commands(app, argc > 1 ? argv[1] : "");
  try {
    try {
      app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      ardent::cli::show_help(app, ardent::cli::help_topic(argc, argv));
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return tell_unwritten(errno);
    return 0;
  } catch (const CLI::ExtrasError& error) {
    ardent::cli::add_other_commands(app);
    return fail(ardent::cli::unknown_option(app, error.what()).c_str(), 2);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const ardent::InputError& error) {
    return fail(error.what(), 2);
  } catch (const std::bad_alloc&) {
    return tell("out of memory", 1);
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) return tell_unwritten(error.code().value());
    return tell(error.what(), 1);
  } catch (const std::exception& error) {
    return fail(error.what(), 1);
  }
}
