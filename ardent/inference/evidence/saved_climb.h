// A climb of the evidence in a checkpoint: its columns, their precisions and the noise, what the
// climb carries along, and its report.
//
// The mode, its factorisation and the relevances follow from those. They are found again from
// scratch at each checkpoint, from the same problem: so a climb goes on to the same bits whether it
// was stopped there or not.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ardent/inference/evidence/evidence.h"
#include "ardent/inference/stage_checkpoint.h"

namespace ardent {

struct SavedClimb {
  EvidenceState state;          // with its relevances
  std::vector<double> carried;  // the climb's own numbers
  Report report;
  bool finished = false;
};

class ClimbCheckpoint {
 public:
  /// `place` may be null: then nothing is left and nothing found. `whole`: the problem that all
  /// states are restrictions of. The options must outlive this.
  ClimbCheckpoint(std::shared_ptr<StageCheckpoint> place, ActiveProblem whole,
                  const EngineOptions& options);

  bool due(Index stage) const { return place_ && place_->due(stage); }
  std::optional<SavedClimb> found() const;
  /// Leaves it, and what is to go on instead: the same, formed anew.
  SavedClimb renewed(Index stage, const EvidenceState& state, std::vector<double> carried,
                     const Report& report, bool finished = false) const;
  explicit operator bool() const { return place_ != nullptr; }

 private:
  std::shared_ptr<StageCheckpoint> place_;
  ActiveProblem whole_;
  const EngineOptions& options_;
};

/// Where these columns of the caller's design are among those of the problem.
std::vector<Index> positions_in(const ActiveProblem& whole, const std::vector<Index>& columns);

}  // namespace ardent
