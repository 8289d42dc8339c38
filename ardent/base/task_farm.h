// Tasks of which none needs another, dealt out to several processes as these get free.
#pragma once

#include <functional>
#include <string>
#include <vector>

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
};

}  // namespace ardent
