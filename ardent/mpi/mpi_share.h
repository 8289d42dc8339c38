// A share of rows among the processes of an mpirun.
#pragma once

#include "ardent/base/row_share.h"
#include "ardent/mpi/communicator.h"

namespace ardent {

class MpiShare : public RowShare {
 public:
  /// The communicator must outlive it.
  explicit MpiShare(Communicator& communicator) : communicator_(communicator) {}

  Index place() const override { return communicator_.rank(); }
  Index shares() const override { return communicator_.ranks(); }
  void sum(std::span<double> values) const override { communicator_.sum(values); }
  void max(std::span<double> values) const override { communicator_.max(values); }
  std::vector<std::string> gather(const std::string& own) const override {
    return communicator_.gather(own);
  }
  std::vector<std::string> gather_at_first(const std::string& own) const override {
    return communicator_.gather_at_first(own);
  }

 private:
  Communicator& communicator_;
};

}  // namespace ardent
