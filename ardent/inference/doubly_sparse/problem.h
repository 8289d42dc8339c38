// What the mask samplers are given and what a state of theirs is.
//
// Model: f_i = b + Σ_j α_j z_j exp(−δ Σ_k ζ_k s_k (x_ik − c_jk)²), masks ζ on the D features and z
// on the candidate basis points c_j (training rows, or a subset of them), α_j ~ N(0, 1/ξ). s_k is
// 1, or, where features have widths of their own, log s_k ~ N(0, sd²).
//   Bernoulli  t_i in {0, 1}, p(t_i = 1) = σ(f_i)
//   Gaussian   t_i ~ N(f_i, noise variance)
// A row of weight c counts c times: its log likelihood is multiplied by c.
#pragma once

#include <cstdint>
#include <vector>

#include "ardent/base/types.h"
#include "ardent/inference/engine.h"

namespace ardent::doubly_sparse {

struct KernelProblem {
  Matrix rows;     // N × D, scaled; column-major: a feature is a column
  Matrix centres;  // candidates × D
  Vector t;        // N
  Likelihood likelihood = Likelihood::bernoulli;
  Vector weights = {};  // empty, or N numbers > 0

  Index size() const { return rows.rows(); }
  Index features() const { return rows.cols(); }
  Index candidates() const { return centres.rows(); }
  /// How often row i counts, and all rows together.
  double weight(Index i) const { return weights.size() == 0 ? 1 : weights[i]; }
  double total_weight() const;
};

/// Throws InputError on shapes that disagree, no rows, numbers that are not finite, weights that
/// are not above 0, or Bernoulli targets other than 0 and 1. Without features or candidates there
/// is nothing to select: refused.
void validate(const KernelProblem& problem);

/// The problem with only the rows named; candidates stay.
KernelProblem with_rows(const KernelProblem& problem, const std::vector<Index>& which);

/// One state of a chain: all that the next sweep and a prediction need.
struct KernelState {
  std::vector<std::uint8_t> features;  // ζ
  std::vector<Index> basis;            // candidates with z = 1, in the order of alpha
  Vector alpha;                        // their weights
  double bias = 0;
  double delta = 1;           // δ
  double xi = 1;              // ξ
  double noise_variance = 1;  // Gaussian likelihood
  Vector scales = {};         // s_k, of features that are off any number; empty: all 1

  double scale(Index k) const { return scales.size() == 0 ? 1 : scales[k]; }
  Index features_on() const;
  Index basis_on() const { return std::ssize(basis); }
};

/// 1/median of the squared distances (all features on) between rows, of at most 500 evenly spread
/// rows; 1 where that median is 0.
double default_delta(const Matrix& rows);

/// f of every row of `rows` (columns: the problem's features).
Vector predictor(const Matrix& rows, const Matrix& centres, const KernelState& state);

/// log p(t | f), rows weighted: Bernoulli, or Gaussian with the noise variance.
double log_likelihood(const KernelProblem& problem, const Vector& f, double noise_variance);

/// Σ_i c_i (t_i − f_i)², c the weights.
double residual_square(const KernelProblem& problem, const Vector& f);

}  // namespace ardent::doubly_sparse
