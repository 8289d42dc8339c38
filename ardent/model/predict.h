// Prediction: rows → the model's map restricted to its active basis → mean, variance, probability.
#pragma once

#include "ardent/model/block_prediction.h"
#include "ardent/model/model.h"

namespace ardent {

/// Checks that the data fit the model (columns, names), scales, maps and predicts.
/// Where both have feature names, columns are found by name, in any order. Otherwise by position:
/// absent columns of LIBSVM data are 0 and further ones are ignored with a warning; other data with
/// more columns than the model was trained with are refused unless those are empty; with fewer, the
/// missing ones are zero (sparse rows) or refused (dense rows).
Prediction predict(const Model& model, const Dataset& data, const PredictOptions& options = {});

/// Mean and variance of the predictors behind the probabilities, or the mean: where the posterior
/// leaves them uncertain. InputError for a dictionary model.
Latent latent(const Model& model, const Dataset& data);

}  // namespace ardent
