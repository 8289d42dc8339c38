// The noise variance λ where nobody knows it: λ = κ v̂.
//
// v̂ ← ‖y − Φ_S θ_LS‖²/(N − rank Φ_S), with S the code at λ = κ v̂ and θ_LS its least squares, from
// v̂ = mean(y²), three rounds. κ = 2 ln n by default: the largest of n pure noise correlations has
// about that square. (Updates of λ by EM or MacKay's rule collapse when n > N.)
#pragma once

#include "ardent/inference/coding/reweighted_l1.h"

namespace ardent {

constexpr int kNoiseRounds = 3;

/// κ for a dictionary of this many atoms.
double noise_factor(Index atoms, const CodeOptions& options);

/// v̂ of a signal of `length` numbers, whose code of this rank leaves the square of the residual;
/// `before` where it leaves no degree of freedom.
double noise_variance(double residual_square, Index rank, Index length, double signal_square,
                      double before);

/// κ·v̂. The signal is not zero.
double automatic_lambda(const CodingTask& task, const CodeOptions& options);

/// The λ that this starts from.
double first_automatic_lambda(const CodingTask& task, const CodeOptions& options);

}  // namespace ardent
