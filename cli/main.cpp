// The command line. Exit status: 0 done, 1 failed while running, 2 the request or input is wrong.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "ardent/base/error.h"
#include "command.h"
#include "help.h"
#include "typing_errors.h"

namespace {

int fail(const std::string& message, int status) {
  fmt::print(stderr, "ardent: {}\n", message);
  return status;
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
  const std::vector<std::string> words =
      ardent::cli::with_help_first({argv + std::min(argc, 1), argv + argc});
  const std::string unknown = ardent::cli::unknown_command(words);
  if (!unknown.empty()) return fail(unknown, 2);
  ardent::cli::add_commands(app, words[0]);
  try {
    try {
      app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::CallForHelp&) {
      ardent::cli::show_help(app, ardent::cli::help_topic(words));
    }
    if (std::fflush(stdout) != 0) return fail("cannot write to standard output", 1);
    return 0;
  } catch (const CLI::ExtrasError&) {
    ardent::cli::add_other_commands(app);
    return fail(ardent::cli::unknown_words(app, words), 2);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // the version
    return fail(ardent::cli::unreadable(app, error), 2);
  } catch (const ardent::InputError& error) {
    return fail(error.what(), 2);
  } catch (const std::bad_alloc&) {
    return fail("out of memory", 1);
  } catch (const std::exception& error) {
    return fail(error.what(), 1);
  }
}
