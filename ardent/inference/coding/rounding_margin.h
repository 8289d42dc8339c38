// What rounding may take from a comparison of inner products: without this margin, duplicate and
// equicorrelated atoms that are active get rejected.
#pragma once

#include <cmath>

namespace ardent {

/// ε_i = 1e-10·(|φ_iᵀc| + ‖φ_i‖·‖y‖).
inline double rounding_margin(double correlation, double norm, double signal_norm) {
  return 1e-10 * (std::abs(correlation) + norm * signal_norm);
}

}  // namespace ardent
