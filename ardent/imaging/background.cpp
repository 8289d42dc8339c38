#include "ardent/imaging/background.h"

#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/imaging/cells.h"
#include "ardent/imaging/median.h"

namespace ardent {
namespace {

/// Where a pixel lies between the centres of equal cells: the lower cell and the fraction of the
/// way; below 0 or above 1 between the outermost centres and the border, where a slope goes on.
struct Between {
  Index low = 0;
  double fraction = 0;
};
Between between_cells(Index pixel, Index pixels, Index cells) {
  const double size = static_cast<double>(pixels) / static_cast<double>(cells);
  const double at = (static_cast<double>(pixel) - 0.5) / size - 0.5;
  const double low =
      std::clamp(std::floor(at), 0.0, static_cast<double>(std::max<Index>(0, cells - 2)));
  return {static_cast<Index>(low), cells == 1 ? 0 : at - low};
}

/// Levels of cells along each axis, and between them.
class CellMap {
 public:
  CellMap(const Image& image, Index cell, double constant) : image_(image) {
    const Cells cells = Cells::of_size(image, cell);
    levels_ = blank_image(cells.across, cells.up, cells.deep);
    for (Index n = 0; n < cells.count(); ++n) {
      const double value = clipped_median(cut(image, cells.at(n)).pixels);
      levels_.pixels[static_cast<std::size_t>(n)] = std::isnan(value) ? constant : value;
    }
  }

  double at(Index x, Index y, Index z) const {
    const Between u = between_cells(x, image_.width, levels_.width),
                  v = between_cells(y, image_.height, levels_.height),
                  w = between_cells(z, image_.depth, levels_.depth);
    const auto mix = [](double low, double high, double fraction) {
      return (1 - fraction) * low + fraction * high;
    };
    const auto level = [&](Index i, Index j, Index k) {
      return levels_.at(std::min(i + 1, levels_.width), std::min(j + 1, levels_.height),
                        std::min(k + 1, levels_.depth));
    };
    const auto plane = [&](Index k) {
      return mix(mix(level(u.low, v.low, k), level(u.low + 1, v.low, k), u.fraction),
                 mix(level(u.low, v.low + 1, k), level(u.low + 1, v.low + 1, k), u.fraction),
                 v.fraction);
    };
    return w.fraction == 0 ? plane(w.low) : mix(plane(w.low), plane(w.low + 1), w.fraction);
  }

 private:
  const Image& image_;
  Image levels_;
};

}  // namespace

Image estimate_background(const Image& image, BackgroundKind kind, Index cell) {
  Image background = blank_like(image);
  if (kind == BackgroundKind::none) return background;
  if (cell < 1) throw InputError("a cell of the background needs at least one pixel");
  const double constant = clipped_median(image.pixels);
  std::fill(background.pixels.begin(), background.pixels.end(), constant);
  if (kind != BackgroundKind::map) return background;
  const CellMap map(image, cell, constant);
  auto pixel = background.pixels.begin();
  for (Index z = 1; z <= image.depth; ++z) {
    for (Index y = 1; y <= image.height; ++y) {
      for (Index x = 1; x <= image.width; ++x) *pixel++ = map.at(x, y, z);
    }
  }
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
  for (Index z = 1; z <= image.depth; ++z) {
    for (Index y = 1; y + high <= image.height + 1; ++y) {
      for (Index x = 1; x + wide <= image.width + 1; ++x) {
        double sum = 0;
        for (Index j = 0; j < high; ++j) {
          for (Index i = 0; i < wide; ++i) {
            sum += weight(i, wide) * weight(j, high) * image.at(x + i, y + j, z);
          }
        }
        if (std::isfinite(sum)) sizes.push_back(std::abs(sum) / norm);
      }
    }
  }
  if (sizes.empty()) return 0;
  const double sd = kNormalDeviation * median(std::move(sizes));
  return sd * sd;
}

}  // namespace ardent
