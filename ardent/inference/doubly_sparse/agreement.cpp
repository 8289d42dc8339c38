#include "ardent/inference/doubly_sparse/agreement.h"

#include <algorithm>
#include <limits>

#include "ardent/inference/doubly_sparse/diagnostics.h"
#include "ardent/inference/doubly_sparse/rank_diagnostics.h"

namespace ardent::doubly_sparse {
namespace {

Matrix first_sweeps(const std::vector<ChainTrace>& chains, Index kept,
                    std::vector<double> ChainTrace::*trace) {
  Matrix draws(kept, std::ssize(chains));
  for (Index c = 0; c < draws.cols(); ++c) {
    draws.col(c) = Eigen::Map<const Vector>((chains[c].*trace).data(), kept);
  }
  return draws;
}

/// Whether each feature was on: sweeps × chains, one matrix per feature.
std::vector<Matrix> feature_bits(const std::vector<ChainTrace>& chains, Index kept,
                                 Index features) {
  std::vector<Matrix> bits(features, Matrix::Zero(kept, std::ssize(chains)));
  for (Index c = 0; c < std::ssize(chains); ++c) {
    for (Index s = 0; s < kept; ++s) {
      for (const std::uint32_t k : chains[c].features[s]) bits[k](s, c) = 1;
    }
  }
  return bits;
}

}  // namespace

Agreement agreement(const std::vector<ChainTrace>& chains, Index kept, Index features) {
  Agreement found{0, std::numeric_limits<double>::infinity()};
  const auto consider = [&](double r_hat, double effective) {
    found.r_hat = std::max(found.r_hat, r_hat);
    found.effective = std::min(found.effective, effective);
  };
  for (const auto trace : {&ChainTrace::log_likelihood, &ChainTrace::log_delta}) {
    const Matrix draws = first_sweeps(chains, kept, trace);
    consider(rank_r_hat(draws), std::min(bulk_effective(draws), tail_effective(draws)));
  }
  for (const Matrix& bits : feature_bits(chains, kept, features)) {
    const double share = bits.mean();
    if (share > 0.05 && share < 0.95) consider(split_r_hat(bits), effective_size(bits));
  }
  return found;
}

}  // namespace ardent::doubly_sparse
