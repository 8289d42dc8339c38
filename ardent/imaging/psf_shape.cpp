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

class GaussianPsf final : public PsfShape {
 public:
  Footprint footprint(const Source& source, Index width, Index height, bool slopes) const override {
    const ProfileSlopes across = profile(source.x, source.sigma, width, slopes);
    const ProfileSlopes up = profile(source.y, source.sigma, height, slopes);
    Footprint print{across.first, up.first, across.share * up.share.transpose(), {}, {}, {}};
    if (!slopes) return print;
    print.by_x = across.by_place * up.share.transpose();
    print.by_y = across.share * up.by_place.transpose();
    print.by_sigma = across.by_sigma * up.share.transpose();
    print.by_sigma.noalias() += across.share * up.by_sigma.transpose();
    return print;
  }
  double reach(double sigma) const override { return kGaussianReach * sigma + 0.5; }
  bool has_width() const override { return true; }
};

}  // namespace

void PsfShape::add(const Source& source, Image& image) const {
  const Footprint print = footprint(source, image.width, image.height, false);
  Eigen::Map<Matrix> pixels(image.pixels.data(), image.width, image.height);
  pixels.block(print.left - 1, print.low - 1, print.share.rows(), print.share.cols()) +=
      source.flux * print.share;
}

double PsfShape::length(const Source& source, Index width, Index height) const {
  return footprint(source, width, height, false).share.norm();
}

const PsfShape& gaussian_psf() {
  static const GaussianPsf psf;
  return psf;
}

}  // namespace ardent
