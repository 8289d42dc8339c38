// Finding a model's inputs among the columns of new data.
#pragma once

#include <string>
#include <vector>

#include "ardent/model/model_frame.h"

namespace ardent {

struct ModelInputs {
  Features features;
  std::vector<std::string> warnings = {};
};

/// The columns that the model uses, in its order, without gaps, not yet scaled.
/// Where both have feature names, columns are found by name: data may have them in another order,
/// or have further ones. Otherwise by position. Of LIBSVM data, however dense, an absent column is
/// 0 and values in further ones are ignored, with a warning that counts them. Of other data,
/// further columns must be empty; missing ones are zero (sparse rows) or refused (dense rows). A
/// model whose scaling has unit rows needs every column where it was in training, and data whose
/// names say otherwise are refused. Missing values get what the model's scaling has for them.
ModelInputs model_inputs(const ModelFrame& model, const Dataset& data);

}  // namespace ardent
