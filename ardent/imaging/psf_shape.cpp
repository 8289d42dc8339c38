#include "ardent/imaging/psf_shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ardent/base/elementary.h"

namespace ardent {
namespace {

constexpr double kGaussianReach = 5;  // in units of σ

/// ΔE at the pixels first … last along one axis, and its derivatives by the place and by σ.
struct ProfileSlopes {
  Index first = 1;
  Vector share, by_place, by_sigma;
};

ProfileSlopes profile(double at, double sigma, Index pixels, bool slopes) {
  const double reach = kGaussianReach * sigma + 0.5;
  const auto last = static_cast<double>(pixels);
  ProfileSlopes p;
  p.first = static_cast<Index>(std::clamp(std::ceil(at - reach), 1.0, last + 1));
  const auto end = static_cast<Index>(std::clamp(std::floor(at + reach), 0.0, last));
  const Index count = std::max<Index>(0, end - p.first + 1);
  p.share.resize(count);
  if (slopes) {
    p.by_place.resize(count);
    p.by_sigma.resize(count);
  }
  // Two pixels share an edge: erfc and the density are taken once for each. (erfc on both sides of
  // the middle keeps the digits that a difference of erf would lose.)
  const double scale = 1 / (std::numbers::sqrt2 * sigma);
  const double height = scale * std::numbers::inv_sqrtpi;
  double edge = static_cast<double>(p.first) - 0.5 - at;
  double beyond = elementary::erfc(std::abs(edge) * scale);
  double density = slopes ? height * elementary::exp(-edge * edge * scale * scale) : 0;
  for (Index k = 0; k < count; ++k) {
    const double next_edge = edge + 1;
    const double next_beyond = elementary::erfc(std::abs(next_edge) * scale);
    p.share[k] = edge < 0 && next_edge > 0 ? 1 - 0.5 * (beyond + next_beyond)
                                           : 0.5 * std::abs(beyond - next_beyond);
    if (slopes) {
      const double next_density = height * elementary::exp(-next_edge * next_edge * scale * scale);
      p.by_place[k] = density - next_density;
      p.by_sigma[k] = (edge * density - next_edge * next_density) / sigma;
      density = next_density;
    }
    edge = next_edge;
    beyond = next_beyond;
  }
  return p;
}

/// One plane has all the light, wherever the source lies.
ProfileSlopes single_plane() {
  return {1, Vector::Ones(1), Vector::Zero(1), Vector::Zero(1)};
}

/// x ⊗ y ⊗ z, the planes one after the other.
Matrix product(const Vector& x, const Vector& y, const Vector& z) {
  Matrix planes(x.size(), y.size() * z.size());
  for (Index k = 0; k < z.size(); ++k) {
    planes.middleCols(k * y.size(), y.size()) = (z[k] * x) * y.transpose();
  }
  return planes;
}

class GaussianPsf final : public PsfShape {
 public:
  Footprint footprint(const Source& source, const Image& image, bool slopes) const override {
    const ProfileSlopes x = profile(source.x, source.sigma, image.width, slopes);
    const ProfileSlopes y = profile(source.y, source.sigma, image.height, slopes);
    const ProfileSlopes z =
        image.is_stack() ? profile(source.z, source.sigma_z, image.depth, slopes) : single_plane();
    Footprint print;
    print.box = {x.first, y.first, z.first, x.share.size(), y.share.size(), z.share.size()};
    print.share = product(x.share, y.share, z.share);
    if (!slopes) return print;
    print.by_x = product(x.by_place, y.share, z.share);
    print.by_y = product(x.share, y.by_place, z.share);
    print.by_sigma = product(x.by_sigma, y.share, z.share);
    print.by_sigma += product(x.share, y.by_sigma, z.share);
    if (!image.is_stack()) return print;
    print.by_z = product(x.share, y.share, z.by_place);
    print.by_sigma_z = product(x.share, y.share, z.by_sigma);
    return print;
  }
  double reach(const Source& source) const override { return kGaussianReach * source.sigma + 0.5; }
  bool has_width() const override { return true; }
};

}  // namespace

void PsfShape::add(const Source& source, Image& image) const {
  const Footprint print = footprint(source, image, false);
  Eigen::Map<Matrix> pixels(image.pixels.data(), image.width, image.height * image.depth);
  for (Index k = 0; k < print.box.depth; ++k) {
    plane_of(pixels, image.height, print.box, k) +=
        source.flux * plane_of(print.share, print.box, k);
  }
}

void PsfShape::add_to_part(const Source& source, const Image& size, const Box& box,
                           Image& part) const {
  const double far_off = reach(source) + 1;
  if (source.y + far_off < static_cast<double>(box.low) ||
      source.y - far_off > static_cast<double>(box.low + box.height)) {
    return;
  }
  const Footprint print = footprint(source, size, false);
  const Box& all = print.box;
  const Index left = std::max(all.left, box.left), low = std::max(all.low, box.low),
              near = std::max(all.near, box.near);
  const Index right = std::min(all.left + all.width, box.left + box.width),
              high = std::min(all.low + all.height, box.low + box.height),
              far = std::min(all.near + all.depth, box.near + box.depth);
  for (Index z = near; z < far; ++z) {
    for (Index y = low; y < high; ++y) {
      const Index column = (z - all.near) * all.height + y - all.low;
      for (Index x = left; x < right; ++x) {
        part.at(x - box.left + 1, y - box.low + 1, z - box.near + 1) +=
            source.flux * print.share(x - all.left, column);
      }
    }
  }
}

double PsfShape::length(const Source& source, const Image& image) const {
  return footprint(source, image, false).share.norm();
}

const PsfShape& gaussian_psf() {
  static const GaussianPsf psf;
  return psf;
}

}  // namespace ardent
