// A path of λ from ℓ1's own solutions, each reweighted towards sparse Bayesian learning.
//
// At each λ, iterate 0 is ℓ1-penalised regression (u = 1). Then, as often as asked for, with
// S_k = Σ_i β_i φ_ik² the curvature that the data have along a weight,
//
//   γ_k = |w_k|/(λ u_k),   u_k ← 1/√(1 + γ_k S_k), not below 1e-3,   solve again
//
// which is the diagonal form of reweighted ℓ1 (coding/reweighted_l1.h): iterates after the first
// are sparse Bayesian learning, less shrunk where the data speak and sparser. γ_k is the prior
// variance under which the solution is a posterior mode: A w = c with A = diag(1/γ).
#pragma once

#include <functional>

#include "ardent/inference/path/l1_solver.h"

namespace ardent {

/// λ from the smallest at which nothing is kept, falling by even factors.
Vector lambda_grid(double largest, Index steps, double ratio);

/// A stop on a path: the step of the grid of λ, the number of reweightings, and which path it is,
/// by its ℓ2 term (path_choice.h).
struct PathPlace {
  Index step = 0;
  Index reweighting = 0;
  Index ridge = 0;  // 0: no ℓ2 term
};

/// One stop of the walk.
struct PathStop {
  Index step = 0;         // of the grid
  Index reweighting = 0;  // 0: ℓ1 itself
  const L1Solution& solution;
  const Vector& penalties;  // u
};

/// Called with each step that is done and ℓ1's solution there, from which the next one begins: a
/// checkpoint forms it anew.
using StepDone = std::function<void(Index step, L1Solution& plain)>;

/// u of the next iterate.
Vector reweighted(const L1Problem& problem, const L1Solution& solution, const Vector& penalties);

/// Visits every λ with 0 … `reweightings` iterates each, warm-started along λ and iterates, until
/// the visitor returns false. `tolerance`: that of solve_l1. From step `first` on, where `before`
/// is the solution of the step before it.
void walk_path(const L1Problem& problem, const L1Solution& before, const Vector& grid,
               Index reweightings, const std::function<bool(const PathStop&)>& visit,
               double tolerance = kL1Tolerance, Index first = 0, const StepDone& done = {});

}  // namespace ardent
