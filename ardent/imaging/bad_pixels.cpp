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

  Neighbours(const Image& image, Index x, Index y, Index z) {
    visit_neighbours(image, x, y, z, [&](Index u, Index v, Index w) {
      if (w != z || (u == x && v == y)) return;
      const double value = image.at(u, v, w);
      if (std::isfinite(value)) insert(value);
    });
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

double sharpest_ratio(const PsfShape& shape, double sigma, double sigma_z, bool stack) {
  constexpr Index kSide = 41, kMiddle = 21;
  constexpr int kSteps = 4;  // half a pixel
  const Index plane = stack ? kMiddle : 1;
  double most = 1;
  for (int i = -kSteps; i <= kSteps; ++i) {
    for (int j = -kSteps; j <= kSteps; ++j) {
      Image image = blank_image(kSide, kSide, stack ? kSide : 1);
      const double step = 0.5 / kSteps;
      shape.add({kMiddle + i * step, kMiddle + j * step, sigma, 1, double(plane), sigma_z}, image);
      const double around = Neighbours(image, kMiddle, kMiddle, plane).bright();
      most = std::max(most, image.at(kMiddle, kMiddle, plane) / std::max(around, 1e-3));
    }
  }
  return most;
}

std::vector<std::size_t> find_bad_pixels(const Image& sky_free, const PixelNoise& noise,
                                         double sharpest, BadPixelSide side, const Image* model) {
  const auto is_bad = [&](Index x, Index y, Index z) {
    const std::size_t p = sky_free.place(x, y, z);
    const double value = sky_free.pixels[p];
    if (!std::isfinite(value)) return false;
    const Neighbours around(sky_free, x, y, z);
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
  std::vector<std::vector<std::size_t>> rows(sky_free.height * sky_free.depth);
  parallel_for(std::ssize(rows), [&](Index row) {
    const Index y = row % sky_free.height + 1, z = row / sky_free.height + 1;
    for (Index x = 1; x <= sky_free.width; ++x) {
      if (is_bad(x, y, z)) rows[row].push_back(sky_free.place(x, y, z));
    }
  });
  std::vector<std::size_t> bad;
  for (const auto& row : rows) bad.insert(bad.end(), row.begin(), row.end());
  return bad;
}

}  // namespace ardent
