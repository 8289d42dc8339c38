// The LASSO over a few atoms, given by their Gram matrix.
#include "ardent/inference/coding/working_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "ardent/base/random.h"
#include "problems/random_matrix.h"

namespace ardent {
namespace {

using problems::random_matrix;
using problems::random_vector;

WorkingSet set_of(const Matrix& phi, const Vector& y, const Vector& weights, bool nonnegative) {
  WorkingSet set(nonnegative);
  std::vector<Index> atoms(phi.cols());
  std::iota(atoms.begin(), atoms.end(), Index{0});
  set.add(atoms, phi.transpose() * phi, phi.transpose() * y, weights);
  return set;
}

Vector spread_code(const WorkingSet& set, Index n) {
  const SparseCode code = set.code();
  Vector theta = Vector::Zero(n);
  for (std::size_t k = 0; k < code.active.size(); ++k) theta[code.active[k]] = code.theta[k];
  return theta;
}

/// Unit atoms along few directions, to 1e-8 and less; some of their own, some the negatives of
/// others.
Matrix all_but_dependent(Index rows, Index cols, std::uint64_t seed) {
  const auto directions = static_cast<Index>(1 + seed % 9);
  Matrix phi = random_matrix(rows, directions, seed) * random_matrix(directions, cols, seed + 1000);
  phi += std::pow(10.0, -8.0 - static_cast<double>(seed % 7)) * random_matrix(rows, cols, seed + 2);
  for (Index i = 0; i < cols; i += 3) phi.col(i) = random_vector(rows, 100 * seed + i);
  for (Index i = 1; seed % 2 == 0 && i < cols; i += 5) phi.col(i) = -phi.col(i - 1);
  for (Index i = 0; i < cols; ++i) phi.col(i).normalize();
  return phi;
}

// P(θ) ≤ P(0) = ½‖y‖². Coefficients of up to 1e160 were seen.
TEST(WorkingSet, AtomsThatAreAllButDependentLeaveTheObjectiveBelowItsStart) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Index rows = 20 + 5 * static_cast<Index>(seed % 3), cols = seed % 4 < 2 ? 20 : 40;
    const Matrix phi = all_but_dependent(rows, cols, seed);
    const Vector y = random_vector(rows, seed + 3000);
    const double share = std::pow(10.0, -12.0 - static_cast<double>(seed % 5));
    const Vector weights = Vector::Constant(cols, share * y.norm());
    WorkingSet set = set_of(phi, y, weights, seed % 3 == 0);
    set.solve(1e-7, y.norm());
    const Vector theta = spread_code(set, cols);
    const double objective = 0.5 * (y - phi * theta).squaredNorm() + weights.dot(theta.cwiseAbs());
    EXPECT_LE(objective, 0.5 * y.squaredNorm() * (1 + 1e-6)) << seed;
  }
}

}  // namespace
}  // namespace ardent
