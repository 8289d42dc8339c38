// The weighted LASSO and what solves it:
//
//   minimise  P(θ) = ½‖y − Φθ‖² + Σ_i w_i |θ_i|,   w_i = λu_i        (paper, eq. 20)
#pragma once

#include <limits>
#include <vector>

#include "ardent/base/types.h"
#include "ardent/inference/coding/dictionary.h"

namespace ardent {

/// One signal with its penalties. What it refers to must outlive it.
struct LassoProblem {
  const Dictionary& dictionary;
  const Vector& signal;   // y
  const Vector& rho;      // Φᵀ y
  const Vector& weights;  // w_i in (0, ∞]; ∞: the atom is not used. Atoms of length 0 have ∞
  bool nonnegative = false;  // θ ≥ 0
};

/// The coefficients that are not zero.
struct SparseCode {
  std::vector<Index> active;  // atoms, ascending
  Vector theta;               // one each
};

constexpr double kNeverUsed = std::numeric_limits<double>::infinity();

}  // namespace ardent
