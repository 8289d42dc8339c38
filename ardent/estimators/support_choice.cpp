#include "ardent/estimators/support_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/estimators/engine_by_name.h"
#include "ardent/estimators/inner_folds.h"

namespace ardent {
namespace {

constexpr double kMostFoldWork = 1e9;  // multiplications of one Hessian

/// Folds need two rows of each class.
bool can_be_folded(const Target& target) {
  const auto ones = static_cast<Index>(target.t.sum());
  return std::min(ones, target.t.size() - ones) >= 2;
}

}  // namespace

SupportDecision choose_support_prior(const TrainingSet& set, const Problem& problem,
                                     const TrainOptions& options, const std::string& engine,
                                     const ProgressCallback& progress) {
  if (options.support_prior == "none") return {SupportChoice::none, ""};
  if (options.support_prior == "beta-binomial") return {SupportChoice::beta_binomial, ""};
  if (engine == "dqn" || engine == "path") return {SupportChoice::none, ""};
  if (problem.target.likelihood == Likelihood::gaussian) {
    return {SupportChoice::beta_binomial, "a regression"};
  }
  const auto design = set.map->training_design(set.scaled, problem.rows);
  const auto n = static_cast<double>(design->rows()), m = static_cast<double>(design->cols());
  if (n * m * std::min(n, m) > kMostFoldWork) return {SupportChoice::none, "too large for folds"};
  if (!can_be_folded(problem.target)) return {SupportChoice::none, "too few rows for folds"};
  EngineOptions alone = options.engine_options;
  alone.seed = options.seed;
  EngineOptions priced = alone;
  priced.support_prior = SupportChoice::beta_binomial;
  const auto kept = [&](const EngineOptions& own) {
    return engine_by_name(engine)(*design, problem.target, own, progress).posterior.active;
  };
  if (kept(alone) == kept(priced)) return {SupportChoice::none, "the same columns either way"};
  const double without = InnerFolds(set, problem, alone, engine, progress).held_out_score();
  const double with = InnerFolds(set, problem, priced, engine, progress).held_out_score();
  const auto decision = with >= without ? SupportChoice::beta_binomial : SupportChoice::none;
  return {decision,
          fmt::format("log-likelihood of held-out rows {:.2f}, without it {:.2f}", with, without)};
}

}  // namespace ardent
