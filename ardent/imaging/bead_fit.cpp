#include "ardent/imaging/bead_fit.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/imaging/psf.h"

namespace ardent {
namespace {

constexpr Index kEach = 4;

/// ΔE along one axis and its derivative by the place.
struct Profile {
  Vector share, slope;
};
Profile profile(double at, double sigma, Index voxels) {
  Profile p{Vector(voxels), Vector(voxels)};
  const double scale = 1 / (sigma * std::sqrt(2 * std::numbers::pi));
  const auto density = [&](double u) {
    return scale * elementary::exp(-u * u / (2 * sigma * sigma));
  };
  for (Index k = 0; k < voxels; ++k) {
    const double u = static_cast<double>(k + 1) - at;
    p.share[k] = pixel_share(u, sigma);
    p.slope[k] = density(u - 0.5) - density(u + 0.5);
  }
  return p;
}

/// x ⊗ y ⊗ z as voxels.
Vector product(const Vector& x, const Vector& y, const Vector& z) {
  const Matrix plane = x * y.transpose();
  const Matrix all = Eigen::Map<const Vector>(plane.data(), plane.size()) * z.transpose();
  return Eigen::Map<const Vector>(all.data(), all.size());
}

Vector residual(const Stack& stack, const std::vector<Bead>& beads) {
  Stack left = stack;
  for (Bead bead : beads) {
    bead.flux = -bead.flux;
    add_bead(bead, left);
  }
  return Eigen::Map<const Vector>(left.voxels.data(), left.size());
}

Matrix jacobian(const Stack& stack, const std::vector<Bead>& beads) {
  Matrix j(stack.size(), kEach * std::ssize(beads));
  for (std::size_t k = 0; k < beads.size(); ++k) {
    const Bead& bead = beads[k];
    const Profile x = profile(bead.x, bead.sigma_xy, stack.width),
                  y = profile(bead.y, bead.sigma_xy, stack.height),
                  z = profile(bead.z, bead.sigma_z, stack.depth);
    const Index first = kEach * static_cast<Index>(k);
    j.col(first) = bead.flux * product(x.slope, y.share, z.share);
    j.col(first + 1) = bead.flux * product(x.share, y.slope, z.share);
    j.col(first + 2) = bead.flux * product(x.share, y.share, z.slope);
    j.col(first + 3) = product(x.share, y.share, z.share);
  }
  return j;
}

std::vector<Bead> moved(const std::vector<Bead>& beads, const std::vector<Bead>& start,
                        const Vector& step, double reach) {
  std::vector<Bead> next = beads;
  for (std::size_t k = 0; k < next.size(); ++k) {
    const Index first = kEach * static_cast<Index>(k);
    const auto near = [&](double value, double origin) {
      return std::clamp(value, origin - reach, origin + reach);
    };
    next[k].x = near(next[k].x + step[first], start[k].x);
    next[k].y = near(next[k].y + step[first + 1], start[k].y);
    next[k].z = near(next[k].z + step[first + 2], start[k].z);
    next[k].flux = std::max(0.0, next[k].flux + step[first + 3]);
  }
  return next;
}

}  // namespace

BeadFit fit_beads(const Stack& stack, std::vector<Bead> start, double reach) {
  constexpr int kSteps = 30, kAttempts = 12;
  constexpr double kSettled = 1e-6;  // of χ²
  BeadFit fit{start, 0, {}};
  Vector left = residual(stack, fit.beads);
  fit.square_sum = left.squaredNorm();
  if (start.empty()) return fit;
  double damping = 1e-3;
  for (int step = 0; step < kSteps; ++step) {
    const Matrix j = jacobian(stack, fit.beads);
    fit.hessian = j.transpose() * j;
    const Vector gradient = j.transpose() * left;
    double gain = 0;
    for (int attempt = 0; attempt < kAttempts && gain == 0; ++attempt) {
      Matrix damped = fit.hessian;
      damped.diagonal().array() += damping * fit.hessian.diagonal().array() + 1e-12;
      auto next = moved(fit.beads, start, damped.ldlt().solve(gradient), reach);
      Vector next_left = residual(stack, next);
      const double square_sum = next_left.squaredNorm();
      damping *= square_sum < fit.square_sum ? 0.3 : 4;
      if (!(square_sum < fit.square_sum)) continue;
      gain = fit.square_sum - square_sum;
      fit.beads = std::move(next);
      left = std::move(next_left);
      fit.square_sum = square_sum;
    }
    if (gain <= kSettled * fit.square_sum) break;
  }
  return fit;
}

}  // namespace ardent
