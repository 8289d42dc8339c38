#include "ardent/base/interrupt.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace ardent {

struct InterruptState {
  std::function<bool()> wanted;
  std::thread::id owner = std::this_thread::get_id();
  std::chrono::steady_clock::time_point asked = std::chrono::steady_clock::now();
  std::atomic<bool> stopped{false};
};

namespace {

constexpr std::chrono::milliseconds kBetweenQuestions{50};

thread_local InterruptState* current = nullptr;

}  // namespace

InterruptScope::InterruptScope(std::function<bool()> wanted)
    : state_(new InterruptState{std::move(wanted)}), previous_(current) {
  current = state_;
}

InterruptScope::~InterruptScope() {
  current = previous_;
  delete state_;
}

void check_interrupt() {
  InterruptState* const state = current;
  if (!state) return;
  if (!state->stopped.load(std::memory_order_relaxed)) {
    if (state->owner != std::this_thread::get_id()) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - state->asked < kBetweenQuestions) return;
    state->asked = now;
    if (!state->wanted()) return;
    state->stopped = true;
  }
  throw Interrupted("stopped on request");
}

InterruptState* interrupt_state() {
  return current;
}

void set_interrupt_state(InterruptState* state) {
  current = state;
}

}  // namespace ardent
