// Finding a model's inputs among the columns of new data.
#pragma once

#include "ardent/model/model_frame.h"

namespace ardent {

/// The columns that the model uses, in its order, not yet scaled.
/// Where both have feature names, columns are found by name: data may have them in another order,
/// or have further ones. Otherwise by position: further columns must be empty; missing ones are
/// zero (sparse data) or refused (dense data). A model whose scaling has unit rows needs every
/// column where it was in training, and data whose names say otherwise are refused.
Features model_inputs(const ModelFrame& model, const Dataset& data);

}  // namespace ardent
