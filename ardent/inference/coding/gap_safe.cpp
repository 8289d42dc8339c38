#include "ardent/inference/coding/gap_safe.h"

#include <algorithm>
#include <cmath>

namespace ardent {

void keep_possible(const LassoProblem& problem, const DualityGap& gap, const Vector& correlations,
                   const SparseCode& code, std::vector<Index>& possible) {
  const double radius = std::sqrt(2 * gap.gap);
  const double signal_norm = problem.signal.norm();
  const Vector& norms = problem.dictionary.norms();
  std::erase_if(possible, [&](Index i) {
    const double c = gap.scale * correlations[i];
    const double reach = (problem.nonnegative ? c : std::abs(c)) + radius * norms[i];
    if (reach >= problem.weights[i] - rounding_margin(c, norms[i], signal_norm)) return false;
    return !std::binary_search(code.active.begin(), code.active.end(), i);
  });
}

}  // namespace ardent
