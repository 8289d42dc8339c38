// Where an engine leaves what it has reached, now and then, so that a run that is killed goes on
// from there to the same bits.
//
// What an engine leaves it takes up at once, too: the state is formed anew from the numbers that
// are kept, whether the run was stopped there or not. So nothing has to be kept but what decides
// the rest (weights and precisions, say, but no factorisation), and bits are the same by
// construction.
#pragma once

#include <memory>
#include <string>

#include "ardent/base/container.h"
#include "ardent/base/types.h"

namespace ardent {

/// Whose numbers a state has: columns', the same in all processes that share the rows, or each
/// process's own rows', too.
enum class StateOf { columns, rows };

class StageCheckpoint {
 public:
  virtual ~StageCheckpoint() = default;

  /// After this stage, from 1, the state is to be left: whether it is then taken up or not.
  virtual bool due(Index stage) const = 0;
  virtual void leave(Index stage, const ContainerWriter& state, StateOf of = StateOf::columns) = 0;
  /// What was left last, by this run or an earlier one; null: nothing.
  virtual std::shared_ptr<const Container> found() const = 0;
  /// Of a part of the same work (a fold's walk, one of several climbs), beside this one's own
  /// state. Names are unique within the work.
  virtual std::shared_ptr<StageCheckpoint> part(const std::string& name) = 0;
};

/// Null where there is none.
inline std::shared_ptr<StageCheckpoint> part_of(const std::shared_ptr<StageCheckpoint>& whole,
                                                const std::string& name) {
  return whole ? whole->part(name) : nullptr;
}

}  // namespace ardent
