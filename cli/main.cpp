// The command line. Exit status: 0 done, 1 failed while running, 2 the request or input is wrong.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "ardent/base/error.h"
#include "command.h"
#include "help.h"
#include "ranks.h"
#include "signals.h"
#include "typing_errors.h"

namespace {

/// Where several processes work together, one that fails names itself and ends all of them.
int fail(const std::string& message, int status) {
  ardent::cli::Ranks* const ranks = ardent::cli::ranks();
  if (!ranks) {
    fmt::print(stderr, "ardent: {}\n", message);
    return status;
  }
  // What is wrong for all is said by the first; the others wait for it to end them.
  if (ranks->rank() > 0) sleep(1);
  fmt::print(stderr, "ardent-mpi: process {} of {}: {}\n", ranks->rank() + 1, ranks->count(),
             message);
  std::fflush(stderr);
  ranks->stop(status);
  return status;
}

/// Standard output could not be written: the file behind it is named where there is one.
int fail_unwritten(int reason) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/fd/1", path, sizeof path);
  std::string message = "cannot write to standard output";
  if (length > 0 && path[0] == '/') {
    message += fmt::format(" ({})", std::string_view(path, static_cast<std::size_t>(length)));
  }
  if (reason != 0) message += fmt::format(": {}", std::strerror(reason));
  return fail(message, 1);
}

}  // namespace

int main(int argc, char** argv) {
  ardent::cli::set_ranks(ardent::cli::join_ranks(argc, argv));
  // What all processes know is said by the first.
  if (!ardent::cli::leads() && !std::freopen("/dev/null", "w", stdout)) return 1;
  ardent::cli::handle_signals();
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
  // Others would do the same work in every process, and write one file at once.
  constexpr std::string_view kShared[] = {"train", "cv", "masks", "code", "locate"};
  const bool asks = words.size() < 2 || std::ranges::count(words, "--help") > 0;
  if (ardent::cli::ranks() && !asks && std::ranges::count(kShared, words[0]) == 0) {
    return fail(fmt::format("several processes share the work of {}: use ardent for {}",
                            fmt::join(kShared, ", "), words[0]),
                2);
  }
  ardent::cli::add_commands(app, words[0]);
  try {
    try {
      app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::CallForHelp&) {
      ardent::cli::show_help(app, ardent::cli::help_topic(words));
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return fail_unwritten(errno);
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
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) return fail_unwritten(error.code().value());
    return fail(error.what(), 1);
  } catch (const std::exception& error) {
    return fail(error.what(), 1);
  }
}
