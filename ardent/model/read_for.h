// Reading rows that a model is to predict.
#pragma once

#include "ardent/data/read_options.h"
#include "ardent/model/model_frame.h"

namespace ardent {

/// The options, with what the model knows of its data: columns, label column, words, gaps.
inline ReadOptions read_options_for(const ModelFrame& model, ReadOptions options,
                                    bool labels_optional) {
  options.labels_optional = labels_optional;
  options.model_features = model.features;
  options.model_label = model.label_name;
  options.model_layout = model.layout;
  return options;
}

}  // namespace ardent
