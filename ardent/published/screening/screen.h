// Safe screening: atoms that are zero in every solution of a weighted LASSO, found before solving.
//
// The dual optimum η̂ is the point of {η : |φ_iᵀη| ≤ w_i} nearest to y, and |φ_iᵀη̂| < w_i means
// θ_i = 0 (paper, theorem 3.1). Each test bounds η̂ by a region and rejects the atoms whose inner
// product with it stays below w_i:
//
//   sphere   a ball                                    no further pass over the dictionary
//   dome     the ball cut by one constraint            one Gram row
//   tht      … by two (weighted two-hyperplane test)   two Gram rows
//   gap      a ball around a feasible point found on the way to the solution (gap_safe.h)
//
// All start from the feasible point s·y, s = min(1, min_i w_i/|ρ_i|). The paper scales by
// u_min/λ_max instead, which is feasible too but far smaller with unequal weights, and its λ_max
// lacks the absolute value.
#pragma once

#include <string_view>
#include <vector>

#include "ardent/inference/coding/reweighted_l1.h"
#include "ardent/published/screening/ball.h"

namespace ardent {

enum class ScreenTest { none, sphere, dome, two_hyperplane, gap };
ScreenTest parse_screen_test(std::string_view name);  // none | sphere | dome | tht | gap

struct ScreenOptions {
  ScreenTest test = ScreenTest::two_hyperplane;
  Ball ball = Ball::half;
};

/// All weights are positive. `rows` (may be null) provides Gram rows that others share; `code` is
/// for the gap test: the better it is, the more is rejected.
Screening screen(const LassoProblem& problem, const ScreenOptions& options,
                 GramRows* rows = nullptr, const SparseCode& code = {});

/// Penalties u_i ≥ 0 as weighted_lasso takes them; unpenalised atoms are projected out first, and
/// kept.
Screening screen(const Dictionary& dictionary, const Vector& signal, const Vector& penalties,
                 double lambda, const ScreenOptions& options = {}, bool nonnegative = false);

/// The coder's own test is gap; the others run before each of its solves instead.
void use_screening(const ScreenOptions& screening, CodeOptions& options);

}  // namespace ardent
