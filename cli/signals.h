// What ends the command from outside: a word on standard error, and no unfinished file.
#pragma once

namespace ardent::cli {

/// SIGTERM and SIGHUP end the command with a message and status 1. SIGINT ends it as a signal does,
/// so that a shell knows. SIGBUS is how a mapped input says that it was cut while it was read. A
/// signal that is ignored (nohup) stays so.
void handle_signals();

}  // namespace ardent::cli
