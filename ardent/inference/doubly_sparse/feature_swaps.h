// Exchanges of a feature that is on for one that is off: where two stand in for each other, neither
// comes or goes alone.
//
// The one that goes is drawn evenly from those that are on, the one that comes from those that are
// off with probability proportional to s = r² + 0.02, r their correlation. The count of features
// stays, and with it the prior of the mask; the proposal and its reverse differ by their
// normalisers,
//   log [Σ_{l off} s(out, l) / Σ_{l off or out, l ≠ in} s(in, l)].
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ardent/base/random.h"
#include "ardent/base/types.h"

namespace ardent::doubly_sparse {

/// s of all pairs, from at most 500 evenly spread rows; beyond 1,000 features empty, which means 1.
Matrix feature_similarity(const Matrix& rows);

struct FeatureSwap {
  Index in = 0, out = 0;
  double log_hastings = 0;
};

/// Nothing where all features are on, or none.
std::optional<FeatureSwap> propose_swap(const Matrix& similarity,
                                        const std::vector<std::uint8_t>& mask, Random& random);

}  // namespace ardent::doubly_sparse
