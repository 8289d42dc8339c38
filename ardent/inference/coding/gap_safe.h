// Gap Safe, the dynamic test (Fercoq, Gramfort and Salmon 2015), for weighted penalties.
//
// The dual objective is 1-strongly concave: the dual optimum lies within √(2·gap) of any feasible
// η. With η = s r of the certificate, reject i iff  |s c_i| + √(2·gap)·d_i < w_i − ε_i. The better
// the code, the smaller the ball: at the small λ that matter, where the static tests reject
// nothing, this one rejects nearly all atoms of an image dictionary before the solver is done.
#pragma once

#include <cmath>
#include <vector>

#include "ardent/inference/coding/duality_gap.h"

namespace ardent {

/// ε_i = 1e-10·(|φ_iᵀc| + ‖φ_i‖·‖y‖): what rounding may take from a comparison of inner products.
/// Without it, duplicate and equicorrelated atoms that are active get rejected.
inline double rounding_margin(double correlation, double norm, double signal_norm) {
  return 1e-10 * (std::abs(correlation) + norm * signal_norm);
}

/// Removes from `possible` the atoms that are inactive in every solution. Those in the code stay:
/// the solver takes them out itself.
void keep_possible(const LassoProblem& problem, const DualityGap& gap, const Vector& correlations,
                   const SparseCode& code, std::vector<Index>& possible);

}  // namespace ardent
