#include "ardent/published/screening/region.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "ardent/base/random.h"
#include "ardent/base/types.h"

namespace ardent {
namespace {

using Eigen::Vector3d;

constexpr double kPi = 3.14159265358979323846;

/// A ball of radius 1 around 0 in three dimensions, cut by n_kᵀz ≤ −ψ_k: what M asks about depends
/// on the span of n₁, n₂ and φ alone, whatever the dimension.
struct Cut {
  Vector3d n1, n2;
  double psi1, psi2;
};

Vector3d random_direction(Random& random) {
  return Vector3d(random.normal(), random.normal(), random.normal()).normalized();
}

/// The best point of plane `n` ∩ sphere that satisfies the other cut: angles by brute force, the
/// best one refined by ever finer grids.
double best_on_circle(const Vector3d& n, double psi, const Vector3d& other, double other_psi,
                      const Vector3d& phi) {
  const Vector3d a = n.unitOrthogonal();
  const Vector3d b = n.cross(a);
  const double radius = std::sqrt(std::max(0.0, 1 - psi * psi));
  double best = -1e300;
  double best_angle = 0;
  double width = kPi;
  for (int level = 0; level < 8; ++level) {
    const double centre = best_angle;
    const int steps = level == 0 ? 20000 : 200;
    for (int k = -steps; k <= steps; ++k) {
      const double angle = centre + width * k / steps;
      const Vector3d z = -psi * n + radius * (std::cos(angle) * a + std::sin(angle) * b);
      if (other.dot(z) > -other_psi + 1e-12) continue;
      if (const double value = phi.dot(z); value > best) {
        best = value;
        best_angle = angle;
      }
    }
    width /= level == 0 ? 2000 : 50;
  }
  return best;
}

/// Where both planes meet the sphere: two points.
double best_where_both_meet(const Cut& cut, const Vector3d& phi) {
  const Vector3d axis = cut.n1.cross(cut.n2);
  Eigen::Matrix3d rows;
  rows << cut.n1.transpose(), cut.n2.transpose(), axis.transpose();
  const Vector3d foot = rows.fullPivLu().solve(Vector3d(-cut.psi1, -cut.psi2, 0));
  const double left = 1 - foot.squaredNorm();
  if (left < 0) return -1e300;
  const Vector3d away = axis.normalized() * std::sqrt(left);
  return std::max(phi.dot(foot + away), phi.dot(foot - away));
}

/// A linear function on a ball cut by planes is largest at the ball's own pole, on one of the
/// circles, or where they meet; −1e300 if the region is empty.
double brute_force(const Cut& cut, const Vector3d& phi) {
  const Vector3d pole = phi.normalized();
  if (cut.n1.dot(pole) <= -cut.psi1 && cut.n2.dot(pole) <= -cut.psi2) return phi.norm();
  return std::max({best_on_circle(cut.n1, cut.psi1, cut.n2, cut.psi2, phi),
                   best_on_circle(cut.n2, cut.psi2, cut.n1, cut.psi1, phi),
                   best_where_both_meet(cut, phi)});
}

TEST(Region, BoundOfTwoPlanesIsTheMaximumOverTheRegion) {
  Random random(1);
  int both_mattered = 0;
  int tried = 0;
  while (tried < 400) {
    Cut cut{random_direction(random), random_direction(random), random.uniform(-0.9, 0.9),
            random.uniform(-0.9, 0.9)};
    if (best_where_both_meet(cut, Vector3d::UnitX()) < -1e299) {
      // The planes do not meet within the ball: one of them is idle, or the region is empty.
      if (std::acos(cut.psi1) + std::acos(cut.psi2) < std::acos(-cut.n1.dot(cut.n2))) continue;
    }
    const Vector3d phi = random_direction(random) * std::exp(random.normal());
    const double truth = brute_force(cut, phi);
    if (truth < -1e299) continue;
    ++tried;
    const double radius = std::exp(random.normal());
    const Region region{radius, 2, cut.psi1, cut.psi2, cut.n1.dot(cut.n2)};
    const double bound = largest_product(region, cut.n1.dot(phi), cut.n2.dot(phi), phi.norm());
    EXPECT_NEAR(bound, radius * truth, 1e-7 * radius * phi.norm()) << tried;
    const Region one{radius, 1, cut.psi1, 0, 0};
    const Region other{radius, 1, cut.psi2, 0, 0};
    const double single = std::min(largest_product(one, cut.n1.dot(phi), 0, phi.norm()),
                                   largest_product(other, cut.n2.dot(phi), 0, phi.norm()));
    if (bound < single - 1e-6 * radius * phi.norm()) ++both_mattered;
  }
  EXPECT_GT(both_mattered, 50);  // else the branch with both planes would not be tested
}

TEST(Region, BoundIsNeverBelowAPointOfTheRegion) {
  Random random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const Cut cut{random_direction(random), random_direction(random), random.uniform(-0.9, 0.7),
                  random.uniform(-0.9, 0.7)};
    const Region region{1, 2, cut.psi1, cut.psi2, cut.n1.dot(cut.n2)};
    for (int k = 0; k < 200; ++k) {
      const Vector3d z = random_direction(random) * std::cbrt(random.uniform());
      if (cut.n1.dot(z) > -cut.psi1 || cut.n2.dot(z) > -cut.psi2) continue;
      const Vector3d phi = random_direction(random);
      EXPECT_GE(largest_product(region, cut.n1.dot(phi), cut.n2.dot(phi), 1), phi.dot(z));
    }
  }
}

TEST(Region, NearlyParallelPlanesDoNotBlowUp) {
  // n₂ = n₁ up to rounding: the second plane may not make the bound smaller than the first alone.
  const Region one{1, 1, 0.3, 0, 0};
  const Region two{1, 2, 0.3, 0.3, 1 - 1e-12};
  for (const double t : {-0.9, -0.2, 0.0, 0.4, 0.99}) {
    EXPECT_NEAR(largest_product(two, t, t, 1), largest_product(one, t, 0, 1), 1e-9);
  }
}

TEST(Region, BallAloneIsTheRadius) {
  EXPECT_EQ(largest_product({.radius = 2}, 0.5, 0.5, 3), 6);
}

}  // namespace
}  // namespace ardent
