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

/// How far the gradient is from what the optimum asks for, over the weights.
double excess_of(const Matrix& phi, const Vector& y, const Vector& weights, const Vector& theta,
                 bool nonnegative) {
  const Vector g = phi.transpose() * (y - phi * theta);
  double most = 0;
  for (Index i = 0; i < theta.size(); ++i) {
    EXPECT_TRUE(!nonnegative || theta[i] >= 0) << i;
    const double off = theta[i] != 0 ? std::abs(g[i] - (theta[i] > 0 ? 1 : -1) * weights[i])
                                     : (nonnegative ? g[i] : std::abs(g[i])) - weights[i];
    most = std::max(most, off / weights[i]);
  }
  return most;
}

TEST(WorkingSet, MeetsTheToleranceThatItWasAskedForAndNoMore) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Matrix phi = random_matrix(20, 15, seed);
    const Vector y = random_vector(20, seed + 500);
    const Vector weights = random_vector(15, seed + 900).cwiseAbs().array() + 0.5;
    WorkingSet set = set_of(phi, y, weights, seed % 2 == 0);
    ASSERT_TRUE(set.solve(1e-10, y.norm()));
    EXPECT_LT(excess_of(phi, y, weights, spread_code(set, 15), seed % 2 == 0), 2e-10) << seed;
    // A few supports are looked at, not all that there are.
    EXPECT_LE(set.newton_steps(), 20) << seed;
  }
}

TEST(WorkingSet, AtomsThatComeLaterAreAtomsLikeOthers) {
  const Matrix phi = random_matrix(30, 24, 1);
  const Vector y = random_vector(30, 2);
  const Vector weights = Vector::Constant(24, 0.8);
  const Matrix gram = phi.transpose() * phi;
  const Vector rho = phi.transpose() * y;
  WorkingSet grown(false);
  std::vector<Index> atoms(24);
  std::iota(atoms.begin(), atoms.end(), Index{0});
  // Sizes that fill the room and sizes that ask for more.
  for (const auto& [first, last] : {std::pair{0, 3}, {3, 6}, {6, 7}, {7, 20}, {20, 24}}) {
    const Index count = last - first;
    grown.add(std::span(atoms).subspan(first, count), gram.block(0, first, last, count),
              rho.segment(first, count), weights.segment(first, count));
    ASSERT_TRUE(grown.solve(1e-12, y.norm()));
    const Vector theta = spread_code(grown, last);
    EXPECT_LT(excess_of(phi.leftCols(last), y, weights.head(last), theta, false), 1e-11) << last;
  }
  WorkingSet at_once = set_of(phi, y, weights, false);
  at_once.solve(1e-12, y.norm());
  EXPECT_LT((spread_code(grown, 24) - spread_code(at_once, 24)).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(WorkingSet, ACodeToStartFromIsTakenAndAnOptimumIsLeft) {
  const Matrix phi = random_matrix(30, 12, 3);
  const Vector y = random_vector(30, 4);
  const Vector weights = Vector::Constant(12, 1.0);
  WorkingSet first = set_of(phi, y, weights, false);
  first.solve(1e-12, y.norm());
  const SparseCode found = first.code();
  ASSERT_GT(found.active.size(), 2u);
  WorkingSet second = set_of(phi, y, weights, false);
  second.set_code(found);
  EXPECT_EQ(spread_code(second, 12), spread_code(first, 12));
  ASSERT_TRUE(second.solve(1e-10, y.norm()));
  EXPECT_LE(second.newton_steps(), 1);
  EXPECT_LT((spread_code(second, 12) - spread_code(first, 12)).cwiseAbs().maxCoeff(), 1e-12);
}

// Of atoms that are the same one keeps all of the weight that the others would take, and the
// objective is that of the problem without them.
TEST(WorkingSet, DuplicatesEndIndependent) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Matrix phi = random_matrix(20, 12, seed);
    const Vector y = random_vector(20, seed + 50);
    const Vector weights = Vector::Constant(12, 0.3);
    for (Index i = 6; i < 12; ++i) phi.col(i) = (i % 2 == 0 ? 1 : -1) * phi.col(i - 6);
    WorkingSet set = set_of(phi, y, weights, false);
    SparseCode start;  // all of them at work
    start.theta = random_vector(12, seed + 70);
    start.active.resize(12);
    std::iota(start.active.begin(), start.active.end(), Index{0});
    set.set_code(start);
    ASSERT_TRUE(set.solve(1e-10, y.norm()));
    const Vector theta = spread_code(set, 12);
    EXPECT_LT(excess_of(phi, y, weights, theta, false), 1e-9) << seed;
    for (Index i = 6; i < 12; ++i) EXPECT_TRUE(theta[i] == 0 || theta[i - 6] == 0) << seed;
  }
}

}  // namespace
}  // namespace ardent
