#include "ardent/base/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <pthread.h>

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>

#include "ardent/base/error.h"
#include "ardent/base/interrupt.h"

#ifdef ARDENT_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>

// What oneTBB does with its own memory is for its authors to check. Loops' bodies, which its
// threads call, are checked all the same.
extern "C" const char* __tsan_default_suppressions() {
  return "called_from_lib:libtbb.so\n";
}
#endif

namespace ardent {
namespace {

// oneTBB is a library that the thread sanitizer has not instrumented: it cannot see that what was
// written before a loop is handed to its helpers, nor that their results are handed back. Under it
// this file is not instrumented either, and says so itself.
void hand_over([[maybe_unused]] void* loop) {
#ifdef ARDENT_THREAD_SANITIZER
  __tsan_release(loop);
#endif
}
void take_over([[maybe_unused]] void* loop) {
#ifdef ARDENT_THREAD_SANITIZER
  __tsan_acquire(loop);
#endif
}

thread_local int thread_limit = 0;  // 0: not set, all cores
thread_local bool inside_loop = false;

/// Asked once: the system answers by reading files, which a small loop would feel.
int core_count() {
  static const int count = std::max(1, tbb::info::default_concurrency());
  return count;
}

// A forked child has none of its parent's threads, and locks that they held stay locked there. So
// a child of a process that has run a parallel loop does not touch oneTBB: its loops are serial.
std::atomic<bool> forked_from_parallel{false};

/// oneTBB starts no more threads than there are cores unless allowed to.
void allow_threads(int count) {
  static std::once_flag first_use;
  std::call_once(first_use,
                 [] { pthread_atfork(nullptr, nullptr, [] { forked_from_parallel = true; }); });
  if (count <= core_count()) return;
  static std::mutex mutex;
  static std::unique_ptr<tbb::global_control> control;
  static int allowed = core_count();
  const std::lock_guard lock(mutex);
  if (count <= allowed) return;
  control.reset();  // of several limits the smallest would count
  control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<std::size_t>(count));
  allowed = count;
}

/// The threads that loops started from one thread use together, nested loops included. Each thread
/// that starts loops has an arena of its own, in which a place is kept for it.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() {
    if (forked_from_parallel) static_cast<void>(arena_.release());
  }

  tbb::task_arena& of(int count) {
    if (!arena_ || arena_->max_concurrency() != count) {
      allow_threads(count);
      arena_ = std::make_unique<tbb::task_arena>(count);
    }
    return *arena_;
  }

 private:
  std::unique_ptr<tbb::task_arena> arena_;
};

thread_local Arena arena;

/// One loop being run: threads take the next block until none is left. Blocks are taken in order,
/// so that of several that fail the smallest is always among those that were run.
class Loop {
 public:
  Loop(Index count, const std::function<void(Index)>& body) : count_(count), body_(body) {}

  void run(int workers) {
    hand_over(this);
    tbb::task_group helpers;
    help(helpers, 0, workers);
    helpers.wait();
    take_over(this);
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  /// Worker number `place` calls two more, as in a heap, and works. Those called while all threads
  /// are busy cost little: they find no block left and call nobody.
  void help(tbb::task_group& helpers, int place, int workers) {
    for (const int called : {2 * place + 1, 2 * place + 2}) {
      if (called >= workers || next_ >= count_) break;
      helpers.run([this, &helpers, called, workers] { help(helpers, called, workers); });
    }
    work();
  }

  /// Runs as if on the thread that started the loop: with its limit, and asking whom it would ask.
  void work() {
    take_over(this);
    const int limit_outside = std::exchange(thread_limit, limit_);
    const bool inside_outside = std::exchange(inside_loop, true);
    InterruptState* const interrupt_outside = interrupt_state();
    set_interrupt_state(interrupt_);
    for (Index b = next_++; b < count_; b = next_++) run_block(b);
    set_interrupt_state(interrupt_outside);
    inside_loop = inside_outside;
    thread_limit = limit_outside;
    hand_over(this);
  }

  void run_block(Index b) {
    try {
      check_interrupt();
      body_(b);
    } catch (...) {
      const std::lock_guard lock(failure_mutex_);
      if (failed_block_ < 0 || b < failed_block_) {
        failed_block_ = b;
        failure_ = std::current_exception();
      }
      next_ = count_;
    }
  }

  const Index count_;
  const std::function<void(Index)>& body_;
  const int limit_ = thread_limit;
  InterruptState* const interrupt_ = interrupt_state();
  std::atomic<Index> next_{0};
  std::mutex failure_mutex_;
  Index failed_block_ = -1;
  std::exception_ptr failure_;
};

}  // namespace

int threads() {
  return thread_limit > 0 ? thread_limit : core_count();
}

ThreadScope::ThreadScope(int count) : previous_(thread_limit) {
  if (count < 0) throw InputError("threads must be 0 (all cores) or more");
  thread_limit = count;
}

ThreadScope::~ThreadScope() {
  thread_limit = previous_;
}

void parallel_for(Index count, const std::function<void(Index)>& body) {
  const int workers = static_cast<int>(std::min<Index>(threads(), count));
  if (workers <= 1 || forked_from_parallel) {
    for (Index b = 0; b < count; ++b) {
      check_interrupt();
      body(b);
    }
    return;
  }
  Loop loop(count, body);
  if (inside_loop) {
    // A thread that waits for the rest of an inner loop may take up blocks of that loop only: one
    // of an outer loop would take long, and might want a lock that this thread holds.
    tbb::this_task_arena::isolate([&] { loop.run(workers); });
  } else {
    arena.of(threads()).execute([&] { loop.run(workers); });
  }
  loop.rethrow();
}

}  // namespace ardent
