// What a public Model (include/ardent/model.h) holds.
#pragma once

#include "ardent/model.h"
#include "ardent/model/model.h"
#include "ardent/model/prediction.h"
#include "ardent/predict.h"

namespace ardent {

struct v0::Model::Held {
  ardent::Model model;
  std::vector<Part> parts;  // made once: a caller may go through those of parts() in a loop
};

v0::Model published(Model model);
PredictOptions internal_options(const v0::PredictOptions& options);

}  // namespace ardent
