// Training that begins where an earlier one ended.
#pragma once

#include <memory>

#include "ardent/estimators/training_set.h"

namespace ardent {

/// The earlier model's weights for this problem, as columns of its design: basis functions
/// `columns` (ascending) of set.map.
/// Linear: precisions are kept in the units of the data, whatever the scalings. Null where the
/// earlier model has no such problem, or kept nothing. InputError if it is of another map or task,
/// or its basis functions are not among the candidates: then rows, scaling or hidden nodes have
/// changed, and its precisions mean nothing here.
std::shared_ptr<const StartingPoint> starting_point(const Model& start, const TrainingSet& set,
                                                    const Problem& problem,
                                                    std::span<const Index> columns);

}  // namespace ardent
