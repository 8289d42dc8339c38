// What ends the command from outside: a word on standard error, and no unfinished file.
#pragma once

#include <string>

namespace ardent::cli {

/// SIGTERM and SIGHUP end the command with a message and status 1. SIGINT ends it as a signal does,
/// so that a shell knows. SIGBUS is how a mapped input says that it was cut while it was read. A
/// signal that is ignored (nohup) stays so.
void handle_signals();

/// A line that SIGTERM leaves on standard error beside its own; the last one given counts. Called
/// from one thread at a time.
void say_when_stopped(const std::string& line);

}  // namespace ardent::cli
