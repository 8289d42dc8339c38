// The processes that work on one command together: ardent-mpi under mpirun. The plain command is
// alone.
#pragma once

#include <cstdint>
#include <memory>

#include "ardent/base/row_share.h"
#include "ardent/base/task_farm.h"

namespace ardent::cli {

class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const = 0;   // of this process, from 0, which leads: it writes and prints
  virtual int count() const = 0;  // 2 or more
  virtual SharePointer share() = 0;
  virtual TaskFarm& farm() = 0;
  /// What this process has sent to the others, in how many rounds, and in how many of these there
  /// was a number per column.
  struct Traffic {
    std::uint64_t bytes = 0, rounds = 0, vectors = 0;
  };
  virtual Traffic traffic() const = 0;
  /// Ends all of them.
  [[noreturn]] virtual void stop(int status) = 0;
};

/// Called once, before all else; null where this process is alone. Defined in alone.cpp, and for
/// ardent-mpi in mpi/ranks.cpp.
Ranks* join_ranks(int& argc, char**& argv);
/// The command's name, "ardent" or "ardent-mpi".
const char* command_name();

/// What join_ranks() has found.
Ranks* ranks();
void set_ranks(Ranks* found);
/// This process writes files and prints.
bool leads();

}  // namespace ardent::cli
