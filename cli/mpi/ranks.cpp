// ardent-mpi: the processes of one mpirun.
#include <memory>

#include "../ranks.h"
#include "ardent/mpi/communicator.h"
#include "ardent/mpi/mpi_farm.h"
#include "ardent/mpi/mpi_share.h"

namespace ardent::cli {
namespace {

class MpiRanks : public Ranks {
 public:
  explicit MpiRanks(Communicator& communicator)
      : communicator_(communicator),
        share_(std::make_shared<MpiShare>(communicator)),
        farm_(communicator) {}

  int rank() const override { return communicator_.rank(); }
  int count() const override { return communicator_.ranks(); }
  SharePointer share() override { return share_; }
  TaskFarm& farm() override { return farm_; }
  Traffic traffic() const override {
    const Communicator::Traffic& own = communicator_.traffic();
    return {own.bytes, own.rounds, own.vectors};
  }
  [[noreturn]] void stop(int status) override { communicator_.stop(status); }

 private:
  Communicator& communicator_;
  SharePointer share_;
  MpiFarm farm_;
};

}  // namespace

Ranks* join_ranks(int& argc, char**& argv) {
  // Until the program's end, where MPI wants to be told of it.
  static Communicator communicator(argc, argv);
  if (communicator.alone()) return nullptr;
  static MpiRanks ranks(communicator);
  return &ranks;
}

const char* command_name() {
  return "ardent-mpi";
}

}  // namespace ardent::cli
