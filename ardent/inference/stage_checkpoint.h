// Where an engine leaves what it has reached, now and then, so that a run that is killed goes on
// from there to the same bits.
#pragma once

#include "ardent/base/container.h"
#include "ardent/base/types.h"

namespace ardent {

class StageCheckpoint {
 public:
  virtual ~StageCheckpoint() = default;

  /// After this stage, from 1, the state is to be left: whether it is then taken up or not.
  virtual bool due(Index stage) const = 0;
  virtual void leave(Index stage, const ContainerWriter& state) = 0;
  /// What an earlier run of the same fit has left; null: nothing.
  virtual const Container* found() const = 0;
};

}  // namespace ardent
