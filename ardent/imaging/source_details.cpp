#include "ardent/imaging/source_details.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ardent/imaging/locate_tiles.h"
#include "ardent/imaging/pixel_mask.h"
#include "ardent/imaging/pixel_noise.h"
#include "ardent/imaging/psf_fit.h"
#include "ardent/imaging/saturation.h"
#include "ardent/imaging/width_noise.h"

namespace ardent {
namespace {

constexpr double kWithin = 2;           // σ: the part of a source that χ² and flags are about
constexpr double kCovarianceReach = 5;  // σ around a source, for its covariance

/// The image as the search saw it at its end: missing pixels NaN, saturated ones +∞.
Image searched(Image image, const LocateOptions& options, const LocateResult& found) {
  leave_out_masked(image, options);
  mark_saturated(image, options.saturation);
  for (const std::size_t p : found.bad_pixels) image.pixels[p] = std::nan("");
  return image;
}

PixelNoise final_noise(const Image& seen, const LocateOptions& options, const LocateResult& found) {
  PixelNoise noise =
      estimate_noise(minus(seen, found.background), found.background,
                     {found.noise_variance, options.gain, options.read_noise, options.errors()});
  noise.profile_error = found.profile_error;
  return noise;
}

/// The pixels from `low` to `high`, as far as there are any between 1 and `last`.
std::pair<Index, Index> pixel_range(double low, double high, Index last) {
  const auto bound = [last](double value) {
    return static_cast<Index>(std::clamp(std::round(value), 1.0, static_cast<double>(last)));
  };
  return {bound(low), bound(high)};
}

/// A box around all of the sources.
Box box_around(const std::vector<Source>& sources, const Image& image) {
  double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
  for (const Source& one : sources) {
    const double places[3] = {one.x, one.y, one.z};
    for (int axis = 0; axis < 3; ++axis) {
      const double reach = kCovarianceReach * (axis < 2 ? one.sigma : one.sigma_z);
      low[axis] = std::min(low[axis], places[axis] - reach);
      high[axis] = std::max(high[axis], places[axis] + reach);
    }
  }
  const auto [left, right] = pixel_range(low[0], high[0], image.width);
  const auto [bottom, top] = pixel_range(low[1], high[1], image.height);
  auto [near, far] = pixel_range(low[2], high[2], image.depth);
  if (image.is_stack() && near == far) near > 1 ? --near : ++far;  // still a stack
  return {left, bottom, near, right - left + 1, top - bottom + 1, far - near + 1};
}

/// Measures sources one by one.
class DetailFinder {
 public:
  DetailFinder(const Image& image, const LocateOptions& options, const LocateResult& found)
      : seen_(searched(image, options, found)),
        found_(found),
        noise_(final_noise(seen_, options, found)),
        weights_(weights_of(found.model, noise_)),
        tile_(tile_options(options)),
        fit_(tile_.fit) {
    fit_.max_steps = 0;  // the covariance at the sources as they were found
  }

  SourceDetails of(std::size_t k) const {
    const Detection& detection = found_.detections[k];
    const std::vector<Source> group = with_neighbours(k);
    SourceDetails details;
    // On the scale of the source, as that of its flux is.
    add_covariance(group, variance_ratio(found_.width_noise, detection.source), details);
    add_quality(detection.source, details);
    if (group.size() > 1) details.flags |= kBlended;
    if (detection.probability < 0.9) details.flags |= kDoubtful;
    if (detection.joined.size() > 1) details.flags |= kJoinedSources;
    return details;
  }

 private:
  /// The source first.
  std::vector<Source> with_neighbours(std::size_t k) const {
    const Source& centre = found_.detections[k].source;
    std::vector<Source> group{centre};
    for (std::size_t j = 0; j < found_.detections.size(); ++j) {
      const Source& other = found_.detections[j].source;
      if (j != k && distance(centre, other) < kWithin * (centre.sigma + other.sigma)) {
        group.push_back(other);
      }
    }
    return group;
  }

  void add_covariance(std::vector<Source> group, double ratio, SourceDetails& details) const {
    const Box box = box_around(group, seen_);
    for (Source& one : group) {
      one.x -= static_cast<double>(box.left - 1);
      one.y -= static_cast<double>(box.low - 1);
      one.z -= static_cast<double>(box.near - 1);
    }
    const Image weights = cut(weights_, box);
    const PsfFit fit = fit_sources(cut(seen_, box), std::move(group), fit_, &weights);
    const Matrix covariance = ratio * noise_.variance * parameter_covariance(fit);
    const auto deviation = [&](double Source::*parameter) {
      const auto at = std::find(fit.parameters.begin(), fit.parameters.end(), parameter);
      if (at == fit.parameters.end()) return 0.0;
      const Index k = at - fit.parameters.begin();
      return std::sqrt(std::max(0.0, covariance(k, k)));
    };
    details.x_sd = deviation(&Source::x);
    details.y_sd = deviation(&Source::y);
    details.z_sd = deviation(&Source::z);
    details.sigma_sd = deviation(&Source::sigma);
    details.cov_xy = covariance(0, 1);  // x, y and flux come first (psf_fit.h)
    details.cov_x_flux = covariance(0, kFluxParameter);
    details.cov_y_flux = covariance(1, kFluxParameter);
  }

  /// Sky, χ² and what the pixels within 2σ show.
  void add_quality(const Source& source, SourceDetails& details) const {
    const double across = std::max(1.0, kWithin * source.sigma);
    const double along = std::max(1.0, kWithin * source.sigma_z);
    if (source.x - across < 0.5 || source.y - across < 0.5 ||
        source.x + across > static_cast<double>(seen_.width) + 0.5 ||
        source.y + across > static_cast<double>(seen_.height) + 0.5) {
      details.flags |= kAtBorder;
    }
    const auto [left, right] = pixel_range(source.x - across, source.x + across, seen_.width);
    const auto [low, high] = pixel_range(source.y - across, source.y + across, seen_.height);
    const auto [near, far] = pixel_range(source.z - along, source.z + along, seen_.depth);
    double sum = 0;
    for (Index z = near; z <= far; ++z) {
      for (Index y = low; y <= high; ++y) {
        for (Index x = left; x <= right; ++x) {
          const double u = (static_cast<double>(x) - source.x) / across,
                       v = (static_cast<double>(y) - source.y) / across;
          if (u * u + v * v <= 1) sum += judged(seen_.place(x, y, z), details);
        }
      }
    }
    const Index parameters = std::ssize(fitted_parameters(fit_, seen_.is_stack()));
    details.chi_square = sum / static_cast<double>(std::max<Index>(1, details.pixels - parameters));
    const Index x = pixel_range(source.x, source.x, seen_.width).first;
    const Index y = pixel_range(source.y, source.y, seen_.height).first;
    const Index z = pixel_range(source.z, source.z, seen_.depth).first;
    details.sky = found_.background.at(x, y, z);
  }

  /// What pixel p adds to χ².
  double judged(std::size_t p, SourceDetails& details) const {
    const double value = seen_.pixels[p];
    if (!std::isfinite(value)) {
      details.flags |= std::isnan(value) ? kPixelsMissing : kSaturated;
      return 0;
    }
    ++details.pixels;
    const double model = found_.model.pixels[p], left = value - found_.background.pixels[p] - model;
    return left * left / noise_.at(p, model);
  }

  Image seen_;
  const LocateResult& found_;
  PixelNoise noise_;
  Image weights_;
  TileOptions tile_;
  PsfFitOptions fit_;
};

}  // namespace

std::vector<SourceDetails> source_details(const Image& image, const LocateOptions& options,
                                          const LocateResult& found) {
  std::vector<SourceDetails> all;
  if (found.detections.empty()) return all;
  const DetailFinder finder(image, options, found);
  for (std::size_t k = 0; k < found.detections.size(); ++k) all.push_back(finder.of(k));
  return all;
}

Image noise_map(const Image& image, const LocateOptions& options, const LocateResult& found) {
  const PixelNoise noise = final_noise(searched(image, options, found), options, found);
  Image map = image;
  for (std::size_t p = 0; p < map.pixels.size(); ++p) {
    map.pixels[p] = std::sqrt(noise.at(p, found.model.pixels[p]));
  }
  return map;
}

}  // namespace ardent
