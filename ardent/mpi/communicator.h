// All that ardent asks of MPI, in a few verbs: the only file that knows of it is communicator.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ardent {

/// The processes of one mpirun; there is one communicator, from the program's begin to its end.
class Communicator {
 public:
  Communicator(int& argc, char**& argv);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }

  /// Each number becomes its sum over all ranks, added in their order, so that neither MPI's choice
  /// of an algorithm nor the machines that ranks run on have a say in the bits.
  void sum(std::span<double> values);
  /// Each number becomes its largest over all ranks.
  void max(std::span<double> values);
  /// What every rank gives, in their order.
  std::vector<std::string> gather(const std::string& own);
  /// The same for the first rank; nothing for the others.
  std::vector<std::string> gather_at_first(const std::string& own);

  void send(int to, const std::string& message);
  struct Message {
    int from = 0;
    std::string text;
  };
  /// From any rank, the first that arrives; waits for it.
  Message receive();
  /// The same, if one has arrived.
  std::optional<Message> arrived();

  /// Ends all processes; mpirun's status is this one.
  [[noreturn]] void stop(int status);
  /// True where MPI_Init found no mpirun that started several.
  bool alone() const { return ranks_ == 1; }
  /// What this rank has sent to others, without MPI's own, and in how many rounds; `vectors`: those
  /// that summed more than a few numbers, one per column.
  struct Traffic {
    std::uint64_t bytes = 0, rounds = 0, vectors = 0;
  };
  const Traffic& traffic() const { return traffic_; }

 private:
  void sum_few(std::span<double> values);
  void sum_many(std::span<double> values);

  int rank_ = 0, ranks_ = 1;
  Traffic traffic_;
};

}  // namespace ardent
