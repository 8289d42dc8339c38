// MAP-stage: for given precisions, the mode of the posterior of (w, b).
//
// Minimises L(w, b) = −log p(t | Phi w + b) + ½wᵀAw + ½τb², which is convex.
//   Bernoulli  Newton (IRLS) with backtracking, so that L never rises; found when half the squared
//              Newton decrement, the decrease in L that a full step still promises, is below a
//              tolerance in nats. Quadratic convergence: 3 to 6 steps from a neighbouring mode.
//   Gaussian   one step from anywhere, and one more on the same factor to refine it.
#pragma once

#include "ardent/inference/evidence/weight_space.h"

namespace ardent {

struct Mode {
  Predictor predictor;
  Vector residual;            // d log p(t|f)/df at the mode
  double log_likelihood = 0;  // log p(t | f)
  double penalty = 0;         // ½wᵀAw + ½τb²
  double square_sum = 0;      // Gaussian: Σ_i c_i (t_i − f_i)²
  Index newton_steps = 0;     // factorisations
};

/// The space is left factorised at the mode's own beta. Row weights c multiply the rows' terms of
/// log p(t | f); empty: all 1.
Mode bernoulli_mode(WeightSpace& space, const Vector& t, Predictor start, double tolerance,
                    Index max_steps, const Vector& row_weights = {});
/// Where to begin in a space whose coordinates mean something else under other precisions (the dual
/// one): a Newton step, with its factorisation, from what the mode of those fitted. Such an f need
/// not be one that the space can express.
Predictor bernoulli_start(WeightSpace& space, const Vector& t, const Predictor& near,
                          const Vector& row_weights = {});
Mode gaussian_mode(WeightSpace& space, const Vector& t, double noise_variance,
                   const Vector& row_weights = {});

}  // namespace ardent
