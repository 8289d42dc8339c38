#include "ardent/inference/sequential/top_down_start.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ardent/base/random.h"
#include "ardent/inference/evidence/precision_update.h"

namespace ardent {
namespace {

constexpr Index kMost = 3000;
constexpr Index kFewest = 50;           // fewer would find nothing that growing does not
constexpr double kMostStartWork = 1e9;  // N m² at the start
constexpr Index kStartStages = 1000;

/// Those chosen and others drawn evenly, `wanted` in all, ascending.
std::vector<Index> with_others(Index candidates, const std::vector<Index>& chosen, Index wanted) {
  std::vector<Index> all(candidates);
  std::iota(all.begin(), all.end(), Index{0});
  if (candidates <= wanted) return all;
  Random(0).shuffle(all);
  std::vector<Index> taken = chosen;
  for (const Index k : all) {
    if (std::ssize(taken) >= wanted) break;
    if (!std::ranges::binary_search(chosen, k)) taken.push_back(k);
  }
  std::ranges::sort(taken);
  return taken;
}

/// Of columns that are multiples of one another (repeats_active) the first.
std::vector<Index> without_copies(const ActiveProblem& candidates,
                                  const std::vector<Index>& start) {
  const Matrix columns = candidates.phi->columns(start);
  const Matrix cosines = columns.transpose() * candidates.row_weights.asDiagonal() * columns;
  std::vector<Index> kept, positions;
  for (Index j = 0; j < cosines.cols(); ++j) {
    const bool copy = std::ranges::any_of(positions, [&](Index i) {
      return std::abs(cosines(i, j)) > (1 - kRepeated) * candidates.row_count();
    });
    if (copy) continue;
    positions.push_back(j);
    kept.push_back(start[j]);
  }
  return kept;
}

}  // namespace

std::optional<SequentialModel> pruned_from_many(const ActiveProblem& candidates,
                                                const std::vector<Index>& chosen,
                                                const EngineOptions& options,
                                                const ProgressCallback& progress) {
  const auto affordable =
      static_cast<Index>(std::sqrt(kMostStartWork / static_cast<double>(candidates.rows())));
  const Index wanted = std::min(kMost, affordable);
  const bool nothing_new = std::ssize(chosen) >= std::min(wanted, candidates.active());
  if (wanted < std::min(kFewest, candidates.active()) || nothing_new) return std::nullopt;
  const std::vector<Index> start =
      without_copies(candidates, with_others(candidates.active(), chosen, wanted));
  const ActiveProblem problem = restricted(candidates, start);
  EvidenceState state = evaluate(
      problem, {Vector::Constant(problem.active(), options.alpha_init), kFirstNoiseVariance},
      options);
  find_relevance(state);
  double gain = std::numeric_limits<double>::infinity();
  Stretch stretch;
  for (Index stage = 1; stage <= kStartStages; ++stage) {
    const double before = state.log_evidence;
    const StageResult result = update_precisions(state, options, gain < kSlowGain, &stretch);
    if (result.outcome != StageOutcome::moved) break;
    gain = state.log_evidence - before;
    if (progress && !progress({"sequential", stage, kStartStages, state.log_evidence,
                               state.problem.active()})) {
      return std::nullopt;
    }
  }
  SequentialModel model;
  for (const Index column : state.problem.columns) {
    const auto at = std::ranges::lower_bound(candidates.columns, column);
    model.active.push_back(static_cast<Index>(at - candidates.columns.begin()));
  }
  model.state = std::move(state);
  return model;
}

}  // namespace ardent
