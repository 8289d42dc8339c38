// Stopping long work from outside: Ctrl-C in a Python session, a closed connection in a server.
//
// Progress callbacks are asked once per stage, and a stage may take a minute. Parallel loops, which
// all long work consists of, ask here before each block.
#pragma once

#include <functional>

#include "ardent/base/error.h"

namespace ardent {

/// The work was stopped because an InterruptScope's question was answered with yes.
class Interrupted : public Error {
 public:
  using Error::Error;
};

struct InterruptState;

/// While it lives, loops started from this thread ask `wanted`, at most every 50 ms and always on
/// this thread, whether to stop; once that is so, they throw Interrupted on every thread at work.
class InterruptScope {
 public:
  explicit InterruptScope(std::function<bool()> wanted);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  InterruptState* state_;
  InterruptState* previous_;
};

/// Throws Interrupted if the scope around this thread's work says so; without a scope, nothing.
void check_interrupt();

/// What a loop hands from the thread that starts it to those that help.
InterruptState* interrupt_state();
void set_interrupt_state(InterruptState* state);

}  // namespace ardent
