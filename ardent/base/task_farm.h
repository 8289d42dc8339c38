// Tasks of which none needs another, dealt out to several processes as these get free.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ardent/base/packed.h"
#include "ardent/base/parallel.h"

namespace ardent {

class TaskFarm {
 public:
  virtual ~TaskFarm() = default;

  /// This process deals out and collects. The others' tasks are not looked at.
  virtual bool leads() const = 0;
  /// The leading process: take(k, result) for every task k as work(task) is done, in any process
  /// and in any order. Where tasks fail, the first of them that does, as InputError if that is what
  /// it was. The others: return when there is no task left.
  virtual void run(const std::vector<std::string>& tasks,
                   const std::function<std::string(const std::string&)>& work,
                   const std::function<void(std::size_t, const std::string&)>& take) = 0;
  /// What the leading process gives, to all.
  virtual std::string from_leader(const std::string& own) = 0;
};

/// The leading process's number, in all of them; the own one where there is no farm.
inline double number_of_leader(TaskFarm* farm, double own) {
  if (!farm) return own;
  Packer packer;
  packer.field("number", own);
  const std::string bytes = farm->from_leader(packer.bytes());
  Unpacker(bytes).field("number", own);
  return own;
}

/// The results of work(k), k = 0 … count − 1, which every process of the farm has afterwards, each
/// computed by one of them; on this process's threads where there is no farm. All processes call it
/// in the same order. `transfer(stream, result)` says what a result consists of (packed.h).
template <class Result, class Work, class Transfer>
std::vector<Result> dealt_out(TaskFarm* farm, Index count, const Work& work,
                              const Transfer& transfer) {
  std::vector<Result> results(count);
  if (!farm) {
    parallel_for(count, [&](Index k) { results[k] = work(k); });
    return results;
  }
  std::vector<std::string> tasks, packed(count);
  for (Index k = 0; k < count; ++k) tasks.push_back(std::to_string(k));
  farm->run(
      tasks,
      [&](const std::string& task) {
        Packer packer;
        const Result result = work(std::stol(task));
        transfer(packer, result);
        return packer.bytes();
      },
      [&](std::size_t task, const std::string& bytes) { packed[task] = bytes; });
  Packer all;
  for (const std::string& bytes : packed) all.field("result", bytes);
  const std::string shared = farm->from_leader(all.bytes());
  Unpacker each(shared);
  for (Result& result : results) {
    std::string bytes;
    each.field("result", bytes);
    Unpacker unpacker(bytes);
    transfer(unpacker, result);
  }
  return results;
}

}  // namespace ardent
