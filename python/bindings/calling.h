// Long work for Python: the interpreter is let go, Ctrl-C is heard, progress is reported.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "ardent/base/interrupt.h"
#include "ardent/base/parallel.h"
#include "ardent/base/progress.h"

namespace ardent::python {

/// What Python has to say while the core works. Its exceptions cannot pass through the core's
/// threads: they are kept, the work is stopped, and they are raised where it was called.
class Conversation {
 public:
  /// `callback`: None, or a callable that takes a dict and may return False to stop.
  explicit Conversation(nanobind::object callback) : callback_(std::move(callback)) {}

  /// Has a signal handler (Ctrl-C) raised? Takes the GIL.
  bool interrupted();
  ProgressCallback progress();
  bool failed() const { return error_.has_value(); }
  /// Needs the GIL.
  void raise_if_failed();

 private:
  bool report(const ProgressEvent& event);

  nanobind::object callback_;
  std::optional<nanobind::python_error> error_;
  bool stop_ = false;  // asked for once, for all parts of a fit; guarded by the GIL
};

/// work(progress) without the GIL on `threads` threads (0: all cores).
template <class Work>
auto without_gil(int threads, nanobind::object callback, const Work& work) {
  Conversation conversation(std::move(callback));
  std::optional<decltype(work(ProgressCallback()))> result;
  {
    const nanobind::gil_scoped_release released;
    const ThreadScope scope(threads);
    const InterruptScope interrupt([&] { return conversation.interrupted(); });
    try {
      result.emplace(work(conversation.progress()));
    } catch (const Error&) {
      if (!conversation.failed()) throw;
    }
  }
  conversation.raise_if_failed();
  return std::move(*result);
}

}  // namespace ardent::python
