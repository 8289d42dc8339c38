#include "ardent/inference/sequential/scan.h"

#include <algorithm>
#include <limits>

#include "ardent/inference/evidence/precision_update.h"

namespace ardent {
namespace {

constexpr double kSmallestNotGamma = 1e-15;  // the same of 1 − γ
constexpr double kSpanned = 1e-10;           // of φᵀBφ: a smaller S is rounding

}  // namespace

BasisStatistics active_statistics(const EvidenceState& state) {
  const auto alpha = state.precisions.alpha.array();
  const Eigen::ArrayXd gamma = state.relevance.gamma.array().max(kSmallestGamma);
  const Eigen::ArrayXd not_gamma = (1 - gamma).max(kSmallestNotGamma);
  return {alpha * gamma / not_gamma, alpha * state.w.array() / not_gamma};
}

void finish_statistics(const EvidenceState& state, std::span<const Index> active,
                       const Vector& square_norms, BasisStatistics& statistics) {
  for (Index k = 0; k < square_norms.size(); ++k) {
    if (statistics.s[k] > kSpanned * square_norms[k]) continue;
    statistics.s[k] = std::max(square_norms[k], std::numeric_limits<double>::min());
    statistics.q[k] = 0;
  }
  const BasisStatistics own = active_statistics(state);
  for (std::size_t k = 0; k < active.size(); ++k) {
    statistics.s[active[k]] = own.s[k];
    statistics.q[active[k]] = own.q[k];
  }
}

}  // namespace ardent
