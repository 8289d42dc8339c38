// Threads that play the processes of a farm: what they share of their work is what ardent-mpi's do.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "ardent/base/task_farm.h"

namespace ardent::problems {

class ThreadFarm : public TaskFarm {
 public:
  /// body(farm) in each of so many threads, the first of which leads: what each returns.
  template <class Body>
  static auto run_in(int processes, const Body& body) {
    Board board;
    std::vector<decltype(body(static_cast<TaskFarm*>(nullptr)))> results(
        static_cast<std::size_t>(processes));
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < results.size(); ++rank) {
      threads.emplace_back([&, rank] {
        ThreadFarm farm(board, rank == 0);
        results[rank] = body(&farm);
      });
    }
    for (std::thread& thread : threads) thread.join();
    return results;
  }

  bool leads() const override { return leads_; }

  void run(const std::vector<std::string>& tasks,
           const std::function<std::string(const std::string&)>& work,
           const std::function<void(std::size_t, const std::string&)>& take) override {
    std::unique_lock lock(board_.mutex);
    Round& round = board_.rounds[rounds_++];
    while (round.next < tasks.size()) {
      const std::size_t task = round.next++;
      lock.unlock();
      std::string result = work(tasks[task]);
      lock.lock();
      round.results[task] = std::move(result);
      board_.changed.notify_all();
    }
    if (!leads_) return;
    board_.changed.wait(lock, [&] { return round.results.size() == tasks.size(); });
    for (const auto& [task, result] : round.results) take(task, result);
  }

  std::string from_leader(const std::string& own) override {
    std::unique_lock lock(board_.mutex);
    Round& round = board_.rounds[rounds_++];
    if (leads_) {
      round.results[0] = own;
      board_.changed.notify_all();
    }
    board_.changed.wait(lock, [&] { return !round.results.empty(); });
    return round.results[0];
  }

 private:
  /// One call of run or from_leader by all of them.
  struct Round {
    std::size_t next = 0;
    std::map<std::size_t, std::string> results;
  };
  struct Board {
    std::mutex mutex;
    std::condition_variable changed;
    std::map<int, Round> rounds;
  };

  ThreadFarm(Board& board, bool leads) : board_(board), leads_(leads) {}

  Board& board_;
  bool leads_;
  int rounds_ = 0;
};

}  // namespace ardent::problems
