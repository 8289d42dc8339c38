#include "ardent/imaging/background.h"

#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/imaging/median.h"

namespace ardent {
namespace {

/// The median after clipping; NaN if no value is known.
double clipped_median(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return std::nan("");
  constexpr int kRounds = 3;
  constexpr double kWidth = 3;
  double centre = median(values);
  for (int round = 0; round < kRounds; ++round) {
    const double sd = deviation_about(values, centre);
    if (!(sd > 0)) break;
    std::erase_if(values, [&](double value) { return std::abs(value - centre) > kWidth * sd; });
    centre = median(values);
  }
  return centre;
}

std::vector<double> block(const Image& image, Index left, Index right, Index bottom, Index top) {
  std::vector<double> values;
  for (Index y = bottom; y <= top; ++y) {
    for (Index x = left; x <= right; ++x) values.push_back(image.at(x, y));
  }
  return values;
}

/// Where a pixel lies between the centres of equal cells: the lower cell and the fraction of the
/// way.
struct Between {
  Index low = 0;
  double fraction = 0;
};
Between between_cells(Index pixel, Index pixels, Index cells) {
  const double size = static_cast<double>(pixels) / static_cast<double>(cells);
  const double at = (static_cast<double>(pixel) - 0.5) / size - 0.5;
  const double low =
      std::clamp(std::floor(at), 0.0, static_cast<double>(std::max<Index>(0, cells - 2)));
  return {static_cast<Index>(low), cells == 1 ? 0 : std::clamp(at - low, 0.0, 1.0)};
}

void fill_map(const Image& image, Index cell, double constant, Image& background) {
  const Index across = std::max<Index>(1, image.width / cell);
  const Index up = std::max<Index>(1, image.height / cell);
  std::vector<double> level;
  for (Index j = 0; j < up; ++j) {
    for (Index i = 0; i < across; ++i) {
      const double value =
          clipped_median(block(image, i * image.width / across + 1, (i + 1) * image.width / across,
                               j * image.height / up + 1, (j + 1) * image.height / up));
      level.push_back(std::isnan(value) ? constant : value);
    }
  }
  const auto at = [&](Index i, Index j) {
    return level[std::min(j, up - 1) * across + std::min(i, across - 1)];
  };
  for (Index y = 1; y <= image.height; ++y) {
    const Between v = between_cells(y, image.height, up);
    for (Index x = 1; x <= image.width; ++x) {
      const Between h = between_cells(x, image.width, across);
      const double lower = (1 - h.fraction) * at(h.low, v.low) + h.fraction * at(h.low + 1, v.low);
      const double upper =
          (1 - h.fraction) * at(h.low, v.low + 1) + h.fraction * at(h.low + 1, v.low + 1);
      background.at(x, y) = (1 - v.fraction) * lower + v.fraction * upper;
    }
  }
}

}  // namespace

Image estimate_background(const Image& image, BackgroundKind kind, Index cell) {
  Image background = blank_image(image.width, image.height);
  if (kind == BackgroundKind::none) return background;
  if (cell < 1) throw InputError("a cell of the background needs at least one pixel");
  const double constant = clipped_median(image.pixels);
  std::fill(background.pixels.begin(), background.pixels.end(), constant);
  if (kind == BackgroundKind::map) fill_map(image, cell, constant, background);
  return background;
}

double estimate_noise_variance(const Image& image) {
  const Index wide = image.width < 3 ? 1 : 3, high = image.height < 3 ? 1 : 3;
  if (wide == 1 && high == 1) return 0;
  const auto weight = [](Index place, Index count) {
    return count == 1 ? 1.0 : place == 1 ? -2.0 : 1.0;
  };
  const double norm = std::sqrt((wide == 1 ? 1.0 : 6.0) * (high == 1 ? 1.0 : 6.0));
  std::vector<double> sizes;
  for (Index y = 1; y + high <= image.height + 1; ++y) {
    for (Index x = 1; x + wide <= image.width + 1; ++x) {
      double sum = 0;
      for (Index j = 0; j < high; ++j) {
        for (Index i = 0; i < wide; ++i) {
          sum += weight(i, wide) * weight(j, high) * image.at(x + i, y + j);
        }
      }
      if (std::isfinite(sum)) sizes.push_back(std::abs(sum) / norm);
    }
  }
  if (sizes.empty()) return 0;
  const double sd = kNormalDeviation * median(std::move(sizes));
  return sd * sd;
}

}  // namespace ardent
