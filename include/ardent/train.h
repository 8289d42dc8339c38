// Training: data and options to a model.
#pragma once

#include <cstdint>
#include <optional>

#include "ardent/dataset.h"
#include "ardent/model.h"
#include "ardent/progress.h"

namespace ardent::ARDENT_V0 {

/// See options.h.
struct TrainOptions {
  std::optional<Task> task = {};
  std::optional<Map> map = {};
  std::optional<Engine> engine = {};
  std::optional<Scale> scale = {};
  std::optional<double> sigma = {};   // rbf: width of the kernels
  std::optional<Index> centres = {};  // rbf: training rows that may be centres
  std::optional<Index> hidden = {};   // elm: hidden nodes
  std::optional<bool> bias = {};
  std::optional<Index> size = {};  // path: weights at most
  std::optional<std::uint64_t> seed = {};
  OptionTexts more = {};
};

/// `progress` may return false to stop at the next safe point.
Model train(const Dataset& data, const TrainOptions& options = {},
            const ProgressCallback& progress = {});

}  // namespace ardent::ARDENT_V0
