// Training that begins where an earlier one ended.
#pragma once

#include <memory>
#include <span>

#include "ardent/estimators/candidates.h"
#include "ardent/estimators/problem.h"

namespace ardent {

/// What training begins from, beside the rows: the model being made, as far as it is, and the rows'
/// candidates.
struct WarmStart {
  const Model& start;  // an earlier model of the same map and task
  const Model& model;  // its task, classes, inputs and scaling are known
  const Candidates& candidates;
};

/// The earlier model's weights for this problem, as columns of candidates.design(problem.rows).
/// Linear: precisions are kept in the units of the data, whatever the scalings. Null where the
/// earlier model has no such problem, or kept nothing. InputError if it is of another map or task,
/// or (rbf, elm) its basis functions are not among the candidates: then rows, scaling or hidden
/// nodes have changed, and its precisions mean nothing here.
std::shared_ptr<const StartingPoint> starting_point(const WarmStart& warm, const Problem& problem);

}  // namespace ardent
