#include "ardent/model/linear_means.h"

namespace ardent {

std::optional<LinearMeans> LinearMeans::of(const Scaling& scaling, const Posterior& posterior) {
  if (scaling.unit_rows() || (scaling.factor.array() == 0).any()) return std::nullopt;
  LinearMeans means;
  means.offset_ = scaling.offset;
  means.factor_ = scaling.factor;
  means.weight_ = Vector::Zero(scaling.factor.size());
  for (std::size_t k = 0; k < posterior.active.size(); ++k) {
    means.weight_[posterior.active[k]] = posterior.mean[static_cast<Index>(k)];
  }
  means.bias_ = posterior.bias;
  return means;
}

Vector LinearMeans::operator()(const DenseRows& rows, Index begin, Index end) const {
  using Four = Eigen::Array4d;
  using FourOf = Eigen::Map<const Four>;
  const Index columns = weight_.size(), whole = columns / 4 * 4;
  const double *const offset = offset_.data(), *const factor = factor_.data(),
                      *const weight = weight_.data();
  Vector f(end - begin);
  for (Index i = begin; i < end; ++i) {
    const double* const x = rows.values.data() + i * columns;
    Four sums = Four::Zero();
    for (Index k = 0; k < whole; k += 4) {
      sums += (FourOf(x + k) - FourOf(offset + k)) * FourOf(factor + k) * FourOf(weight + k);
    }
    double sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    for (Index k = whole; k < columns; ++k) sum += (x[k] - offset[k]) * factor[k] * weight[k];
    f[i - begin] = sum + bias_;
  }
  return f;
}

}  // namespace ardent
