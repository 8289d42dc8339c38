#include "signals.h"

#include <signal.h>
#include <unistd.h>

#include <string_view>

#include "ardent/base/atomic_file.h"

namespace ardent::cli {
namespace {

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
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, message.data(), message.size());
  _exit(1);
}

}  // namespace

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
