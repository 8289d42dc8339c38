#include "ardent/mpi/mpi_farm.h"

#include <chrono>
#include <future>
#include <map>
#include <optional>
#include <thread>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr auto kPause = std::chrono::milliseconds(1);  // between looks at what has arrived

// What messages begin with.
constexpr char kReady = 'r', kDone = 'd', kRefused = 'i', kFailed = 'f';  // to the first process
constexpr char kTask = 't', kNoMore = 'n';                                // from it

using Work = std::function<std::string(const std::string&)>;

/// The result of a task, or why there is none.
std::string outcome(const Work& work, const std::string& task) {
  try {
    return kDone + work(task);
  } catch (const InputError& error) {
    return kRefused + std::string(error.what());
  } catch (const std::exception& error) {
    return kFailed + std::string(error.what());
  }
}

/// Which tasks are out, which failed, and which is next.
class Deal {
 public:
  Deal(const std::vector<std::string>& tasks,
       const std::function<void(std::size_t, const std::string&)>& take)
      : tasks_(tasks), take_(take) {}

  /// The next task for that process; none after a failure.
  const std::string* next(int to) {
    if (failure_ || next_ == tasks_.size()) return nullptr;
    out_[to] = next_;
    return &tasks_[next_++];
  }

  void returned(int from, const std::string& text) {
    const std::size_t task = out_.at(from);
    out_.erase(from);
    if (text.front() == kDone) return take_(task, text.substr(1));
    // Tasks are dealt in order, so that all before the first that fails are dealt.
    if (!failure_ || task < failed_) {
      failed_ = task;
      failure_ = text;
    }
  }

  void rethrow() const {
    if (!failure_) return;
    if (failure_->front() == kRefused) throw InputError(failure_->substr(1));
    throw Error(failure_->substr(1));
  }

 private:
  const std::vector<std::string>& tasks_;
  const std::function<void(std::size_t, const std::string&)>& take_;
  std::size_t next_ = 0, failed_ = 0;
  std::map<int, std::size_t> out_;  // by process
  std::optional<std::string> failure_;
};

}  // namespace

void MpiFarm::run(const std::vector<std::string>& tasks, const Work& work,
                  const std::function<void(std::size_t, const std::string&)>& take) {
  if (!leads()) return follow(work);
  Deal deal(tasks, take);
  // Its own task is on a thread of its own, which never calls MPI: others need not wait for it.
  std::future<std::string> own;
  int working = communicator_.ranks() - 1;
  const int limit = threads();
  const auto start_own = [&] {
    const std::string* const task = deal.next(0);
    if (!task) return;
    own = std::async(std::launch::async, [&work, limit, text = *task] {
      const ThreadScope scope(limit);
      return outcome(work, text);
    });
  };
  start_own();
  while (working > 0 || own.valid()) {
    while (const auto message = communicator_.arrived()) {
      if (message->text.front() != kReady) deal.returned(message->from, message->text);
      const std::string* const task = deal.next(message->from);
      communicator_.send(message->from, task ? kTask + *task : std::string(1, kNoMore));
      if (!task) --working;
    }
    if (own.valid() && own.wait_for(kPause) == std::future_status::ready) {
      deal.returned(0, own.get());
      start_own();
    } else if (!own.valid()) {
      std::this_thread::sleep_for(kPause);
    }
  }
  deal.rethrow();
}

void MpiFarm::follow(const Work& work) {
  std::string report(1, kReady);
  while (true) {
    communicator_.send(0, report);
    const Communicator::Message order = communicator_.receive();
    if (order.text.front() == kNoMore) return;
    report = outcome(work, order.text.substr(1));
  }
}

}  // namespace ardent
