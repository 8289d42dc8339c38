// Predictions of a doubly sparse model: averages over the sampled states of its parts.
//
//   classification  p(positive) = mean over draws of σ(f_d(x)); plug-in: σ(mean of f_d(x))
//   regression      mean of f_d(x); variance of f_d(x) over draws plus the mean noise variance
#pragma once

#include "ardent/model/model.h"
#include "ardent/model/moments.h"

namespace ardent {

/// f of each row (columns: the model's inputs, scaled) under one draw.
Vector draw_predictor(const Matrix& rows, const Matrix& centres, const KernelDraw& draw);

/// Rows × parts: the probability of each part's positive class.
Matrix draw_probabilities(const Model& model, const Features& scaled, bool plug_in);

/// Rows × parts: mean of f and its variance over draws, the noise that is beyond the posterior's
/// noise_variance (which prediction adds) left out.
Moments draw_moments(const Model& model, const Features& scaled);

/// Throws InputError naming the first thing in a part's draws that contradicts the model; a model
/// of another map must have none.
void check_draws(const Model& model, std::size_t part);

}  // namespace ardent
