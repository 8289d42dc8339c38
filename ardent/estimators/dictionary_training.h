// Training of the map `dictionary`: the training rows themselves are the atoms.
#pragma once

#include "ardent/data/dataset.h"
#include "ardent/estimators/train_options.h"
#include "ardent/model/model.h"

namespace ardent {

/// Keeps options.atoms rows, as evenly spread over the classes as there are rows, drawn by
/// options.seed (0: all rows). Rows of zeros are left out. InputError if the labels are a
/// regression target, or an option is out of its range.
Model train_dictionary(const Dataset& data, const TrainOptions& options);

}  // namespace ardent
