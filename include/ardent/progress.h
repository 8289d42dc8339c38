// Progress goes through a callback: the library never prints.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "ardent/abi.h"
#include "ardent/index.h"

namespace ardent {

struct ProgressEvent {
  std::string task;                             // what is being done, e.g. "fold 2/5"
  Index done = 0;                               // steps finished
  Index total = 0;                              // steps at most; 0: not known
  double objective = 0;                         // log evidence, or what objective_name says
  Index active = 0;                             // weights still in the model
  std::string objective_name = "log evidence";  // empty: there is none
  std::string active_name = "active";           // what `active` counts
  Index models = 1;  // that are fitted at once, of which this event is about one
  Index models_done = 0;
};

/// Returns false to ask the fit to stop at the next safe point.
/// Called from the thread that started the fit or, under a lock, from its helpers.
using ProgressCallback = std::function<bool(const ProgressEvent&)>;

}  // namespace ardent

namespace ardent::ARDENT_V0 {

/// While it lives, work that this thread starts uses at most so many threads (0: all cores).
/// Results do not depend on it.
class ThreadLimit {
 public:
  explicit ThreadLimit(int most);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  struct Held;
  std::unique_ptr<Held> held_;
};

}  // namespace ardent::ARDENT_V0
