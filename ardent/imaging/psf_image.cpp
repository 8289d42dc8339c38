#include "ardent/imaging/psf_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"

namespace ardent {
namespace {

/// The spline's coefficients reach as many pixels past the image: 0.27¹² is 10⁻⁷ of an edge pixel.
constexpr Index kBorder = 12;

/// Coefficients of the cubic B-spline through the samples along each column, by the recursive
/// filter (Unser 1999); zero before and after them.
void to_coefficients(Eigen::Ref<Matrix> samples) {
  const double pole = std::sqrt(3.0) - 2;
  const Index count = samples.rows();
  for (Index column = 0; column < samples.cols(); ++column) {
    auto c = samples.col(column);
    for (Index k = 1; k < count; ++k) c[k] += pole * c[k - 1];
    c[count - 1] *= -pole / (1 - pole * pole);
    for (Index k = count - 2; k >= 0; --k) c[k] = pole * (c[k + 1] - c[k]);
    c *= 6;
  }
}

/// β³ at t + 1, t, t − 1, t − 2 for t in [0, 1), and its slopes.
struct Weights {
  std::array<double, 4> value, slope;
};
Weights weights(double t) {
  const double s = 1 - t;
  return {
      {s * s * s / 6, 2.0 / 3 - t * t * (2 - t) / 2, 2.0 / 3 - s * s * (2 - s) / 2, t * t * t / 6},
      {-s * s / 2, 1.5 * t * t - 2 * t, 2 * s - 1.5 * s * s, t * t / 2}};
}

/// Pixels along one axis that the spline reaches, and where the first of them lies on it.
struct Reach {
  Index first = 1, count = 0;  // pixels, from 1
  Index knot = 0;              // before the first pixel, from 0
  double t = 0;                // past that knot
};
Reach reach_along(double at, double centre, Index knots, Index pixels) {
  // Pixel p lies at p − at + centre among the knots; it needs those at −1, 0, 1 and 2 of its own.
  const double offset = centre - at;
  const auto last = static_cast<double>(pixels);
  Reach reach;
  reach.first = static_cast<Index>(std::clamp(std::ceil(1 - offset), 1.0, last + 1));
  const auto end = static_cast<Index>(
      std::clamp(std::ceil(static_cast<double>(knots) - 2 - offset) - 1, 0.0, last));
  reach.count = std::max<Index>(0, end - reach.first + 1);
  const double place = static_cast<double>(reach.first) + offset;
  // Rounding may put the first pixel a hair before the first knot, or the last after the last.
  reach.knot = std::max<Index>(1, static_cast<Index>(std::floor(place)));
  reach.t = std::max(0.0, place - static_cast<double>(reach.knot));
  reach.count = std::min(reach.count, std::max<Index>(0, knots - 2 - reach.knot));
  return reach;
}

Matrix along_rows(const Matrix& knots, Index knot, Index count, const std::array<double, 4>& w) {
  Matrix sum = w[0] * knots.middleRows(knot - 1, count);
  for (Index k = 1; k < 4; ++k) {
    sum += w[k] * knots.middleRows(knot - 1 + k, count);
  }
  return sum;
}

Matrix along_columns(const Matrix& knots, Index knot, Index count, const std::array<double, 4>& w) {
  Matrix sum = w[0] * knots.middleCols(knot - 1, count);
  for (Index k = 1; k < 4; ++k) {
    sum += w[k] * knots.middleCols(knot - 1 + k, count);
  }
  return sum;
}

void check(const Image& image) {
  const auto refuse = [&](std::string_view why) {
    throw InputError(fmt::format("the PSF of {} × {} pixels {}", image.width, image.height, why));
  };
  if (image.width < 3 || image.height < 3) refuse("is too small: give at least 3 × 3");
  const Index missing = image.size() - known_pixels(image);
  if (missing > 0) refuse(fmt::format("has {} missing ones (NaN): fill them first", missing));
  double sum = 0, size = 0;
  for (const double value : image.pixels) {
    if (!std::isfinite(value)) refuse("has one that is not finite");
    sum += value;
    size += std::abs(value);
  }
  if (!(sum > 0)) {
    refuse(fmt::format("has the sum {:.6g}, which must be above 0 to be scaled to 1", sum));
  }
  if (sum < 0.5 * size) {
    refuse(
        fmt::format("has the sum {:.6g} and Σ|pixel| {:.6g}: take off its sky first", sum, size));
  }
}

}  // namespace

PsfImage::PsfImage(const Image& image) {
  check(image);
  coefficients_ = Matrix::Zero(image.width + 2 * kBorder, image.height + 2 * kBorder);
  auto inner = coefficients_.block(kBorder, kBorder, image.width, image.height);
  inner = Eigen::Map<const Matrix>(image.pixels.data(), image.width, image.height);
  sky_ = estimate_psf_sky(image);
  if (sky_.level != 0) inner.array() -= sky_.level;
  inner /= inner.sum();
  const Matrix shares = inner;
  x_ = shares.rowwise().sum().dot(Vector::LinSpaced(image.width, 0, double(image.width - 1)));
  y_ = shares.colwise().sum().dot(Vector::LinSpaced(image.height, 0, double(image.height - 1)));
  if (x_ < 0 || y_ < 0 || x_ > double(image.width - 1) || y_ > double(image.height - 1)) {
    throw InputError(fmt::format(
        "the PSF's light has its centroid at ({:.2f}, {:.2f}), outside of its {} × {} pixels: take "
        "off its sky first",
        x_ + 1, y_ + 1, image.width, image.height));
  }
  sigma_ = 1 / std::sqrt(4 * std::numbers::pi * shares.squaredNorm());
  // Light within each distance from the centroid.
  std::vector<std::pair<double, double>> by_distance;
  for (Index j = 0; j < image.height; ++j) {
    for (Index i = 0; i < image.width; ++i) {
      by_distance.emplace_back(elementary::length(double(i) - x_, double(j) - y_), shares(i, j));
    }
  }
  std::sort(by_distance.begin(), by_distance.end());
  double light = 0;
  radius_ = 0.5 * static_cast<double>(std::max(image.width, image.height));
  for (const auto& [distance, share] : by_distance) {
    light += share;
    if (light < 0.99) continue;
    radius_ = std::min(radius_, distance);
    break;
  }
  x_ += kBorder;
  y_ += kBorder;
  to_coefficients(coefficients_);
  Matrix transposed = coefficients_.transpose();
  to_coefficients(transposed);
  coefficients_ = transposed.transpose();
}

double PsfImage::reach(double) const {
  return 0.5 * static_cast<double>(std::max(coefficients_.rows(), coefficients_.cols()));
}

Footprint PsfImage::footprint(const Source& source, Index width, Index height, bool slopes) const {
  const Reach across = reach_along(source.x, x_, coefficients_.rows(), width);
  const Reach up = reach_along(source.y, y_, coefficients_.cols(), height);
  if (across.count == 0 || up.count == 0) return {};
  const Weights x = weights(across.t), y = weights(up.t);
  const Matrix rows = along_rows(coefficients_, across.knot, across.count, x.value);
  Footprint print{across.first, up.first, along_columns(rows, up.knot, up.count, y.value),
                  {},           {},       {}};
  if (!slopes) return print;
  // share(pixel − place): by the place it falls as it rises by the pixel.
  print.by_x = -along_columns(along_rows(coefficients_, across.knot, across.count, x.slope),
                              up.knot, up.count, y.value);
  print.by_y = -along_columns(rows, up.knot, up.count, y.slope);
  print.by_sigma = Matrix::Zero(across.count, up.count);
  return print;
}

}  // namespace ardent
