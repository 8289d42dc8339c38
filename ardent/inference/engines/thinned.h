// Engine "thinned": one precision for all weights, and of the columns only so many as are needed to
// say the same.
//
// Hidden nodes are drawn at random, and none of them is the true one. The evidence with a precision
// for each of them prunes as if one were: of hundreds that say much the same a handful is left, and
// what the others knew is lost. One precision for all is a single number, which the rows can tell,
// and its model predicts better, but it keeps every node. So it is the reference, and what is kept
// are columns S of which a model predicts what the reference does.
//
//   1  One precision alpha for all M columns: the reference (one_precision.h).
//   2  S grows by orthogonal least squares: next comes the column that leaves least of the
//      reference's f undone (column_choice.h).
//   3  At sizes that grow by √2 the rows are fitted with the columns S alone, w_k ~ N(0, M/(|S|
//      alpha)), so that the prior variance of f is that of the reference. The first model is kept
//      that says 99% of f and of the noise beside it (s² = σ², or π²/3, that of the logistic):
//
//        Σ c_i (f_i − f_i^S)² ≤ .01 Σ c_i ((f_i − mean f)² + s²)
//
// f is what is to be the same, and not the rows' probabilities: where classes hardly overlap any
// few columns give those, and of pairs of classes f is asked for rows of the other classes, too.
//
// A starting point has a precision, and a size from which S grows on.
//
// Everything that the posterior says is of the last fit: the mode of the rows (not of the
// reference), its precision, its covariance, its evidence. Nothing is held out. Where rows are few
// and far apart f takes as many columns as there are rows, and those chosen beyond them are chosen
// by rounding: a row of weight two is then nearly, not quite, the row twice.
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
