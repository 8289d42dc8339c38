#include "ardent/base/parallel.h"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "ardent/base/error.h"
#include "ardent/base/interrupt.h"

namespace ardent {
namespace {

// std::thread rather than OpenMP: the thread sanitizer understands it, and exceptions pass through.

thread_local int thread_limit = 0;  // 0: not set, all cores
thread_local bool inside_loop = false;

/// Asked once: the system answers by opening files, which a small loop would feel.
int core_count() {
  static const int count = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return count;
}

/// One loop being run: threads take the next block until none is left.
struct Job {
  Job(Index blocks, const std::function<void(Index)>& loop_body)
      : count(blocks), body(&loop_body) {}

  Index count;
  const std::function<void(Index)>* body;
  InterruptState* interrupt = interrupt_state();
  std::atomic<Index> next{0};
  std::mutex failure_mutex;
  Index failed_block = -1;
  std::exception_ptr failure;

  void work() {
    inside_loop = true;
    InterruptState* const outside = interrupt_state();
    set_interrupt_state(interrupt);
    for (Index b = next++; b < count; b = next++) {
      try {
        check_interrupt();
        (*body)(b);
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (failed_block < 0 || b < failed_block) {
          failed_block = b;
          failure = std::current_exception();
        }
      }
    }
    set_interrupt_state(outside);
    inside_loop = false;
  }
};

/// Worker threads that sleep between loops. One loop at a time; a second caller runs serially.
class Pool {
 public:
  static Pool& instance() {
    static Pool pool;
    return pool;
  }

  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (auto& worker : workers_) worker.join();
  }

  void run(Job& job, int helpers) {
    const std::unique_lock busy(busy_, std::try_to_lock);
    if (!busy.owns_lock()) {
      job.work();
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      start_workers(helpers);
      job_ = &job;
      wanted_ = helpers;
    }
    wake_.notify_all();
    job.work();
    std::unique_lock lock(mutex_);
    wanted_ = 0;
    job_ = nullptr;
    done_.wait(lock, [this] { return running_ == 0; });
  }

 private:
  /// Where the system grants no more threads, the loop runs on those there are.
  void start_workers(int wanted) {
    try {
      while (static_cast<int>(workers_.size()) < wanted) {
        workers_.emplace_back([this] { serve(); });
      }
    } catch (const std::system_error&) {
      return;
    }
  }

  void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return stopping_ || wanted_ > 0; });
      if (stopping_) return;
      --wanted_;
      ++running_;
      Job* job = job_;
      lock.unlock();
      job->work();
      lock.lock();
      if (--running_ == 0) done_.notify_all();
    }
  }

  std::mutex busy_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<std::thread> workers_;
  Job* job_ = nullptr;
  int wanted_ = 0;
  int running_ = 0;
  bool stopping_ = false;
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
  const int helpers = static_cast<int>(std::min<Index>(threads(), count)) - 1;
  if (helpers <= 0 || inside_loop) {
    for (Index b = 0; b < count; ++b) {
      check_interrupt();
      body(b);
    }
    return;
  }
  Job job(count, body);
  Pool::instance().run(job, helpers);
  if (job.failure) std::rethrow_exception(job.failure);
}

}  // namespace ardent
