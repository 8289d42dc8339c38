#include "ardent/imaging/psf.h"

#include <cmath>
#include <numbers>

#include "ardent/base/elementary.h"

namespace ardent {
namespace {

/// Of the planes; one plane has all the light.
Vector plane_shares(const Source& source, const Image& image) {
  return image.is_stack() ? pixel_shares(source.z, source.sigma_z, image.depth) : Vector::Ones(1);
}

double square_sum(const Vector& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

}  // namespace

void Source::approach(const Source& other, double share) {
  x += share * (other.x - x);
  y += share * (other.y - y);
  z += share * (other.z - z);
  sigma += share * (other.sigma - sigma);
  sigma_z += share * (other.sigma_z - sigma_z);
}

double distance(const Source& a, const Source& b) {
  const double across = elementary::length(a.x - b.x, a.y - b.y);
  return a.z == b.z ? across : elementary::length(across, (a.z - b.z) * a.sigma / a.sigma_z);
}

double pixel_share(double u, double sigma) {
  const double scale = 1 / (std::numbers::sqrt2 * sigma);
  // Both edges on the same side: erfc keeps the digits that a difference of erf would lose.
  const double near = (std::abs(u) - 0.5) * scale, far = (std::abs(u) + 0.5) * scale;
  return near > 0 ? 0.5 * (elementary::erfc(near) - elementary::erfc(far))
                  : 0.5 * (elementary::erf(far) - elementary::erf(near));
}

Vector pixel_shares(double at, double sigma, Index count) {
  Vector shares(count);
  for (Index k = 0; k < count; ++k) shares[k] = pixel_share(double(k + 1) - at, sigma);
  return shares;
}

void add_source(const Source& source, Image& image) {
  const Vector across = pixel_shares(source.x, source.sigma, image.width);
  const Vector up = pixel_shares(source.y, source.sigma, image.height);
  const Vector along = plane_shares(source, image);
  for (Index z = 1; z <= image.depth; ++z) {
    for (Index y = 1; y <= image.height; ++y) {
      const double row = source.flux * along[z - 1] * up[y - 1];
      if (row == 0) continue;
      for (Index x = 1; x <= image.width; ++x) image.at(x, y, z) += row * across[x - 1];
    }
  }
}

double psf_length(const Source& source, const Image& image) {
  return std::sqrt(square_sum(pixel_shares(source.x, source.sigma, image.width)) *
                   square_sum(pixel_shares(source.y, source.sigma, image.height)) *
                   square_sum(plane_shares(source, image)));
}

}  // namespace ardent
