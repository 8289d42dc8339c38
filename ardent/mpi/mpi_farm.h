// Tasks over the processes of an mpirun: the first deals them out, one at a time, and works, too.
#pragma once

#include "ardent/base/task_farm.h"
#include "ardent/mpi/communicator.h"

namespace ardent {

class MpiFarm : public TaskFarm {
 public:
  /// The communicator must outlive it.
  explicit MpiFarm(Communicator& communicator) : communicator_(communicator) {}

  bool leads() const override { return communicator_.rank() == 0; }
  void run(const std::vector<std::string>& tasks,
           const std::function<std::string(const std::string&)>& work,
           const std::function<void(std::size_t, const std::string&)>& take) override;
  std::string from_leader(const std::string& own) override {
    return communicator_.gather(leads() ? own : "").front();
  }

 private:
  using Work = std::function<std::string(const std::string&)>;
  void follow(const Work& work);

  Communicator& communicator_;
};

}  // namespace ardent
