#include "ardent/imaging/psf.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "ardent/base/elementary.h"

namespace ardent {
namespace {

std::vector<double> shares(double centre, double sigma, Index count) {
  std::vector<double> values;
  for (Index k = 1; k <= count; ++k) {
    values.push_back(pixel_share(static_cast<double>(k) - centre, sigma));
  }
  return values;
}

double square_sum(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

}  // namespace

double pixel_share(double u, double sigma) {
  const double scale = 1 / (std::numbers::sqrt2 * sigma);
  // Both edges on the same side: erfc keeps the digits that a difference of erf would lose.
  const double near = (std::abs(u) - 0.5) * scale, far = (std::abs(u) + 0.5) * scale;
  return near > 0 ? 0.5 * (elementary::erfc(near) - elementary::erfc(far))
                  : 0.5 * (elementary::erf(far) - elementary::erf(near));
}

void add_source(const Source& source, Image& image) {
  const std::vector<double> across = shares(source.x, source.sigma, image.width);
  const std::vector<double> up = shares(source.y, source.sigma, image.height);
  for (Index y = 1; y <= image.height; ++y) {
    const double row = source.flux * up[y - 1];
    if (row == 0) continue;
    for (Index x = 1; x <= image.width; ++x) {
      image.at(x, y) += row * across[x - 1];
    }
  }
}

double psf_length(double x, double y, double sigma, Index width, Index height) {
  return std::sqrt(square_sum(shares(x, sigma, width)) * square_sum(shares(y, sigma, height)));
}

double voxel_share(double dx, double dy, double dz, double sigma_xy, double sigma_z) {
  return pixel_share(dx, sigma_xy) * pixel_share(dy, sigma_xy) * pixel_share(dz, sigma_z);
}

}  // namespace ardent
