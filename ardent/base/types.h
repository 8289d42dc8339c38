// The few type names that every module shares.
#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace ardent {

using Index = Eigen::Index;      // signed, 64 bits: rows, columns, counts
using Vector = Eigen::VectorXd;  // column vector
using Matrix = Eigen::MatrixXd;  // column-major

}  // namespace ardent
