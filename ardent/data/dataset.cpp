#include "ardent/data/dataset.h"

#include <fmt/format.h>

#include "ardent/base/error.h"

namespace ardent {

std::string feature_name(const Dataset& data, Index column) {
  const auto k = static_cast<std::size_t>(column);
  if (k < data.feature_names.size()) return data.feature_names[k];
  return fmt::format("feature {}", column + 1);
}

Dataset select_rows(const Dataset& data, std::span<const Index> which) {
  if (data.share) {
    throw InputError(fmt::format(
        "{}: this needs rows of all processes at once, and {} processes share them: train without "
        "it, or in one process",
        data.source, data.share->shares()));
  }
  std::vector<double> weights;
  for (const Index i : which) {
    if (data.weights.empty()) break;
    weights.push_back(data.weights.at(i));
  }
  return {.features = select_rows(data.features, which),
          .labels = data.labels.empty() ? Labels{} : select_rows(data.labels, which),
          .weights = std::move(weights),
          .feature_names = data.feature_names,
          .label_name = data.label_name,
          .source = data.source,
          .absent_is_zero = data.absent_is_zero,
          .has_gaps = data.has_gaps,
          .layout = data.layout};
}

}  // namespace ardent
