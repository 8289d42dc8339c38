#include "ardent/imaging/background.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
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

double level_on_the_way(double low, double high, double fraction) {
  return (1 - fraction) * low + fraction * high;
}

/// Between the levels of cells, at a place along each axis.
double level_between(const Image& levels, const Between& u, const Between& v, const Between& w) {
  const auto level = [&](Index i, Index j, Index k) {
    return levels.at(std::min(i + 1, levels.width), std::min(j + 1, levels.height),
                     std::min(k + 1, levels.depth));
  };
  const auto plane = [&](Index k) {
    return level_on_the_way(
        level_on_the_way(level(u.low, v.low, k), level(u.low + 1, v.low, k), u.fraction),
        level_on_the_way(level(u.low, v.low + 1, k), level(u.low + 1, v.low + 1, k), u.fraction),
        v.fraction);
  };
  return w.fraction == 0 ? plane(w.low)
                         : level_on_the_way(plane(w.low), plane(w.low + 1), w.fraction);
}

/// Levels of the cells of an image.
Image cell_levels(const Pixels& image, Index cell, double constant) {
  const Cells cells = Cells::of_size(image.empty(), cell);
  Image levels = blank_image(cells.across, cells.up, cells.deep);
  parallel_for(cells.count(), [&](Index n) {
    const double value = clipped_median(image.cut(cells.at(n)).pixels);
    levels.pixels[static_cast<std::size_t>(n)] = std::isnan(value) ? constant : value;
  });
  return levels;
}

/// |Second differences| of the noise's size, of the rows of a band.
class SecondDifferences {
 public:
  explicit SecondDifferences(const Pixels& image)
      : image_(image), wide_(image.width < 3 ? 1 : 3), high_(image.height < 3 ? 1 : 3) {}

  bool are_any() const { return wide_ == 3 || high_ == 3; }

  void operator()(const SomeValues& visit) const {
    std::vector<double> sizes;
    for (const Band& band : bands(image_)) {
      Box box = band.box;  // with the rows above that its last ones need
      box.height = std::min(box.height + high_ - 1, image_.height - box.low + 1);
      const Image part = image_.cut(box);
      sizes.clear();
      for (Index y = 1; y + high_ <= part.height + 1; ++y) {
        for (Index x = 1; x + wide_ <= part.width + 1; ++x) add(part, x, y, sizes);
      }
      visit(sizes);
    }
  }

 private:
  void add(const Image& part, Index x, Index y, std::vector<double>& sizes) const {
    const auto weight = [](Index place, Index count) {
      return count == 1 ? 1.0 : place == 1 ? -2.0 : 1.0;
    };
    const double norm = std::sqrt((wide_ == 1 ? 1.0 : 6.0) * (high_ == 1 ? 1.0 : 6.0));
    double sum = 0;
    for (Index j = 0; j < high_; ++j) {
      for (Index i = 0; i < wide_; ++i) {
        sum += weight(i, wide_) * weight(j, high_) * part.at(x + i, y + j);
      }
    }
    if (std::isfinite(sum)) sizes.push_back(std::abs(sum) / norm);
  }

  const Pixels& image_;
  Index wide_, high_;
};

}  // namespace

Background::Background(const Pixels& size, double level)
    : size_(size.empty()), levels_{1, 1, {level}} {}

Background::Background(const Pixels& size, Image levels)
    : size_(size.empty()), levels_(std::move(levels)) {}

double Background::at(Index x, Index y, Index z) const {
  return level_between(levels_, between_cells(x, size_.width, levels_.width),
                       between_cells(y, size_.height, levels_.height),
                       between_cells(z, size_.depth, levels_.depth));
}

Image Background::cut(const Box& box) const {
  Image part{box.width, box.height, {}, {}, box.depth};
  if (is_even()) {
    part.pixels.assign(static_cast<std::size_t>(part.size()), level());
    return part;
  }
  std::vector<Between> across;
  for (Index x = box.left; x < box.left + box.width; ++x) {
    across.push_back(between_cells(x, size_.width, levels_.width));
  }
  part.pixels.reserve(static_cast<std::size_t>(part.size()));
  for (Index z = box.near; z < box.near + box.depth; ++z) {
    const Between w = between_cells(z, size_.depth, levels_.depth);
    for (Index y = box.low; y < box.low + box.height; ++y) {
      const Between v = between_cells(y, size_.height, levels_.height);
      for (const Between& u : across) part.pixels.push_back(level_between(levels_, u, v, w));
    }
  }
  return part;
}

Image Background::whole() const {
  return cut({1, 1, 1, size_.width, size_.height, size_.depth});
}

double Background::highest() const {
  if (is_even()) return level();
  double most = -INFINITY;
  visit_bands(pixels(), [&](std::size_t, std::span<const double> some) {
    most = std::max(most, *std::ranges::max_element(some));
  });
  return most;
}

Pixels Background::pixels() const {
  return {size_.width, size_.height, size_.depth, [this](const Box& box) { return cut(box); }};
}

Pixels minus(const Pixels& pixels, const Background& background) {
  if (background.is_even() && background.level() == 0) return pixels;
  return {pixels.width, pixels.height, pixels.depth, [pixels, &background](const Box& box) {
            return minus(pixels.cut(box), background.cut(box));
          }};
}

double largest_change(const Background& a, const Background& b) {
  if (a.is_even() && b.is_even()) return std::abs(a.level() - b.level());
  double most = 0;
  for (const Band& band : bands(a.pixels())) {
    most = std::max(most, largest_change(a.cut(band.box), b.cut(band.box)));
  }
  return most;
}

Background estimate_background(const Pixels& image, BackgroundKind kind, Index cell) {
  if (kind == BackgroundKind::none) return {image, 0.0};
  if (cell < 1) throw InputError("a cell of the background needs at least one pixel");
  const double constant = clipped_median_of([&](const SomeValues& visit) {
    visit_bands(image, [&](std::size_t, std::span<const double> some) { visit(some); });
  });
  if (kind != BackgroundKind::map) return {image, constant};
  return {image, cell_levels(image, cell, constant)};
}

double estimate_noise_variance(const Pixels& image) {
  const SecondDifferences differences(image);
  if (!differences.are_any()) return 0;
  const double middle = median_of(differences);
  if (std::isnan(middle)) return 0;
  const double sd = kNormalDeviation * middle;
  return sd * sd;
}

}  // namespace ardent
