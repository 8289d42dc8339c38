// A long training on disk: a run that is killed goes on from the last checkpoint, to the same bits.
//
// A container (base/container.h) of the kind "training": of each model that is fitted the states of
// its parts (the folds' fits, the climbs of an engine) after their last stages that were due or, of
// several models, all of it once it is fitted. Written to a temporary file and renamed; where
// several processes share the rows, by the first of them, which gathers what belongs to rows.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ardent/data/dataset.h"
#include "ardent/inference/posterior.h"
#include "ardent/inference/stage_checkpoint.h"

namespace ardent {

/// Every option by name and value, as a model records them.
using RecordedOptions = std::map<std::string, std::string>;

struct CheckpointPlan {
  std::string path;
  Index stages = 5;     // >= 1: after every so many
  bool resume = false;  // go on from what the file has, if there is one
  /// Called when a checkpoint is on disk, with a line on it.
  std::function<void(const std::string&)> written = {};
};

/// A finished fit but for its seconds, for a file or for another process.
std::string bytes_of(const Fit& fit);
/// `name`: of what the bytes come from, for messages.
Fit fit_of(const std::string& bytes, const std::string& name);

class TrainingCheckpoint {
 public:
  /// Reads the file, where it is to. InputError where it is damaged or of another training.
  TrainingCheckpoint(CheckpointPlan plan, const Dataset& data, const RecordedOptions& options);
  ~TrainingCheckpoint();

  /// Of the problem of that number.
  std::shared_ptr<StageCheckpoint> stages_of(Index problem);
  /// What finish() was given of it, by this process.
  std::optional<std::string> finished(Index problem) const;
  /// The states of its parts are not needed any more.
  void finish(Index problem, const std::string& bytes);

 private:
  class Stages;
  using Place = std::pair<Index, std::string>;  // a problem and a part of its fit
  struct Entry {
    Index stage = 0;  // 0: the fit is finished
    StateOf of = StateOf::columns;
    std::string bytes;                // this process's
    std::vector<std::string> shares;  // of rows: those of all, where the file is written
  };

  bool leads() const { return !share_ || share_->place() == 0; }
  void read();
  void put(const Place& place, Entry entry);
  void save() const;

  CheckpointPlan plan_;
  SharePointer share_;
  std::string run_;  // all that decides the training's course
  mutable std::mutex mutex_;
  std::map<Place, Entry> entries_;
};

}  // namespace ardent
