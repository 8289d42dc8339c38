// Squared distances over the features that are on, Σ_k ζ_k s_k (x_ik − c_jk)², kept and updated.
//
// Distances are kept, not kernel values: to take a feature out of a kernel value one would have to
// divide, which fails where it underflowed. A sum that features were added to and taken from drifts
// by rounding, so that it is clamped at 0, and computed from scratch once per sweep.
#pragma once

#include <cstdint>
#include <vector>

#include "ardent/base/types.h"

namespace ardent::doubly_sparse {

/// Indices of the elements that are not 0.
std::vector<Index> indices_on(const std::vector<std::uint8_t>& mask);

/// out_i = Σ over the features `on` of s_k (x_ik − c_jk)² for rows [begin, begin + out.size()).
/// `scales`: s; empty: all 1.
void masked_distance(const Matrix& rows, const Matrix& centres, Index j,
                     const std::vector<Index>& on, Eigen::Ref<Vector> out, Index begin = 0,
                     const Vector& scales = {});

/// out_i = max(0, from_i + change (x_ik − c_jk)²): feature k switched on (change s_k) or off
/// (−s_k), or its s_k changed, for rows [begin, begin + out.size()).
void changed_distance(const Matrix& rows, const Matrix& centres, Index j, Index k, double change,
                      const Eigen::Ref<const Vector>& from, Eigen::Ref<Vector> out,
                      Index begin = 0);

}  // namespace ardent::doubly_sparse
