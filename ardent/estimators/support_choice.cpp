#include "ardent/estimators/support_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/estimators/engine_by_name.h"
#include "ardent/estimators/inner_folds.h"
#include "ardent/inference/evidence/support_prior.h"

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
  constexpr auto kPriced = SupportChoice::beta_binomial, kAlone = SupportChoice::none;
  if (options.support_prior == "none" || engine == "dqn" || engine == "path")
    return {kAlone, 0, ""};
  const auto design = set.map->training_design(set.scaled, problem.rows);
  const double features = set.map->linear() ? static_cast<double>(design->cols()) : 0;
  if (options.support_prior == "beta-binomial") return {kPriced, features, ""};
  if (problem.target.likelihood == Likelihood::gaussian) {
    return {kPriced, features, "a regression"};
  }
  const auto n = static_cast<double>(design->rows()), m = static_cast<double>(design->cols());
  if (n * m * std::min(n, m) > kMostFoldWork) return {kAlone, 0, "too large for folds"};
  if (!can_be_folded(problem.target)) return {kAlone, 0, "too few rows for folds"};
  const double candidates = features > 0
                                ? features
                                : effective_candidates(*design, Vector::Ones(design->rows()),
                                                       options.engine_options.bias);
  if (!SupportPrior(candidates).matters()) return {kAlone, 0, "few candidates"};
  EngineOptions alone = options.engine_options;
  alone.seed = options.seed;
  EngineOptions priced = alone;
  priced.support_prior = kPriced;
  priced.candidates = features;
  const auto kept = [&](const EngineOptions& own) {
    return engine_by_name(engine)(*design, problem.target, own, progress).posterior.active;
  };
  if (kept(alone) == kept(priced)) return {kAlone, 0, "the same columns either way"};
  const double without = InnerFolds(set, problem, alone, engine, progress).held_out_score();
  const double with = InnerFolds(set, problem, priced, engine, progress).held_out_score();
  return {with >= without ? kPriced : kAlone, features,
          fmt::format("log-likelihood of held-out rows {:.2f}, without it {:.2f}", with, without)};
}

}  // namespace ardent
