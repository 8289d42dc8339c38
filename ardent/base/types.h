// The few type names that every module shares.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <type_traits>

#include "ardent/index.h"

namespace ardent {

static_assert(std::is_same_v<Index, Eigen::Index>);
using Vector = Eigen::VectorXd;  // column vector
using Matrix = Eigen::MatrixXd;  // column-major

}  // namespace ardent
