// Prediction by parts, block by block of rows: what evidence and doubly sparse models share.
#pragma once

#include <functional>

#include "ardent/data/dataset.h"
#include "ardent/model/model_frame.h"
#include "ardent/model/model_inputs.h"
#include "ardent/model/prediction.h"

namespace ardent {

/// Rows to be predicted: the model's inputs, scaled when they are asked for.
class ModelRows {
 public:
  /// InputError unless the data fit the model (columns, names).
  ModelRows(const ModelFrame& model, const Dataset& data);

  Index size() const { return rows(inputs_.features); }
  Features scaled(Index begin, Index end) const;
  /// The same before it is scaled, and how.
  const Features& unscaled() const { return inputs_.features; }
  const Scaling& scaling() const { return scaling_; }
  const std::vector<std::string>& warnings() const { return inputs_.warnings; }

 private:
  const Scaling& scaling_;
  ModelInputs inputs_;
  Vector lengths_;  // of all rows, where the scaling needs them
};

/// Mean and variance of each part's predictor f(x).
struct Moments {
  Matrix mean;      // rows × parts
  Matrix variance;  // rows × parts; 0×0 if not asked for
};

/// What the posterior knows of the predictors f(x), noise left out.
struct Latent {
  Moments moments;
  std::vector<Matrix> draws = {};  // mask models: rows × draws of each part
};

/// Rows that are predicted at a time, by the number of basis functions alone.
Index row_block(Index basis_functions);

/// Of rows [begin, end): classes from `probabilities` (rows × parts: of each part's positive
/// class), or a regression from `moments`, which leave out the noise, with their variance where it
/// is asked for. The blocks depend on the number of basis functions alone.
Prediction predict_blocks(const ModelFrame& model, const ModelRows& rows, Index basis_functions,
                          const PredictOptions& options,
                          const std::function<Matrix(Index begin, Index end)>& probabilities,
                          const std::function<Moments(Index begin, Index end)>& moments);

/// Probability that integrates the posterior: σ(κ(v) f) with κ(v) = 1/√(1 + πv/8) (MacKay).
double moderated(double mean, double variance);
/// Its log odds, κ(v) f.
double moderated_logit(double mean, double variance);

}  // namespace ardent
