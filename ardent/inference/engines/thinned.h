// Engine "thinned": one precision for all weights, learnt by the evidence, and of the columns only
// so many as are needed to say the same.
//
// Hidden nodes are drawn at random, and none of them is the true one. The evidence with a precision
// for each of them prunes as if one were: of hundreds that say much the same a handful is left, and
// what the others knew is lost. One precision for all is a single number, which the rows can tell,
// and its model predicts better, but it keeps every node. So it is the reference, and what is kept
// are columns S of which a model predicts what the reference does.
//
//   1  alpha ← Σγ_k/Σw_k², the fixed point of the evidence under w_k ~ N(0, 1/alpha) for all M
//      columns (MacKay's update, all precisions tied; secant steps in log alpha). A Gaussian
//      target's noise as in exact.h.
//   2  S grows by orthogonal least squares: the column next that leaves least of B^½f undone, f
//      the reference's predictor, B its curvature. That is the projection of least
//      Kullback–Leibler divergence to second order (projection predictive selection).
//   3  At sizes that grow by √2 the rows are fitted with the columns S alone, w_k ~ N(0, M/(|S|
//      alpha)): the prior variance of f is that of the reference. The first model is kept that is
//      nearer to the reference than rows can tell:
//
//        Σ_i c_i KL(p(t_i | f_i) ‖ p(t_i | f_i^S)) ≤ kSpentShare · ½Σγ_k
//
//      ½Σγ_k is how far draws of the reference's own posterior are from its mode on average.
//
// Everything that the posterior says is of the last fit: the mode of the rows (not of the
// reference), its precision, its covariance, its evidence. Nothing is held out, so that a row of
// weight two is the row twice. Columns have unit RMS inside; the bias is free.
//
// Cost: a stage of step 1 is one of `exact` with all columns (exact.h), and there are about six;
// step 2 takes a product with Phiᵀ for each column kept, step 3 next to nothing. Memory: that of
// exact.
#pragma once

#include "ardent/inference/engine.h"

namespace ardent {

/// As fit_exact. Of the options that say how precisions move (alpha_init, alpha_max, support_prior)
/// none has an effect.
Fit fit_thinned(const Design& design, const Target& target, const EngineOptions& options = {},
                const ProgressCallback& progress = {});

}  // namespace ardent
