// One width per feature for the rbf map of a regression: k(x, z) = exp(−Σ_j η_j (x_j − z_j)²).
//
// Five widths can be tried on folds, d of them cannot; and the evidence of a relevance vector
// machine prefers kernels that are too narrow. The evidence of the Gaussian process with a kernel
// on every row (kernel_process.h) does not: all its weights share one precision, so that it
// has d + 2 numbers to learn, not d + N. With C = s²K + σ² diag(1/c), P = C⁻¹ − C⁻¹11ᵀC⁻¹/1ᵀC⁻¹1
// (the bias has a flat prior), a = Pt and W = aaᵀ − P, where no row counts but once,
//
//   ∂E/∂ log θ = ½ tr(W ∂C/∂ log θ),  θ = η_1 … η_d, s², σ²
//
// climbed by the signs of the slopes, each with a step of its own (Riedmiller and Braun 1993,
// Rprop), for 60 steps of N³ + N²d multiplications; N is 300 rows at most, evenly spaced. What is
// learnt multiplies the factors of the scaling, √η_j over the largest of them: a feature that says
// nothing gets a factor of next to 0. The common width is then chosen as ever.
#pragma once

#include "ardent/base/types.h"

namespace ardent {

/// The evidence, but for a constant, and its slopes in log η_1 … log η_d, log s², log σ².
struct ProcessEvidence {
  double value = 0;
  Vector slope;
};
/// `x`: N×d; `counts`: how often each row counts.
ProcessEvidence process_evidence(const Matrix& x, const Vector& t, const Vector& counts,
                                 const Vector& log_theta);

/// √η_j, the largest 1.
Vector learn_feature_factors(const Matrix& x, const Vector& t, const Vector& counts);

}  // namespace ardent
