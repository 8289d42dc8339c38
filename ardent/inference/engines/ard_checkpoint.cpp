#include "ardent/inference/engines/ard_checkpoint.h"

#include <algorithm>

#include "ardent/base/array_pieces.h"
#include "ardent/inference/saved_report.h"
#include "ardent/inference/stage_checkpoint.h"

namespace ardent {
namespace {

/// Where the columns that were left are among the state's, the bias after them.
std::vector<Index> positions_of(const std::vector<Index>& kept, const ArdState& state,
                                const Container& file) {
  std::vector<Index> positions;
  for (const Index column : kept) {
    const auto place = std::ranges::lower_bound(state.columns, column);
    if (place == state.columns.end() || *place != column) file.refuse("it is of other columns");
    positions.push_back(place - state.columns.begin());
  }
  if (state.bias) positions.push_back(state.active());
  return positions;
}

}  // namespace

void leave_state(ArdStages& stages, const ArdMethod& method, Index stage, double change,
                 const Report& report, const EngineOptions& options) {
  if (!options.checkpoint || !options.checkpoint->due(stage)) return;
  stages.refit();
  const ArdState& state = stages.state_here();
  ContainerWriter file;
  file.about = {{"method", method.name()}};
  file.add("columns", state.columns);
  file.add("alpha", buffer_of(state.alpha));
  file.add("w", buffer_of(state.point.w));
  file.add("numbers", std::vector{state.noise_variance, state.mode_tolerance, change});
  const Strides& strides = state.strides;
  if (strides.lengths.size() > 0) {
    file.add("strides", buffer_of(strides.lengths));
    file.add("strides.numbers",
             std::vector{strides.longest, strides.evidence, static_cast<double>(strides.stages),
                         static_cast<double>(strides.columns)});
  }
  method.leave(file);
  add_report(report, file);
  options.checkpoint->leave(stage, file);
}

Index take_up_state(ArdState& state, ArdMethod& method, double& change, Report& report,
                    const EngineOptions& options) {
  const auto file = options.checkpoint ? options.checkpoint->found() : nullptr;
  if (!file) return 0;
  if (file->about().at("method") != method.name()) file->refuse("it is of another engine");
  const std::vector<Index> columns = file->list<Index>("columns");
  const std::vector<Index> positions = positions_of(columns, state, *file);
  ArrayPieces pieces(*file);
  const Index size = std::ssize(positions);
  state.alpha = pieces.take_vector("alpha", size);
  state.point.w = pieces.take_vector("w", size);
  const auto numbers = pieces.take<double>("numbers", 3);
  state.noise_variance = numbers[0];
  state.mode_tolerance = numbers[1];
  change = numbers[2];
  if (file->has("strides")) {
    state.strides.lengths = pieces.take_vector("strides", std::ssize(columns));
    const auto of_strides = pieces.take<double>("strides.numbers", 4);
    state.strides.longest = of_strides[0];
    state.strides.evidence = of_strides[1];
    state.strides.stages = static_cast<Index>(of_strides[2]);
    state.strides.columns = static_cast<Index>(of_strides[3]);
  }
  pieces.expect_all_taken();
  read_report(*file, report);
  method.take_up(*file, size);
  state.phi->keep(positions);
  state.columns = columns;
  state.phi->multiply(state.point.w, state.point.f);
  state.objective().evaluate(state.point);
  return std::ssize(report.stages);
}

}  // namespace ardent
