#include "ardent/imaging/psf_dictionary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "ardent/imaging/axis_shares.h"

namespace ardent {
namespace {

void check(const PsfGrid& grid) {
  const bool holds = grid.width >= 1 && grid.height >= 1 && grid.sigma_low > 0 &&
                     grid.sigma_high >= grid.sigma_low && std::isfinite(grid.sigma_high) &&
                     grid.ratio > 1 && grid.step > 0;
  if (holds) return;
  throw InputError(fmt::format(
      "a grid of sources needs pixels, widths 0 < low <= high, a ratio above 1 and a step above 0, "
      "not {} × {} pixels, widths {} to {}, ratio {}, step {}",
      grid.width, grid.height, grid.sigma_low, grid.sigma_high, grid.ratio, grid.step));
}

}  // namespace

std::vector<PsfDictionary::Level> PsfDictionary::levels_of(const PsfGrid& grid) {
  check(grid);
  const Vector widths = grid_widths(grid.sigma_low, grid.sigma_high, grid.ratio);
  std::vector<Level> levels;
  Index first = 0;
  for (const double sigma : widths) {
    Level level;
    level.sigma = sigma;
    level.x = grid_places(grid.width, grid.step * sigma);
    level.y = grid_places(grid.height, grid.step * sigma);
    level.across = unit_shares(level.x, sigma, grid.width, level.x_length);
    level.up = unit_shares(level.y, sigma, grid.height, level.y_length);
    level.first = first;
    first += level.x.size() * level.y.size();
    levels.push_back(std::move(level));
  }
  return levels;
}

Index PsfDictionary::count(const std::vector<Level>& levels) {
  return levels.back().first + levels.back().x.size() * levels.back().y.size();
}

PsfDictionary::PsfDictionary(const PsfGrid& grid) : PsfDictionary(grid, levels_of(grid)) {}

PsfDictionary::PsfDictionary(const PsfGrid& grid, std::vector<Level> levels)
    : Dictionary(grid.width * grid.height, Vector::Ones(count(levels))),
      width_(grid.width),
      height_(grid.height),
      levels_(std::move(levels)) {
  for (const Level& a : levels_) {
    auto& x = x_gram_.emplace_back();
    auto& y = y_gram_.emplace_back();
    for (const Level& b : levels_) {
      x.push_back(a.across.transpose() * b.across);
      y.push_back(a.up.transpose() * b.up);
    }
  }
}

PsfDictionary::Place PsfDictionary::place(Index atom) const {
  std::size_t l = levels_.size() - 1;
  while (levels_[l].first > atom) --l;
  const Level& level = levels_[l];
  const Index within = atom - level.first;
  return {&level, l, within % level.x.size(), within / level.x.size()};
}

Source PsfDictionary::source(Index j) const {
  const Place at = place(j);
  const Level& level = *at.level;
  return {level.x[at.i], level.y[at.j], level.sigma,
          1 / (level.x_length[at.i] * level.y_length[at.j])};
}

void PsfDictionary::correlate(const Eigen::Ref<const Matrix>& signals, Matrix& products) const {
  products.resize(cols(), signals.cols());
  parallel_for(signals.cols(), [&](Index s) {
    const Vector signal = signals.col(s);
    const Eigen::Map<const Matrix> image(signal.data(), width_, height_);
    for (const Level& level : levels_) {
      const Matrix level_products = level.across.transpose() * (image * level.up);
      products.col(s).segment(level.first, level_products.size()) =
          Eigen::Map<const Vector>(level_products.data(), level_products.size());
    }
  });
}

void PsfDictionary::gram_rows(std::span<const Index> atoms, Eigen::Ref<Matrix> rows) const {
  parallel_for(std::ssize(atoms), [&](Index k) {
    const Place at = place(atoms[k]);
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const auto x = x_gram_[l][at.level_index].col(at.i);
      const auto y = y_gram_[l][at.level_index].col(at.j);
      for (Index j = 0; j < y.size(); ++j) {
        rows.col(k).segment(levels_[l].first + j * x.size(), x.size()) = y[j] * x;
      }
    }
  });
}

double PsfDictionary::dot(Index j, const Vector& v) const {
  const Place at = place(j);
  const Eigen::Map<const Matrix> image(v.data(), width_, height_);
  return at.level->across.col(at.i).dot(image * at.level->up.col(at.j));
}

void PsfDictionary::add_scaled(Index j, double factor, Vector& v) const {
  const Place at = place(j);
  Eigen::Map<Matrix> image(v.data(), width_, height_);
  image.noalias() += (factor * at.level->across.col(at.i)) * at.level->up.col(at.j).transpose();
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
  const Index pixels = grid.width * grid.height;
  sampled.atoms = {count, pixels, Buffer<double>::allocate(count * pixels)};
  for (Index k = 0; k < count; ++k) {
    Source source{draw(grid.width), draw(grid.height),
                  random.uniform(grid.sigma_low, grid.sigma_high), 1};
    source.flux = 1 / psf_length(source.x, source.y, source.sigma, grid.width, grid.height);
    Image atom = blank_image(grid.width, grid.height);
    add_source(source, atom);
    std::copy(atom.pixels.begin(), atom.pixels.end(),
              sampled.atoms.values.mutable_data() + k * pixels);
    sampled.sources.push_back(source);
  }
  return sampled;
}

}  // namespace ardent
