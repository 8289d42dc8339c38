#include "ardent/imaging/stack_dictionary.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/imaging/axis_shares.h"

namespace ardent {
namespace {

void check(const StackGrid& grid) {
  const auto widths = [](double low, double high) {
    return low > 0 && high >= low && std::isfinite(high);
  };
  if (grid.width >= 1 && grid.height >= 1 && grid.depth >= 1 &&
      widths(grid.sigma_low, grid.sigma_high) && widths(grid.sigma_z_low, grid.sigma_z_high) &&
      grid.ratio > 1 && grid.step > 0) {
    return;
  }
  throw InputError(fmt::format(
      "a grid of sources in a stack needs voxels, widths 0 < low <= high, a ratio above 1 and a "
      "step above 0, not {} × {} × {} voxels, widths {} to {} and {} to {} along z, ratio {}, step "
      "{}",
      grid.width, grid.height, grid.depth, grid.sigma_low, grid.sigma_high, grid.sigma_z_low,
      grid.sigma_z_high, grid.ratio, grid.step));
}

}  // namespace

std::vector<StackDictionary::Level> StackDictionary::levels_of(const StackGrid& grid) {
  check(grid);
  const auto axis = [&](Index voxels, double sigma) {
    Axis made{grid_places(voxels, grid.step * sigma), {}, {}};
    made.shares = unit_shares(made.at, sigma, voxels, made.lengths);
    return made;
  };
  std::vector<Level> levels;
  Index first = 0;
  for (const double sigma_z : grid_widths(grid.sigma_z_low, grid.sigma_z_high, grid.ratio)) {
    for (const double sigma : grid_widths(grid.sigma_low, grid.sigma_high, grid.ratio)) {
      levels.push_back({sigma, sigma_z, axis(grid.width, sigma), axis(grid.height, sigma),
                        axis(grid.depth, sigma_z), first});
      first += levels.back().size();
    }
  }
  return levels;
}

StackDictionary::StackDictionary(const StackGrid& grid) : StackDictionary(grid, levels_of(grid)) {}

StackDictionary::StackDictionary(const StackGrid& grid, std::vector<Level> levels)
    : Dictionary(grid.width * grid.height * grid.depth,
                 Vector::Ones(levels.back().first + levels.back().size())),
      width_(grid.width),
      height_(grid.height),
      depth_(grid.depth),
      levels_(std::move(levels)) {}

StackDictionary::Place StackDictionary::place(Index atom) const {
  std::size_t l = levels_.size() - 1;
  while (levels_[l].first > atom) --l;
  const Level& level = levels_[l];
  const Index within = atom - level.first, p = level.x.at.size(), q = level.y.at.size();
  return {&level, within % p, within / p % q, within / (p * q)};
}

Bead StackDictionary::bead(Index j) const {
  const Place at = place(j);
  const Level& level = *at.level;
  return {level.x.at[at.i],
          level.y.at[at.j],
          level.z.at[at.k],
          level.sigma_xy,
          level.sigma_z,
          1 / (level.x.lengths[at.i] * level.y.lengths[at.j] * level.z.lengths[at.k])};
}

void StackDictionary::correlate(const Eigen::Ref<const Matrix>& signals, Matrix& products) const {
  products.resize(cols(), signals.cols());
  parallel_for(signals.cols(), [&](Index s) {
    const Vector signal = signals.col(s);
    for (const Level& level : levels_) {
      const Index p = level.x.at.size(), q = level.y.at.size();
      Matrix planes(p * q, depth_);
      for (Index z = 0; z < depth_; ++z) {
        const Eigen::Map<const Matrix> plane(signal.data() + z * width_ * height_, width_, height_);
        Eigen::Map<Matrix>(planes.col(z).data(), p, q) =
            level.x.shares.transpose() * (plane * level.y.shares);
      }
      const Matrix all = planes * level.z.shares;
      products.col(s).segment(level.first, all.size()) =
          Eigen::Map<const Vector>(all.data(), all.size());
    }
  });
}

void StackDictionary::gram_rows(std::span<const Index> atoms, Eigen::Ref<Matrix> rows) const {
  parallel_for(std::ssize(atoms), [&](Index column) {
    const Place at = place(atoms[column]);
    for (const Level& level : levels_) {
      const Vector x = level.x.shares.transpose() * at.level->x.shares.col(at.i);
      const Vector y = level.y.shares.transpose() * at.level->y.shares.col(at.j);
      const Vector z = level.z.shares.transpose() * at.level->z.shares.col(at.k);
      Index next = level.first;
      for (Index k = 0; k < z.size(); ++k) {
        for (Index j = 0; j < y.size(); ++j) {
          rows.col(column).segment(next, x.size()) = (z[k] * y[j]) * x;
          next += x.size();
        }
      }
    }
  });
}

double StackDictionary::dot(Index j, const Vector& v) const {
  const Place at = place(j);
  double sum = 0;
  for (Index z = 0; z < depth_; ++z) {
    const Eigen::Map<const Matrix> plane(v.data() + z * width_ * height_, width_, height_);
    sum += at.level->z.shares(z, at.k) *
           at.level->x.shares.col(at.i).dot(plane * at.level->y.shares.col(at.j));
  }
  return sum;
}

void StackDictionary::add_scaled(Index j, double factor, Vector& v) const {
  const Place at = place(j);
  for (Index z = 0; z < depth_; ++z) {
    Eigen::Map<Matrix> plane(v.data() + z * width_ * height_, width_, height_);
    plane.noalias() += (factor * at.level->z.shares(z, at.k) * at.level->x.shares.col(at.i)) *
                       at.level->y.shares.col(at.j).transpose();
  }
}

Vector StackDictionary::correlate_some(std::span<const Index> atoms, const Vector& v) const {
  Matrix all;
  correlate(v, all);
  Vector some(std::ssize(atoms));
  for (Index k = 0; k < some.size(); ++k) some[k] = all(atoms[k], 0);
  return some;
}

}  // namespace ardent
