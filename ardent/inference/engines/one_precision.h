// One precision for all columns, learnt from the rows that it is to shrink.
//
// Regression: the evidence's own maximum over alpha and the noise, alpha ← Σγ_k/Σw_k² (MacKay's
// update with all precisions tied; secant steps in log alpha), the noise as in exact.h.
//
// Classes: the alpha at which rows are likeliest by a fit without them. Laplace's mode lies nearer
// to 0 than the mean of the posterior, most of all where classes hardly overlap, and the evidence
// about it shrinks pairs of classes so much that their probabilities say next to nothing once they
// are coupled. A row of weight c is c rows; without one of them f_i is, to first order,
//
//   f_i − h_i (t_i − y_i)/(y_i(1 − y_i)(1 − h_i)),   h_i = leverage_i/c_i   (c_i < 1: leverage_i)
//
// (approximate leave-one-out; leverages: weight_space.h). Nothing is selected here, so that a row
// had no say in more than this one number; and nothing is dealt out to folds, so that a row of
// weight two is the row twice. alpha goes in powers of ten from where it begins, in the better
// direction while all rows together gain more than a hundredth of a nat, then to the minimum of the
// parabola through the best and its neighbours.
#pragma once

#include <functional>

#include "ardent/inference/evidence/saved_climb.h"

namespace ardent {

/// −Σ c log p(t | f without the row), of classes, at a mode.
double left_out_loss(const EvidenceState& state);

/// All columns of the problem under one precision, with relevances.
EvidenceState tied_state(const ActiveProblem& problem, double alpha, double noise,
                         const EngineOptions& options, const EvidenceState* near = nullptr);

/// Called with every state, and with how far log alpha (or log noise) is about to move. False: that
/// is enough.
using OnTiedState = std::function<bool(const EvidenceState& state, double change)>;

/// From `first` on; `settled`: which was learnt before, and stays unless classes are better off at
/// a tenth or ten times of it. `place`: where the search is left, or null. `report`: what
/// `on_state` has written so far, which goes with the search.
EvidenceState learn_one_precision(const ActiveProblem& problem, const Precisions& first,
                                  bool settled, const EngineOptions& options,
                                  const std::shared_ptr<StageCheckpoint>& place,
                                  const OnTiedState& on_state, Report& report);

}  // namespace ardent
