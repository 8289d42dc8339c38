// Do chains agree, and how much are their draws worth? Gelman et al., Bayesian Data Analysis, 3rd
// edition, sections 11.4 and 11.5.
//
// Draws are a matrix, one column per chain. Each chain is split into halves, so that a chain that
// still drifts disagrees with itself. With W the mean variance within and B/n the variance between
// the means of the halves (n draws each): var⁺ = (n−1)/n W + B/n, R̂ = √(var⁺/W), and
//   effective size = mn/(1 + 2 Σ_t ρ_t),   ρ_t = 1 − (W − mean autocovariance at lag t)/var⁺,
// summed while sums of neighbours ρ_2k + ρ_2k+1 are positive, and made to decrease (Geyer).
#pragma once

#include "ardent/base/types.h"

namespace ardent::doubly_sparse {

/// 1 where all draws are equal; infinity where every half is constant but they differ; NaN for
/// fewer than 4 draws per chain.
double split_r_hat(const Matrix& draws);

/// At most the number of draws times log10 of it (antithetic chains may beat independent draws);
/// all draws equal: their number; halves constant but different: their number of halves; NaN for
/// fewer than 4 draws per chain.
double effective_size(const Matrix& draws);

/// A mean over all chains and how far to trust it.
struct Estimate {
  double mean = 0;
  double error = 0;  // Monte-Carlo standard error, sd/√(effective size)
  double effective = 0;
  double r_hat = 1;
};
Estimate estimate(const Matrix& draws);

/// The same for the probability that a 0/1 quantity is 1. A bit that never changed in S draws is no
/// proof of certainty: the error is that of p = (count + ½)/(S + 1).
Estimate estimate_probability(const Matrix& bits);

}  // namespace ardent::doubly_sparse
