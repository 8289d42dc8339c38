#include "ardent/published/screening/region.h"

#include <algorithm>
#include <cmath>

namespace ardent {
namespace {

/// Rounding in squares of unit lengths: added wherever a difference of squares is taken, so that
/// the bound errs to the safe side.
constexpr double kDelta = 1e-13;

/// Over the ball and one halfspace. By Lagrange duality every multiplier μ ≥ 0 gives an upper
/// bound; the best one is positive where the plane cuts off the ball's own maximum.
double one_plane(double t, double psi, double t3) {
  const double s = std::sqrt(std::max(0.0, (t3 - t) * (t3 + t)) + kDelta * t3 * t3);
  const double c = std::sqrt((1 - psi) * (1 + psi) + kDelta);
  const bool cuts = t + psi * s / c > 0;
  return cuts ? s * c - psi * t : t3;
}

/// Over the ball and both halfspaces, where both multipliers are positive; else t₃, which bounds
/// all.
double both_planes(const Region& region, double t1, double t2, double t3) {
  const double tau = region.tau;
  const double psi1 = region.psi1;
  const double psi2 = region.psi2;
  const double sine = (1 - tau) * (1 + tau);
  const double h_psi_square = sine + 2 * tau * psi1 * psi2 - psi1 * psi1 - psi2 * psi2 + 4 * kDelta;
  if (sine <= 1e-8 || h_psi_square <= 1e-10) return t3;
  const double h_t = std::sqrt(
      std::max(0.0, sine * t3 * t3 + 2 * tau * t1 * t2 - t1 * t1 - t2 * t2) + 4 * kDelta * t3 * t3);
  const double h_psi = std::sqrt(h_psi_square);
  const double nu = h_t / h_psi;
  const double a = t1 + nu * psi1;
  const double b = t2 + nu * psi2;
  if (!(a > tau * b && b > tau * a)) return t3;
  return (h_t * h_psi - (psi1 - tau * psi2) * t1 - (psi2 - tau * psi1) * t2) / sine;
}

}  // namespace

double largest_product(const Region& region, double t1, double t2, double t3) {
  double bound = t3;
  if (region.planes >= 1) bound = std::min(bound, one_plane(t1, region.psi1, t3));
  if (region.planes >= 2) {
    bound = std::min(bound, one_plane(t2, region.psi2, t3));
    bound = std::min(bound, both_planes(region, t1, t2, t3));
  }
  return region.radius * bound;
}

}  // namespace ardent
