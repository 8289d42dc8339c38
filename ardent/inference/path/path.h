// Engine "path": ℓ1 first, then sparse Bayesian learning, as far as held-out rows approve.
//
// Where the truth is many weak columns (text), or columns are many, rows few and correlations high,
// selection is not the whole answer: shrinkage is. This engine walks down a path of λ that begins
// as ℓ1-penalised regression and reweights each solution towards sparse Bayesian learning up to
// `reweightings` times (l1_path.h), and chooses λ and the number of reweightings on five folds that
// repeat the whole path (path_choice.h). With none it is ℓ1 itself, so it cannot lose to ℓ1 by more
// than the noise of the folds.
//
//   size K            the stop with the most weights that has at most K; reweightings by the folds
//   max-features K    the folds choose among stops with at most K weights
//   rule 1se          the fewest weights within a standard error of the best score
//
// The posterior is Laplace's about the solution under w_k ~ N(0, γ_k), γ_k = |w_k|/(λ u_k), of
// which the solution is the mode. Gaussian: σ² as in noise_prior.h. Probabilities are those of the
// mode, as the folds have them.
//
// Columns keep the caller's units: ℓ1 depends on them. Cost: (folds + 1) walks (l1_solver.h).
#pragma once

#include "ardent/inference/path/l1_path.h"
#include "ardent/inference/target_folds.h"

namespace ardent {

struct PathOnFolds : FitOnFolds {
  PathPlace place;
  Vector held_out = {};  // classes: f of each row by the fold that does not know it, as by_row
};

PathOnFolds fit_path_on_folds(const Design& design, const Target& target,
                              const EngineOptions& options = {},
                              const ProgressCallback& progress = {});

/// The fit at that stop, without folds. Of classes: the noise of a regression needs folds.
Fit fit_path_at(const PathPlace& place, const Design& design, const Target& target,
                const EngineOptions& options = {}, const ProgressCallback& progress = {});

/// What ℓ1 alone, coarsely, does for the rows that the first of the folds holds out: −Σ log p, or
/// Σ(t − f)². A small part of the path's cost tells whether it is worth the whole.
double first_fold_l1_loss(const Design& design, const Target& target, const EngineOptions& options);

Fit fit_path(const Design& design, const Target& target, const EngineOptions& options = {},
             const ProgressCallback& progress = {});

}  // namespace ardent
