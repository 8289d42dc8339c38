// Few columns: every subset of them as a model of its own, averaged by its probability.
//
// Maximising the evidence over a precision of each column takes one of several models that few rows
// cannot tell apart. Of p columns, at most ten, there are 2^p supports S, few enough to ask them
// all. The prior is that of support_prior.h, p(S) = 1/((p + 1) C(p, |S|)): the size is uniform. On
// columns of mean 0 and variance 1
//
//   w_k ~ N(0, v) for k in S, else 0
//   v         .03   .1    .3   1    3    10   30     1e3   1e5   1e7
//   p(v)      .1    .25   .25  .2   .1   .06  .03    .006  .003  .001   a regression
//                                             .04                       classes
//
// and the bias is flat; for a regression the variance is v σ², σ under 1/σ.
//
//   classes      log p(t | S, v): Laplace's approximation at the mode, Newton's method
//   regression   −½ log|I + vG| − ½(N − 1) log(1 − q/‖t − mean‖²), G = ZᵀZ and g = Zᵀt of S, q =
//                gᵀ(G + I/v)⁻¹g, exactly
//
// Mean and covariance are those of the mixture of all posteriors.
// Cost: 7 or 10 times 2^p modes of at most p weights; 10 columns of 200 rows take about a tenth of
// a second.
#pragma once

#include "ardent/inference/engine.h"

namespace ardent {

inline constexpr Index kMostSubsetColumns = 10;

struct SubsetProblem {
  Matrix z;  // columns of mean 0 and variance 1
  Likelihood likelihood = Likelihood::bernoulli;
  Vector t;
  Vector counts;  // how often each row counts
};

/// Of the mixture; the bias comes last.
struct SubsetAverage {
  Vector inclusion;           // p(column is in S)
  Vector mean;                // p + 1
  Matrix covariance;          // (p + 1)²
  Vector variance;            // of the prior, v, where the column is in S
  double noise_variance = 0;  // a regression
  double log_gain = 0;        // log of the mean of p(t | S, v) over that of no column
};

SubsetAverage average_subsets(const SubsetProblem& problem);

}  // namespace ardent
