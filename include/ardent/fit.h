// Below models: sparse Bayesian regression and classification on a design matrix of your own.
//
//   t = Phi w + bias + noise, or P(t = 1) = σ(Phi w + bias);   w_k ~ N(0, 1/alpha_k)
//
// fit() finds the precisions that the evidence prefers and the posterior of the weights that are
// left; predict() is that posterior over the rows of another design.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ardent/matrix.h"
#include "ardent/options.h"
#include "ardent/progress.h"

namespace ardent::ARDENT_V0 {

/// Of the columns that survive, m of them, in the units of the design's own columns.
struct Posterior {
  std::vector<Index> active;      // ascending
  std::vector<double> mean;       // m
  std::vector<double> precision;  // m: of the prior, alpha
  std::vector<double> relevance;  // m: in [0, 1], how far the data fix a weight
  Matrix covariance;  // (m + b) × (m + b), the bias (if any, b = 1) last; 0 × 0 if not computed
  std::vector<double> variance;  // m + b: its diagonal, or an estimate of it
  bool has_bias = false;
  double bias = 0;
  double noise_variance = 0;  // of a regression
  double log_evidence = 0;
  bool converged = false;
  std::vector<std::string> warnings;
};

enum class Likelihood { bernoulli, gaussian };

/// See options.h; `more` takes the options of docs/options.md that belong to engines.
struct FitOptions {
  Likelihood likelihood = Likelihood::gaussian;
  Engine engine = Engine::exact;
  std::optional<bool> bias = {};
  std::vector<double> weights = {};  // empty, or one per row: how often it counts
  OptionTexts more = {};
};

/// `target`: numbers, or 0 and 1 for the Bernoulli likelihood. InputError unless sizes agree and
/// all is finite. The engine is named here: `automatic` is an InputError.
Posterior fit(const Matrix& design, const std::vector<double>& target,
              const FitOptions& options = {}, const ProgressCallback& progress = {});
template <VectorLike V>
Posterior fit(const Matrix& design, const V& target, const FitOptions& options = {},
              const ProgressCallback& progress = {}) {
  return fit(design, numbers_of(target), options, progress);
}

/// Of f = Phi w + bias, the noise of observations left out.
struct Moments {
  std::vector<double> mean;
  std::vector<double> variance;
};

/// `design` has the columns of the one that was fitted.
Moments predict(const Posterior& posterior, const Matrix& design);

}  // namespace ardent::ARDENT_V0
