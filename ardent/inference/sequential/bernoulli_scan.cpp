#include "ardent/inference/sequential/bernoulli_scan.h"

#include <numeric>
#include <optional>
#include <vector>

#include "ardent/base/parallel.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/inference/evidence/primal_space.h"
#include "ardent/linalg/cholesky.h"

namespace ardent {
namespace {

constexpr Index kScannedColumns = 32;    // of 1,500 rows: they stay in the cache for all products
constexpr double kDenseEntries = 2.5e7;  // N M up to which a dense copy is kept: 200 MB
constexpr double kDenseShare = 0.1;      // nonzero; below, the design's own products are quicker

Matrix all_columns(const Design& phi) {
  std::vector<Index> all(phi.cols());
  std::iota(all.begin(), all.end(), Index{0});
  return phi.columns(all);
}

/// What the active set explains at its mode.
struct Explained {
  Matrix columns;   // B[Phi_A 1]L⁻ᵀ, N×(m+1): products with φ_k are the share of φ_kᵀBφ_k
  Vector residual;  // of the likelihood, as it is after one more Newton step
};

/// A mode is found to a tolerance only: the gradient g that is left would promise much to a basis
/// that the active ones all but span, so it is taken out of the residual, B[Phi_A 1]H⁻¹g.
Explained explained(const EvidenceState& state, const Vector& beta, const Vector& residual) {
  const Design& phi = *state.problem.phi;
  Matrix columns = all_columns(phi);
  if (state.prior->bias) {
    columns.conservativeResize(Eigen::NoChange, phi.cols() + 1);
    columns.col(phi.cols()).setOnes();
  }
  const Cholesky factor(bordered_hessian(phi, beta, *state.prior));
  const Vector left =
      bordered_ascent(phi, residual, state.w, state.mode.predictor.bias, *state.prior);
  Explained result;
  result.columns = beta.asDiagonal() * factor.half_solve(columns.transpose()).transpose();
  result.residual = residual - result.columns * factor.half_solve(left);
  return result;
}

}  // namespace

BernoulliScan::BernoulliScan(const ActiveProblem& candidates) : phi_(*candidates.phi) {
  if (static_cast<double>(phi_.rows()) * static_cast<double>(phi_.cols()) > kDenseEntries) return;
  dense_ = all_columns(phi_);
  const auto nonzero = static_cast<double>((dense_.array() != 0).count());
  if (nonzero < kDenseShare * static_cast<double>(dense_.size())) dense_.resize(0, 0);
}

BasisStatistics BernoulliScan::scan(const EvidenceState& state, std::span<const Index> active) {
  Vector residual, beta, square_norms;
  bernoulli::derivatives(state.problem.t, state.mode.predictor.fitted, residual, beta,
                         state.problem.row_weights);
  const Explained own = explained(state, beta, residual);
  BasisStatistics statistics;
  if (dense_.size() > 0) {
    square_norms.resize(phi_.cols());
    scan_dense(own.columns, own.residual, beta, square_norms, statistics);
  } else {
    phi_.weighted_square_norms(beta, square_norms);
    statistics.s = square_norms - product_square_norms(own.columns);
    phi_.multiply_transposed(own.residual, statistics.q);
  }
  finish_statistics(state, active, square_norms, statistics);
  return statistics;
}

void BernoulliScan::scan_dense(const Matrix& columns, const Vector& residual, const Vector& beta,
                               Vector& square_norms, BasisStatistics& statistics) const {
  statistics.s.resize(phi_.cols());
  statistics.q.resize(phi_.cols());
  parallel_blocks(phi_.cols(), kScannedColumns, [&](Index begin, Index end) {
    const Index size = end - begin;
    const auto block = dense_.middleCols(begin, size);
    const Matrix product = columns.transpose() * block;
    for (Index k = 0; k < size; ++k) {
      square_norms[begin + k] = (block.col(k).array().square() * beta.array()).sum();
      statistics.s[begin + k] = square_norms[begin + k] - product.col(k).squaredNorm();
    }
    statistics.q.segment(begin, size).noalias() = block.transpose() * residual;
  });
}

Vector BernoulliScan::product_square_norms(const Matrix& columns) const {
  Vector result = Vector::Zero(phi_.cols());
  Vector product;
  for (Index k = 0; k < columns.cols(); ++k) {
    phi_.multiply_transposed(columns.col(k), product);
    result.array() += product.array().square();
  }
  return result;
}

}  // namespace ardent
