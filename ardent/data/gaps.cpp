#include "ardent/data/gaps.h"

#include <cmath>

namespace ardent {

Vector column_means_over_gaps(const Features& features, std::span<const double> weights) {
  const auto* dense = std::get_if<DenseRows>(&features);
  if (!dense) return Vector::Zero(cols(features));
  Vector mean = Vector::Zero(dense->cols);
  Vector count = Vector::Zero(dense->cols);
  for (Index i = 0; i < dense->rows; ++i) {
    const auto row = dense->row(i);
    const double weight = weights.empty() ? 1 : weights[i];
    if (weight == 0) continue;
    for (Index k = 0; k < dense->cols; ++k) {
      const double value = row[k];
      if (std::isnan(value)) continue;
      count[k] += weight;
      mean[k] += (value - mean[k]) * (weight / count[k]);
    }
  }
  return mean;
}

Features filled(const Features& features, const Vector& fill) {
  const auto* dense = std::get_if<DenseRows>(&features);
  if (!dense) return features;
  DenseRows result{dense->rows, dense->cols, Buffer<double>::copy_of(dense->values.span())};
  double* value = result.values.mutable_data();
  for (Index i = 0; i < dense->rows; ++i) {
    for (Index k = 0; k < dense->cols; ++k, ++value) {
      if (std::isnan(*value)) *value = fill[k];
    }
  }
  return result;
}

}  // namespace ardent
