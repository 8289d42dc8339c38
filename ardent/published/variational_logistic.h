// Variational logistic regression with the bound of Jaakkola and Jordan: the paper's VB step,
// equations (31)–(35).
//
// Model: t_i in {0, 1} with p(t_i = 1) = σ(f_i), f = Kα, α_j ~ N(0, 1/precision_j). For any ρ_i,
//   log σ(s f) ≥ log σ(ρ) + (s f − ρ)/2 − λ(ρ)(f² − ρ²),   λ(ρ) = tanh(ρ/2)/(4ρ),
// which is Gaussian in α. One step:
//   E   S⁻¹ = diag(precision) + 2 Kᵀ diag λ(ρ) K,   m = S Kᵀκ,   κ = t − ½
//   M   ρ_i² = k_iᵀ(S + m mᵀ)k_i, k_i the i-th row of K
// The bound on log p(t) at the ρ of the E step,
//   ½ log|S| + ½ Σ log precision + ½ mᵀS⁻¹m + Σ_i [log σ(ρ_i) − ρ_i/2 + λ(ρ_i) ρ_i²],
// rises at every step (checked).
//
// Where the print is wrong: (33) lacks the inverse on the left, and its S₀⁻¹ is written as S₀ in
// Algorithm 2; (34) has λ negative, which makes S indefinite; (35) is meant for each row.
//
// Cost of a step: O(N m² + m³).
#pragma once

#include <optional>

#include "ardent/base/random.h"
#include "ardent/base/types.h"
#include "ardent/linalg/cholesky.h"

namespace ardent::doubly_sparse {

struct VariationalPosterior {
  Vector mean;                     // m
  std::optional<Cholesky> factor;  // of S⁻¹; none where there are no columns
  Vector lambda;                   // λ(ρ) of the last E step
  Vector rho;                      // after the last M step: where a further call goes on
  Vector bounds;                   // one per step

  double bound() const { return bounds[bounds.size() - 1]; }
};

/// λ(ρ) = tanh(ρ/2)/(4ρ), 1/8 at 0.
double jaakkola_lambda(double rho);

/// `steps` >= 1 steps from `rho` (N entries). Columns may be none: then the bound is exact after
/// one step.
VariationalPosterior variational_logistic(const Matrix& columns, const Vector& t,
                                          const Vector& precision, Vector rho, Index steps);

/// A draw of N(m, S): S times a draw of N(0, S⁻¹), which needs no factor of S itself.
Vector draw_weights(const VariationalPosterior& posterior, const Matrix& columns,
                    const Vector& precision, Random& random);

}  // namespace ardent::doubly_sparse
