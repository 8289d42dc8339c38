#include "ardent/model/predict.h"

#include <cmath>
#include <numbers>

#include "ardent/model/block_prediction.h"

namespace ardent {

double moderated(double mean, double variance) {
  return sigmoid(mean / std::sqrt(1 + std::numbers::pi / 8 * variance));
}

Prediction predict(const Model& model, const Dataset& data, const PredictOptions& options) {
  const ModelRows rows(model, data);
  return std::visit([&](const auto& kind) { return kind.predict(model, rows, options); },
                    model.kind);
}

}  // namespace ardent
