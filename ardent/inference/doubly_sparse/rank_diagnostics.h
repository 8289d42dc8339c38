// Rank-normalised R̂, and effective sizes of the middle and of the tails: Vehtari, Gelman, Simpson,
// Carpenter and Bürkner, Bayesian Analysis 16, 2021.
//
// Draws are a matrix, one column per chain. Each is replaced by z = Φ⁻¹((rank − ⅜)/(S + ¼)), its
// rank among all S draws of all chains (ties: their mean rank), so that heavy tails do no harm.
#pragma once

#include "ardent/base/types.h"

namespace ardent::doubly_sparse {

/// Φ⁻¹(p) for 0 < p < 1: Acklam's rational approximation and one step of Halley's method.
double normal_quantile(double p);

Matrix rank_normalised(const Matrix& draws);

/// The larger of split R̂ of the normalised draws and of the normalised |draw − median|: the second
/// finds chains that agree on the middle but not on the spread. NaN for fewer than 4 draws per
/// chain.
double rank_r_hat(const Matrix& draws);

/// Effective size of the normalised draws.
double bulk_effective(const Matrix& draws);
/// The smaller effective size of whether a draw is up to the 5% and up to the 95% quantile.
double tail_effective(const Matrix& draws);

}  // namespace ardent::doubly_sparse
