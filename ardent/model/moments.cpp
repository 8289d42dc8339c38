#include "ardent/model/moments.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "ardent/design/gaussian_kernel.h"
#include "ardent/design/hidden_layer.h"

namespace ardent {
namespace {

Matrix all_columns(const Design& design) {
  std::vector<Index> all(static_cast<std::size_t>(design.cols()));
  std::iota(all.begin(), all.end(), Index{0});
  return design.columns(all);
}

/// Rows × basis functions.
Matrix map_rows(const Model& model, const Features& scaled) {
  const Basis& basis = model.basis;
  if (basis_size(model) == 0) return Matrix(rows(scaled), 0);
  switch (basis.kind) {
    case MapKind::rbf:
      return all_columns(*gaussian_kernel_design(scaled, basis.centres, basis.sigma));
    case MapKind::elm:
      return all_columns(*hidden_layer_design(scaled, basis.hidden_weights, basis.hidden_biases));
    case MapKind::linear:
    case MapKind::dictionary:     // has no linear predictor: see dictionary_classes.h
    case MapKind::doubly_sparse:  // its draws have kernels of their own: see kernel_draws.h
      break;
  }
  return dense_matrix(scaled);
}

/// φᵀΣφ of each row of phi (the part's own columns).
Vector row_variances(const Posterior& posterior, const Matrix& phi) {
  const Index m = phi.cols();
  const Matrix& covariance = posterior.covariance;
  const bool full = covariance.size() > 0;
  const double bias_variance = !posterior.has_bias ? 0
                               : full              ? covariance(m, m)
                                                   : posterior.variance[m];
  Vector v = Vector::Constant(phi.rows(), bias_variance);
  if (m == 0) return v;
  if (!full) {
    v += phi.array().square().matrix() * posterior.variance.head(m);
    return v;
  }
  // The lower triangle, as the model file keeps it: a loaded model predicts the same bits.
  const Matrix block = covariance.topLeftCorner(m, m);
  const Matrix product = phi * block.selfadjointView<Eigen::Lower>();
  v += product.cwiseProduct(phi).rowwise().sum();
  if (posterior.has_bias) v += 2 * (phi * covariance.row(m).head(m).transpose());
  return v.cwiseMax(0.0);  // rounding may leave −1e-17
}

void dense_part(const Posterior& posterior, const Matrix& phi, Index part, Moments& moments) {
  Matrix own;
  const bool all = static_cast<Index>(posterior.active.size()) == phi.cols();
  if (!all) own = phi(Eigen::all, posterior.active);
  const Matrix& used = all ? phi : own;
  moments.mean.col(part) = used * posterior.mean;
  moments.mean.col(part).array() += posterior.bias;
  if (moments.variance.size() > 0) {
    moments.variance.col(part) = row_variances(posterior, used);
  }
}

/// Sparse rows of a linear model whose weights are taken as independent: no need of dense rows.
void sparse_part(const Posterior& posterior, const SparseRows& rows, Index part, Moments& moments) {
  const bool with_variance = moments.variance.size() > 0;
  Vector weight = Vector::Zero(rows.cols);
  Vector spread = Vector::Zero(rows.cols);
  for (std::size_t k = 0; k < posterior.active.size(); ++k) {
    weight[posterior.active[k]] = posterior.mean[static_cast<Index>(k)];
    if (with_variance) spread[posterior.active[k]] = posterior.variance[static_cast<Index>(k)];
  }
  const double bias_spread =
      posterior.has_bias && with_variance ? posterior.variance[posterior.mean.size()] : 0;
  for (Index i = 0; i < rows.rows; ++i) {
    double mean = posterior.bias;
    double variance = bias_spread;
    const auto end = rows.offsets[static_cast<std::size_t>(i) + 1];
    for (auto e = rows.offsets[static_cast<std::size_t>(i)]; e < end; ++e) {
      const double x = rows.values[e];
      mean += weight[rows.columns[e]] * x;
      variance += spread[rows.columns[e]] * x * x;
    }
    moments.mean(i, part) = mean;
    if (with_variance) moments.variance(i, part) = variance;
  }
}

}  // namespace

Moments part_moments(const Model& model, const Features& scaled, bool with_variance) {
  const auto parts = static_cast<Index>(model.parts.size());
  Moments moments;
  moments.mean.resize(rows(scaled), parts);
  if (with_variance) moments.variance.resize(rows(scaled), parts);
  const auto* sparse = std::get_if<SparseRows>(&scaled);
  const bool linear = model.basis.kind == MapKind::linear;
  Matrix phi;  // made when the first part needs it
  for (Index p = 0; p < parts; ++p) {
    const Posterior& posterior = model.parts[static_cast<std::size_t>(p)].posterior;
    const bool independent = !with_variance || posterior.covariance.size() == 0;
    if (linear && sparse && independent) {
      sparse_part(posterior, *sparse, p, moments);
    } else {
      if (phi.rows() != rows(scaled)) phi = map_rows(model, scaled);
      dense_part(posterior, phi, p, moments);
    }
  }
  return moments;
}

Index rows_per_block(const Model& model) {
  constexpr Index kNumbers = Index{1} << 20;  // 8 MiB of phi a block
  return std::clamp<Index>(kNumbers / std::max<Index>(1, basis_size(model)), 64, 4096);
}

}  // namespace ardent
