#include "ardent/imaging/psf_dictionary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/base/random.h"

namespace ardent {
namespace {

void check(const PsfGrid& grid) {
  const auto widths = [](double low, double high) {
    return low > 0 && high >= low && std::isfinite(high);
  };
  if (grid.width >= 1 && grid.height >= 1 && grid.depth >= 1 &&
      widths(grid.sigma_low, grid.sigma_high) && widths(grid.sigma_z_low, grid.sigma_z_high) &&
      grid.ratio > 1 && grid.step > 0 && grid.most > 0) {
    return;
  }
  throw InputError(fmt::format(
      "a grid of sources needs pixels, widths 0 < low <= high, a ratio above 1 and a step above 0, "
      "not {} × {} × {} pixels, widths {} to {} and {} to {} along z, ratio {}, step {}",
      grid.width, grid.height, grid.depth, grid.sigma_low, grid.sigma_high, grid.sigma_z_low,
      grid.sigma_z_high, grid.ratio, grid.step));
}

/// From low to high, evenly in their logarithms, by a factor of at most `ratio` apart.
Vector grid_widths(double low, double high, double ratio) {
  const double range = elementary::log(high / low);
  const auto gaps = static_cast<Index>(std::ceil(range / elementary::log(ratio) - 1e-9));
  Vector widths(gaps + 1);
  for (Index k = 0; k <= gaps; ++k) {
    const double fraction = gaps == 0 ? 0 : static_cast<double>(k) / static_cast<double>(gaps);
    widths[k] = low * elementary::exp(fraction * range);
  }
  return widths;
}

/// Sources much narrower than a pixel are told apart by no more than the pixel they are in.
double place_step(double sigma, double step, double most) {
  constexpr double kFinest = 0.05;  // pixels
  return std::min(most, std::max(kFinest, step * sigma));
}

/// InputError where the places are beyond count.
void check_places(const PsfGrid& grid, const Vector& widths) {
  constexpr double kMostAtoms = 2e7;
  double atoms = 0;
  const auto along = [](Index pixels, double step) {
    return static_cast<double>(pixels - 1) / step + 1;
  };
  for (const double sigma : widths) {
    const double step = place_step(sigma, grid.step, grid.most);
    atoms += along(grid.width, step) * along(grid.height, step);
  }
  if (grid.depth > 1) atoms *= along(grid.depth, place_step(grid.sigma_z_low, grid.step, INFINITY));
  if (atoms <= kMostAtoms) return;
  throw InputError(fmt::format(
      "sources of sigma {:g} have {:.0e} places on {} × {} pixels, and {:.0e} are allowed: take a "
      "larger sigma or smaller tiles (core)",
      grid.sigma_low, atoms, grid.width, grid.height, kMostAtoms));
}

}  // namespace

Vector grid_places(Index pixels, double step) {
  const double span = static_cast<double>(pixels) - 1;
  const auto count = static_cast<Index>(std::ceil(span / step)) + 1;
  if (count == 1) return Vector::Constant(1, 1 + span / 2);
  return Vector::LinSpaced(count, 1, 1 + span);
}

PsfDictionary::Axes PsfDictionary::axes_of(Index pixels, const Vector& widths, double step,
                                           double most) {
  Axes axes;
  for (const double sigma : widths) {
    Axis axis{sigma, grid_places(pixels, place_step(sigma, step, most)), {}, {}};
    axis.shares.resize(pixels, axis.count());
    for (Index k = 0; k < axis.count(); ++k) {
      axis.shares.col(k) = pixel_shares(axis.at[k], sigma, pixels);
    }
    axis.lengths = axis.shares.colwise().norm();
    for (Index k = 0; k < axis.count(); ++k) axis.shares.col(k) /= axis.lengths[k];
    axes.by_width.push_back(std::move(axis));
  }
  for (const Axis& a : axes.by_width) {
    auto& row = axes.gram.emplace_back();
    for (const Axis& b : axes.by_width) row.push_back(a.shares.transpose() * b.shares);
  }
  return axes;
}

PsfDictionary::Layout PsfDictionary::layout_of(const PsfGrid& grid) {
  check(grid);
  const Vector widths = grid_widths(grid.sigma_low, grid.sigma_high, grid.ratio);
  check_places(grid, widths);
  Layout layout{
      axes_of(grid.width, widths, grid.step, grid.most),
      axes_of(grid.height, widths, grid.step, grid.most),
      {{{1, Vector::Ones(1), Matrix::Ones(1, 1), Vector::Ones(1)}}, {{Matrix::Ones(1, 1)}}},
      {}};
  if (grid.depth > 1) {
    layout.z = axes_of(grid.depth, grid_widths(grid.sigma_z_low, grid.sigma_z_high, grid.ratio),
                       grid.step, INFINITY);
  }
  for (std::size_t depth = 0; depth < layout.z.by_width.size(); ++depth) {
    for (std::size_t width = 0; width < layout.x.by_width.size(); ++width) {
      layout.levels.push_back({width, depth, layout.atoms});
      layout.atoms += layout.x[width].count() * layout.y[width].count() * layout.z[depth].count();
    }
  }
  return layout;
}

PsfDictionary::PsfDictionary(const PsfGrid& grid) : PsfDictionary(grid, layout_of(grid)) {}

PsfDictionary::PsfDictionary(const PsfGrid& grid, Layout layout)
    : Dictionary(grid.width * grid.height * grid.depth, Vector::Ones(layout.atoms)),
      width_(grid.width),
      height_(grid.height),
      depth_(grid.depth),
      x_(std::move(layout.x)),
      y_(std::move(layout.y)),
      z_(std::move(layout.z)),
      levels_(std::move(layout.levels)) {}

PsfDictionary::Place PsfDictionary::place(Index atom) const {
  const auto next = std::upper_bound(levels_.begin(), levels_.end(), atom,
                                     [](Index a, const Level& level) { return a < level.first; });
  const Level& level = *(next - 1);
  const Index within = atom - level.first, p = x_[level.width].count(), q = y_[level.width].count();
  return {&level, within % p, within / p % q, within / (p * q)};
}

Source PsfDictionary::source(Index j) const {
  const Place at = place(j);
  const Axis &x = x_[at.level->width], &y = y_[at.level->width], &z = z_[at.level->depth];
  return {x.at[at.i], y.at[at.j],
          x.sigma,    1 / (x.lengths[at.i] * y.lengths[at.j] * z.lengths[at.k]),
          z.at[at.k], z.sigma};
}

void PsfDictionary::correlate(const Eigen::Ref<const Matrix>& signals, Matrix& products) const {
  products.resize(cols(), signals.cols());
  parallel_for(signals.cols(), [&](Index s) {
    const Vector signal = signals.col(s);
    for (const Level& level : levels_) {
      const Axis &x = x_[level.width], &y = y_[level.width], &z = z_[level.depth];
      Matrix planes(x.count() * y.count(), depth_);
      for (Index k = 0; k < depth_; ++k) {
        const Eigen::Map<const Matrix> plane(signal.data() + k * width_ * height_, width_, height_);
        const Matrix in_plane = x.shares.transpose() * (plane * y.shares);
        planes.col(k) = in_plane.reshaped();
      }
      if (depth_ > 1) planes = Matrix(planes * z.shares);
      products.col(s).segment(level.first, planes.size()) = planes.reshaped();
    }
  });
}

void PsfDictionary::gram_rows(std::span<const Index> atoms, Eigen::Ref<Matrix> rows) const {
  parallel_for(std::ssize(atoms), [&](Index column) {
    const Place at = place(atoms[column]);
    for (const Level& level : levels_) {
      const auto x = x_.gram[level.width][at.level->width].col(at.i);
      const auto y = y_.gram[level.width][at.level->width].col(at.j);
      const auto z = z_.gram[level.depth][at.level->depth].col(at.k);
      Index next = level.first;
      for (Index k = 0; k < z.size(); ++k) {
        for (Index j = 0; j < y.size(); ++j, next += x.size()) {
          rows.col(column).segment(next, x.size()) = (z[k] * y[j]) * x;
        }
      }
    }
  });
}

double PsfDictionary::dot(Index j, const Vector& v) const {
  const Place at = place(j);
  const auto x = x_[at.level->width].shares.col(at.i), y = y_[at.level->width].shares.col(at.j),
             z = z_[at.level->depth].shares.col(at.k);
  double sum = 0;
  for (Index k = 0; k < depth_; ++k) {
    const Eigen::Map<const Matrix> plane(v.data() + k * width_ * height_, width_, height_);
    sum += z[k] * x.dot(plane * y);
  }
  return sum;
}

void PsfDictionary::add_scaled(Index j, double factor, Vector& v) const {
  const Place at = place(j);
  const auto x = x_[at.level->width].shares.col(at.i), y = y_[at.level->width].shares.col(at.j),
             z = z_[at.level->depth].shares.col(at.k);
  for (Index k = 0; k < depth_; ++k) {
    Eigen::Map<Matrix> plane(v.data() + k * width_ * height_, width_, height_);
    plane.noalias() += (factor * z[k] * x) * y.transpose();
  }
}

Vector PsfDictionary::correlate_some(std::span<const Index> atoms, const Vector& v) const {
  Matrix all;  // so cheap that the few are taken from it
  correlate(v, all);
  Vector some(std::ssize(atoms));
  for (Index k = 0; k < some.size(); ++k) some[k] = all(atoms[k], 0);
  return some;
}

SampledPsfs sample_psfs(Index count, const PsfGrid& grid, bool normal, std::uint64_t seed) {
  check(grid);
  if (count < 1)
    throw InputError(fmt::format("a dictionary needs at least one atom, not {}", count));
  Random random(seed);
  const auto draw = [&](Index pixels) {
    const auto last = static_cast<double>(pixels);
    if (!normal) return random.uniform(1, std::nextafter(last, last + 1));
    double at = 0;
    do {
      at = (1 + last) / 2 + last / 4 * random.normal();
    } while (at < 1 || at > last);
    return at;
  };
  SampledPsfs sampled;
  const Index pixels = grid.width * grid.height * grid.depth;
  sampled.atoms = {count, pixels, Buffer<double>::allocate(count * pixels)};
  for (Index k = 0; k < count; ++k) {
    Source source{draw(grid.width), draw(grid.height),
                  random.uniform(grid.sigma_low, grid.sigma_high), 1};
    if (grid.depth > 1) {
      source.z = draw(grid.depth);
      source.sigma_z = random.uniform(grid.sigma_z_low, grid.sigma_z_high);
    }
    Image atom = blank_image(grid.width, grid.height, grid.depth);
    source.flux = 1 / psf_length(source, atom);
    add_source(source, atom);
    std::copy(atom.pixels.begin(), atom.pixels.end(),
              sampled.atoms.values.mutable_data() + k * pixels);
    sampled.sources.push_back(source);
  }
  return sampled;
}

}  // namespace ardent
