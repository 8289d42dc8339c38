// Aᵀ diag(d) A and A diag(d) Aᵀ at half the cost of a general product, in parallel.
//
// The result is cut into column panels whose bounds depend on the sizes alone, and each panel sums
// over the inner dimension in a fixed order: the same bits for any number of threads.
#pragma once

#include "ardent/base/types.h"

namespace ardent {

/// Lower triangle of out += Aᵀ diag(weights) A; what the upper triangle holds is then undefined.
void add_weighted_gram(const Eigen::Ref<const Matrix>& a, const Vector& weights,
                       Eigen::Ref<Matrix> out);

/// Lower triangle of out += A diag(weights) Aᵀ; what the upper triangle holds is then undefined.
void add_weighted_outer(const Eigen::Ref<const Matrix>& a, const Vector& weights,
                        Eigen::Ref<Matrix> out);

/// Copies the lower triangle over the upper one.
void mirror_lower(Matrix& out);

}  // namespace ardent
