#include "ardent/model/predict.h"

namespace ardent {

Prediction predict(const Model& model, const Dataset& data, const PredictOptions& options) {
  const ModelRows rows(model, data);
  Prediction prediction =
      std::visit([&](const auto& kind) { return kind.predict(model, rows, options); }, model.kind);
  prediction.warnings.insert(prediction.warnings.begin(), rows.warnings().begin(),
                             rows.warnings().end());
  if (prediction.active == 0) prediction.active = mean_active(model);
  return prediction;
}

Latent latent(const Model& model, const Dataset& data) {
  const ModelRows rows(model, data);
  return std::visit([&](const auto& kind) { return kind.latent(model, rows); }, model.kind);
}

}  // namespace ardent
