#include "ardent/inference/evidence/saved_climb.h"

#include <algorithm>

#include "ardent/inference/saved_report.h"

namespace ardent {

std::vector<Index> positions_in(const ActiveProblem& whole, const std::vector<Index>& columns) {
  std::vector<Index> positions;
  for (const Index column : columns) {
    positions.push_back(std::ranges::lower_bound(whole.columns, column) - whole.columns.begin());
  }
  return positions;
}

ClimbCheckpoint::ClimbCheckpoint(std::shared_ptr<StageCheckpoint> place, ActiveProblem whole,
                                 const EngineOptions& options)
    : place_(std::move(place)), whole_(std::move(whole)), options_(options) {}

std::optional<SavedClimb> ClimbCheckpoint::found() const {
  const auto file = place_ ? place_->found() : nullptr;
  if (!file) return std::nullopt;
  const std::vector<Index> columns = file->list<Index>("columns");
  for (const Index column : columns) {
    if (!std::ranges::binary_search(whole_.columns, column)) file->refuse("it is of other columns");
  }
  const std::vector<double> alpha = file->list<double>("alpha");
  if (alpha.size() != columns.size()) file->refuse("it has not one precision for each column");
  const std::vector<double> noise = file->list<double>("noise");
  if (noise.size() != 1) file->refuse("it has no noise");
  SavedClimb climb;
  climb.state =
      evaluate(restricted(whole_, positions_in(whole_, columns)),
               {Eigen::Map<const Vector>(alpha.data(), std::ssize(alpha)), noise[0]}, options_);
  find_relevance(climb.state);
  climb.carried = file->list<double>("carried");
  climb.finished = file->about().at("finished").get<bool>();
  read_report(*file, climb.report);
  return climb;
}

SavedClimb ClimbCheckpoint::renewed(Index stage, const EvidenceState& state,
                                    std::vector<double> carried, const Report& report,
                                    bool finished) const {
  ContainerWriter file;
  file.about["finished"] = finished;
  file.add("columns", state.problem.columns);
  file.add("alpha", buffer_of(state.precisions.alpha));
  file.add("noise", std::vector{state.precisions.noise_variance});
  file.add("carried", carried);
  add_report(report, file);
  place_->leave(stage, file);
  return *found();
}

}  // namespace ardent
