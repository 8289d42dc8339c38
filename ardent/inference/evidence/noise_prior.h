// The noise variance of a Gaussian target: a weak proper prior, so that it cannot collapse.
//
// In standard units (target of variance 1) σ² has the scaled inverse χ² prior of a millionth of a
// row whose error is the target's own standard deviation: up to a constant, as a density of log σ²,
//
//   log p(σ²) = −½·1e-6 (log σ² + 1/σ²)
//   σ² ← (‖t − f‖² + 1e-6)/(N − Σγ_k − γ_b + 1e-6)   instead of MacKay's ‖t − f‖²/(N − Σγ_k − γ_b)
//
// It adds 1e-6/N to the noise variance, which matters only where the noise is below a few
// ten-thousandths of the target's standard deviation. Where a model has as many free weights as there
// are rows MacKay's quotient is 0/0, and a noise of zero is as good as any; here what is left
// undecided is noise. (A prior that expects a small noise would pull it down there.)
#pragma once

#include "ardent/base/elementary.h"

namespace ardent {

inline constexpr double kNoisePriorRows = 1e-6;     // how many rows the prior counts as
inline constexpr double kNoisePriorSquares = 1e-6;  // the sum of their squared errors

/// Up to a constant.
inline double log_noise_prior(double variance) {
  return -0.5 * (kNoisePriorRows * elementary::log(variance) + kNoisePriorSquares / variance);
}

/// d log p/d log σ⁻².
inline double noise_prior_slope(double variance) {
  return 0.5 * (kNoisePriorRows - kNoisePriorSquares / variance);
}

/// `square_sum`: ‖t − f‖²; `free_rows`: N less what the weights have spent; may be rounding below
/// 0.
inline double best_noise_variance(double square_sum, double free_rows) {
  return (square_sum + kNoisePriorSquares) / ((free_rows > 0 ? free_rows : 0) + kNoisePriorRows);
}

}  // namespace ardent
