// The Gaussian process behind a relevance vector machine: a kernel on every row, not on the few
// that are kept.
//
// f ~ GP(b, s² k) with a flat prior on b (or b = 0), rows of noise variance σ²/c_i, c_i how often
// a row counts. With K the kernel among the N rows, C = s²K + σ² diag(1/c) and k* the kernel
// between them and a new row (k(x, x) = 1):
//
//   mean      b̂ + s² k*ᵀC⁻¹(t − b̂),  b̂ = 1ᵀC⁻¹t / 1ᵀC⁻¹1
//   variance  s² − s⁴ k*ᵀC⁻¹k* + (1 − s² 1ᵀC⁻¹k*)² / 1ᵀC⁻¹1
//
// Far from all rows that is s² and the variance of b̂. s² is the one of highest evidence (b
// integrated out). N³/3 multiplications to factorise C, N² for each new row.
#pragma once

#include "ardent/linalg/cholesky.h"

namespace ardent {

struct ProcessPrior {
  double amplitude = 1;       // s²
  double noise_variance = 1;  // σ²
  bool bias = true;
};

/// b̂ + s² k*ᵀ weights
struct ProcessMean {
  Vector weights;
  double bias = 0;
};

class KernelProcess {
 public:
  /// `kernel`: N×N; `counts`: N, positive.
  KernelProcess(const Matrix& kernel, const Vector& counts, const ProcessPrior& prior);

  ProcessMean mean_given(const Vector& t) const;
  /// But for a constant that no amplitude changes.
  double log_evidence(const Vector& t) const;
  /// `kernels`: N×T, between the rows and new ones. Of f, the noise left out.
  Vector variance(const Matrix& kernels) const;
  /// C = LLᵀ, and L⁻¹1 (empty: no bias).
  const Cholesky& factor() const { return factor_; }
  const Vector& half_ones() const { return half_ones_; }

 private:
  ProcessPrior prior_;
  Cholesky factor_;   // of C
  Vector half_ones_;  // L⁻¹1; empty: no bias
};

Vector process_mean(const ProcessMean& mean, double amplitude, const Matrix& kernels);

/// The s² of highest evidence roughly, from at most 200 rows, evenly spaced.
double best_amplitude(const Matrix& kernel, const Vector& t, const Vector& counts,
                      double noise_variance, bool bias);

}  // namespace ardent
