// ℓ1-penalised logistic or linear regression with a weight per penalty, warm-started and screened.
//
//   minimise  F(w, b) = −Σ_i c_i log p(t_i | f_i) + λ Σ_k (u_k|w_k| + ½ρw_k²),   f = Phi w + b
//
// ρ = 0: ℓ1 alone; else the elastic net. Gaussian: −log p = ½(t − f)², so λ is in the units of
// Phiᵀt. With c = Phiᵀ∂log p/∂f the solution has c_k = λ(u_k sgn w_k + ρw_k) where w_k ≠ 0,
// |c_k| ≤ λ u_k elsewhere, and a residual that sums to 0.
//
// Only columns in a working set are looked at: those not zero at the start and those that the
// sequential strong rule (Tibshirani and others 2012) does not discard, |c_k| ≥ u_k(2λ − λ'), c and
// λ' those of the start. On them: proximal Newton steps, H = PhiᵀBPhi bordered by the bias, the
// quadratic by coordinate descent (quadratic_l1.h), the step halved until F falls. Then the
// conditions are checked for all columns, those that violate them join, and so on until none does.
// Cost: a product with Phiᵀ a round, N k² for each Newton step, k columns in the working set.
#pragma once

#include <vector>

#include "ardent/inference/evidence/map_objective.h"

namespace ardent {

/// What is to be explained. What it refers to must outlive it.
struct L1Problem {
  const Design& phi;
  Likelihood likelihood;
  const Vector& t;
  const Vector& row_weights;  // >= 0, one each; rows of weight 0 have no say
  bool bias = true;
  double ridge = 0;  // ρ

  MapObjective objective() const { return {phi, likelihood, t, row_weights, 1.0}; }
};

struct L1Solution {
  std::vector<Index> active;  // columns that are not zero, ascending
  Vector w;                   // one each
  double bias = 0;
  double lambda = 0;    // of this solution
  double ridge = 0;     // ρ
  Vector correlations;  // c of every column
  MapPoint point;       // f, residual, curvature and log-likelihood (w is not kept there)
  Index newton_steps = 0;
};

/// No column but the bias; lambda is the smallest at which that is the solution for u = 1.
L1Solution empty_solution(const L1Problem& problem);

/// The solution that has these weights: f, correlations and all that follows from them.
L1Solution solution_of(const L1Problem& problem, std::vector<Index> active, Vector w, double bias,
                       double lambda);

inline constexpr double kL1Tolerance = 1e-4;

/// `penalties`: u, positive, one a column. `start`: a solution of the same problem with other
/// λ or u. `tolerance`: of the conditions, relative to λ u_k.
L1Solution solve_l1(const L1Problem& problem, double lambda, const Vector& penalties,
                    const L1Solution& start, double tolerance = kL1Tolerance);

}  // namespace ardent
