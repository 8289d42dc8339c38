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

/// Coefficients of the cubic B-spline through samples that lie `stride` apart, by the recursive
/// filter (Unser 1999); zero before and after them.
void to_coefficients(double* c, Index count, Index stride) {
  const double pole = std::sqrt(3.0) - 2;
  for (Index k = 1; k < count; ++k) c[k * stride] += pole * c[(k - 1) * stride];
  c[(count - 1) * stride] *= -pole / (1 - pole * pole);
  for (Index k = count - 2; k >= 0; --k) {
    c[k * stride] = pole * (c[(k + 1) * stride] - c[k * stride]);
  }
  for (Index k = 0; k < count; ++k) c[k * stride] *= 6;
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

/// Sums over the knots along one axis, weighted: what is left has the pixels that are reached.
Matrix along_x(const Matrix& knots, const Reach& reach, const std::array<double, 4>& w) {
  Matrix sum = w[0] * knots.middleRows(reach.knot - 1, reach.count);
  for (Index k = 1; k < 4; ++k) sum += w[k] * knots.middleRows(reach.knot - 1 + k, reach.count);
  return sum;
}

/// The same along blocks of columns: along z a block is a plane.
Matrix along_blocks(const Matrix& knots, const Reach& reach, const std::array<double, 4>& w,
                    Index size) {
  const auto block = [&](Index k) {
    return knots.middleCols((reach.knot - 1 + k) * size, reach.count * size);
  };
  Matrix sum = w[0] * block(0);
  for (Index k = 1; k < 4; ++k) sum += w[k] * block(k);
  return sum;
}

Matrix along_y(const Matrix& knots, Index height, const Reach& reach,
               const std::array<double, 4>& w) {
  const Index planes = knots.cols() / height;
  if (planes == 1) return along_blocks(knots, reach, w, 1);
  Matrix all(knots.rows(), reach.count * planes);
  for (Index k = 0; k < planes; ++k) {
    all.middleCols(k * reach.count, reach.count) =
        along_blocks(knots.middleCols(k * height, height), reach, w, 1);
  }
  return all;
}

/// σ of the Gaussian with as large a Σ share² in one dimension.
double width_of(const Vector& shares) {
  return 0.5 * std::numbers::inv_sqrtpi / shares.squaredNorm();
}

/// The distance within which 99% of the light lies.
double radius_of(std::vector<std::pair<double, double>> light_by_distance, double most) {
  std::sort(light_by_distance.begin(), light_by_distance.end());
  double light = 0;
  for (const auto& [distance, share] : light_by_distance) {
    light += share;
    if (light >= 0.99) return std::min(most, distance);
  }
  return most;
}

void check(const Image& image) {
  const auto refuse = [&](std::string_view why) {
    throw InputError(fmt::format("the PSF of {} {}", size_text(image), why));
  };
  if (image.width < 3 || image.height < 3) refuse("is too small: give at least 3 × 3");
  if (image.depth == 2) refuse("is too small: give at least 3 planes, or one");
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

PsfImage::PsfImage(const Image& image) : is_stack_(image.is_stack()) {
  check(image);
  const Index border_z = is_stack_ ? kBorder : 0;
  x_.count = image.width + 2 * kBorder;
  y_.count = image.height + 2 * kBorder;
  z_.count = image.depth + 2 * border_z;
  Matrix shares =
      Eigen::Map<const Matrix>(image.pixels.data(), image.width, image.height * image.depth);
  sky_ = estimate_psf_sky(image);
  if (sky_.level != 0) shares.array() -= sky_.level;
  shares /= shares.sum();
  measure(shares, image.height);
  coefficients_ = Matrix::Zero(x_.count, y_.count * z_.count);
  for (Index k = 0; k < image.depth; ++k) {
    coefficients_.block(kBorder, (k + border_z) * y_.count + kBorder, image.width, image.height) =
        shares.middleCols(k * image.height, image.height);
  }
  x_.centre += kBorder;
  y_.centre += kBorder;
  z_.centre += static_cast<double>(border_z);
  const Index plane = x_.count * y_.count;
  double* c = coefficients_.data();
  for (Index j = 0; j < y_.count * z_.count; ++j) to_coefficients(c + j * x_.count, x_.count, 1);
  for (Index k = 0; k < z_.count; ++k) {
    for (Index i = 0; i < x_.count; ++i) {
      to_coefficients(c + k * plane + i, y_.count, x_.count);
    }
  }
  for (Index p = 0; is_stack_ && p < plane; ++p) to_coefficients(c + p, z_.count, plane);
}

/// Centroid, width and radius.
void PsfImage::measure(const Matrix& shares, Index height) {
  const Index width = shares.rows(), depth = shares.cols() / height;
  Matrix flat = shares.leftCols(height);  // the sum of the planes
  for (Index k = 1; k < depth; ++k) flat += shares.middleCols(k * height, height);
  const auto places = [](Index count) { return Vector::LinSpaced(count, 0, double(count - 1)); };
  x_.centre = flat.rowwise().sum().dot(places(width));
  y_.centre = flat.colwise().sum().dot(places(height));
  const Vector by_plane = shares.reshaped(width * height, depth).colwise().sum();
  z_.centre = is_stack_ ? by_plane.dot(places(depth)) : 0;
  const auto outside = [](double at, Index pixels) { return at < 0 || at > double(pixels - 1); };
  if (outside(x_.centre, width) || outside(y_.centre, height) || outside(z_.centre, depth)) {
    throw InputError(fmt::format(
        "the PSF's light has its centroid at ({:.2f}, {:.2f}{}), outside of its {} × {}{} pixels: "
        "take off its sky first",
        x_.centre + 1, y_.centre + 1, is_stack_ ? fmt::format(", {:.2f}", z_.centre + 1) : "",
        width, height, is_stack_ ? fmt::format(" × {}", depth) : ""));
  }
  sigma_ = 1 / std::sqrt(4 * std::numbers::pi * flat.squaredNorm());
  std::vector<std::pair<double, double>> light;
  for (Index j = 0; j < height; ++j) {
    for (Index i = 0; i < width; ++i) {
      light.emplace_back(elementary::length(double(i) - x_.centre, double(j) - y_.centre),
                         flat(i, j));
    }
  }
  radius_ = radius_of(std::move(light), 0.5 * static_cast<double>(std::max(width, height)));
  if (!is_stack_) return;
  sigma_z_ = width_of(by_plane);
  light.clear();
  for (Index k = 0; k < depth; ++k) {
    light.emplace_back(std::abs(double(k) - z_.centre), by_plane[k]);
  }
  radius_z_ = radius_of(std::move(light), 0.5 * static_cast<double>(depth));
}

double PsfImage::reach(const Source&) const {
  const double across = static_cast<double>(std::max(x_.count, y_.count)),
               along = static_cast<double>(z_.count) * sigma_ / sigma_z_;
  return 0.5 * (is_stack_ ? std::max(across, along) : across);
}

Footprint PsfImage::footprint(const Source& source, const Image& image, bool slopes) const {
  const Reach across = reach_along(source.x, x_.centre, x_.count, image.width);
  const Reach up = reach_along(source.y, y_.centre, y_.count, image.height);
  const Reach along =
      is_stack_ ? reach_along(source.z, z_.centre, z_.count, image.depth) : Reach{1, 1};
  if (across.count == 0 || up.count == 0 || along.count == 0) return {};
  const Weights x = weights(across.t), y = weights(up.t), z = weights(along.t);
  const auto planes = [&](const Matrix& knots, const std::array<double, 4>& w) {
    return is_stack_ ? along_blocks(knots, along, w, up.count) : knots;
  };
  const Matrix rows = along_x(coefficients_, across, x.value);
  const Matrix columns = along_y(rows, y_.count, up, y.value);
  Footprint print;
  print.box = {across.first, up.first, along.first, across.count, up.count, along.count};
  print.share = planes(columns, z.value);
  if (!slopes) return print;
  // share(pixel − place): by the place it falls as it rises by the pixel.
  print.by_x =
      -planes(along_y(along_x(coefficients_, across, x.slope), y_.count, up, y.value), z.value);
  print.by_y = -planes(along_y(rows, y_.count, up, y.slope), z.value);
  if (is_stack_) print.by_z = -planes(columns, z.slope);
  return print;
}

}  // namespace ardent
