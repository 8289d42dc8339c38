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

/// What a pixel is judged by beside those around it.
struct PixelJudge {
  const PixelNoise& noise;
  std::size_t place;
  const double* light;  // of sources; null: none is known
  double sharpest;
  BadPixelSide side;
};

bool is_bad(double value, const Neighbours& around, const PixelJudge& by) {
  if (!std::isfinite(value) || around.count < kLeastKnown) return false;
  const double light = by.light ? *by.light : 0;
  const double sd = std::sqrt(by.noise.at(by.place, by.light ? light : around.median()));
  const double least = kClear * sd + std::abs(light);
  const double factor = kNarrower * by.sharpest;
  if (value > factor * std::max(0.0, around.bright() - 0.5 * sd) + least) return true;
  const double dark = by.side == BadPixelSide::both_alike
                          ? factor * std::min(0.0, around.dark() + 0.5 * sd)
                          : 0.25 * std::max(0.0, around.dark());
  return value < dark - least;
}

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

std::vector<std::size_t> find_bad_pixels(const Pixels& sky_free, const PixelNoise& noise,
                                         double sharpest, BadPixelSide side, const Image* model) {
  constexpr Index kRows = 16;  // at least: two more are looked at
  const std::vector<Band> all = bands(sky_free, kRows);
  std::vector<std::vector<std::size_t>> of_band(all.size());
  parallel_for(std::ssize(all), [&](Index b) {
    const Box& own = all[b].box;
    const Box box = with_rows_around(own, sky_free, 1);
    const Image part = sky_free.cut(box);
    std::size_t p = all[b].first;
    for (Index y = own.low; y < own.low + own.height; ++y) {
      for (Index x = 1; x <= own.width; ++x, ++p) {
        const double* light = model ? &model->pixels[p] : nullptr;
        const Neighbours around(part, x, y - box.low + 1, 1);
        if (is_bad(part.at(x, y - box.low + 1), around, {noise, p, light, sharpest, side})) {
          of_band[b].push_back(p);
        }
      }
    }
  });
  std::vector<std::size_t> bad;
  for (const auto& some : of_band) bad.insert(bad.end(), some.begin(), some.end());
  return bad;
}

}  // namespace ardent
