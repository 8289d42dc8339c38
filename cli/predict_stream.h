// Prediction of rows that come through a pipe, one after the other.
#pragma once

#include "ardent/data/read_options.h"
#include "ardent/model/predict.h"

namespace ardent::cli {

/// Reads LIBSVM or CSV rows from standard input and answers each as soon as its line is complete.
/// Every row is predicted on its own, so that an answer does not depend on when rows arrive. What
/// is no text (compressed, NPY, …) is read to its end first.
void predict_stream(const Model& model, ReadOptions read, const PredictOptions& options,
                    bool with_probabilities);

}  // namespace ardent::cli
