#include "signals.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>

#include "ardent/base/atomic_file.h"

namespace ardent::cli {
namespace {

// Two places, so that a signal finds one that is not being written.
std::array<std::array<char, 1024>, 2> last_words{};
std::atomic<int> last_said = -1;

void write_line(std::string_view line) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

/// Calls nothing that a signal handler may not call.
extern "C" void end_on_signal(int number) {
  remove_unfinished_files();
  if (number == SIGINT) {
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
    return;
  }
  const std::string_view message = number == SIGHUP
                                       ? "ardent: stopped: the terminal was closed (SIGHUP)\n"
                                       : "ardent: stopped on request (SIGTERM)\n";
  write_line(message);
  if (last_said >= 0) write_line(last_words[static_cast<std::size_t>(last_said)].data());
  _exit(1);
}

}  // namespace

void say_when_stopped(const std::string& line) {
  const int next = last_said == 0 ? 1 : 0;
  auto& place = last_words[static_cast<std::size_t>(next)];
  const std::size_t size = std::min(line.size(), place.size() - 2);
  std::copy_n(line.begin(), size, place.begin());
  place[size] = '\n';
  place[size + 1] = '\0';
  last_said = next;
}

void handle_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGBUS}) {
    struct sigaction before {};
    if (sigaction(number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction own {};
    own.sa_handler = end_on_signal;
    own.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(number, &own, nullptr);
  }
}

}  // namespace ardent::cli
