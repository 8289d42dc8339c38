// The published vote of a dictionary model (paper 001, section 4): ABS_k = Σ |θ_i| over the atoms
// of class k (eq. 53), prob_k = ABS_k/‖ABS‖₂, the largest wins (eq. 54). Probabilities that sum to
// one are ABS_k/ΣABS instead; the order is the same.
#pragma once

#include <cstdint>
#include <vector>

#include "ardent/inference/coding/batch_coder.h"

namespace ardent {

/// Signals × classes: shares of ABS; the nearest atom's class alone where the code is zero, even
/// where there is none. `atom_classes`: one per atom.
Matrix coefficient_shares(const std::vector<std::uint32_t>& atom_classes, Index classes,
                          const CodedSignals& coded);

}  // namespace ardent
