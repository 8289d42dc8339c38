#include "ardent/imaging/bad_pixels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr double kNarrower = 4;         // times κ
constexpr double kClear = 6;            // standard deviations
constexpr std::size_t kLeastKnown = 3;  // neighbours that are known

/// The known pixels around one, in order of brightness.
struct Neighbours {
  std::array<double, 8> values;
  std::size_t count = 0;

  Neighbours(const Image& image, Index x, Index y) {
    for (Index v = std::max<Index>(1, y - 1); v <= std::min(image.height, y + 1); ++v) {
      for (Index u = std::max<Index>(1, x - 1); u <= std::min(image.width, x + 1); ++u) {
        if (u == x && v == y) continue;
        const double value = image.at(u, v);
        if (std::isfinite(value)) insert(value);
      }
    }
  }
  void insert(double value) {
    std::size_t place = count++;
    for (; place > 0 && values[place - 1] > value; --place) values[place] = values[place - 1];
    values[place] = value;
  }
  double median() const { return 0.5 * (values[(count - 1) / 2] + values[count / 2]); }
  double bright() const { return values[count - kLeastKnown]; }
  double dark() const { return values[kLeastKnown - 1]; }
};

}  // namespace

double sharpest_ratio(const PsfShape& shape, double sigma) {
  constexpr Index kSide = 41, kMiddle = 21;
  constexpr int kSteps = 4;  // half a pixel
  double most = 1;
  for (int i = -kSteps; i <= kSteps; ++i) {
    for (int j = -kSteps; j <= kSteps; ++j) {
      Image image = blank_image(kSide, kSide);
      const double step = 0.5 / kSteps;
      shape.add({kMiddle + i * step, kMiddle + j * step, sigma, 1}, image);
      const double around = Neighbours(image, kMiddle, kMiddle).bright();
      most = std::max(most, image.at(kMiddle, kMiddle) / std::max(around, 1e-3));
    }
  }
  return most;
}

std::vector<std::size_t> find_bad_pixels(const Image& sky_free, const PixelNoise& noise,
                                         double sharpest, BadPixelSide side, const Image* model) {
  const auto is_bad = [&](Index x, Index y) {
    const std::size_t p = sky_free.place(x, y);
    const double value = sky_free.pixels[p];
    if (!std::isfinite(value)) return false;
    const Neighbours around(sky_free, x, y);
    if (around.count < kLeastKnown) return false;
    const double light = model ? model->pixels[p] : 0;
    const double sd = std::sqrt(noise.at(p, model ? light : around.median()));
    const double least = kClear * sd + std::abs(light);
    if (value > kNarrower * sharpest * std::max(0.0, around.bright() - 0.5 * sd) + least)
      return true;
    const double dark = side == BadPixelSide::both_alike
                            ? kNarrower * sharpest * std::min(0.0, around.dark() + 0.5 * sd)
                            : 0.25 * std::max(0.0, around.dark());
    return value < dark - least;
  };
  std::vector<std::vector<std::size_t>> rows(static_cast<std::size_t>(sky_free.height));
  parallel_for(sky_free.height, [&](Index row) {
    for (Index x = 1; x <= sky_free.width; ++x) {
      if (is_bad(x, row + 1)) {
        rows[static_cast<std::size_t>(row)].push_back(sky_free.place(x, row + 1));
      }
    }
  });
  std::vector<std::size_t> bad;
  for (const auto& row : rows) bad.insert(bad.end(), row.begin(), row.end());
  return bad;
}

}  // namespace ardent
