#include "ardent/imaging/tile.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ardent/inference/coding/reweighted_l1.h"

namespace ardent {
namespace {

constexpr Index kMissingRounds = 2;
constexpr double kTolerance = 1e-4;  // relative gap: finer than the noise needs

struct Coded {
  std::vector<Source> atoms;  // flux = coefficient × that of the atom
  Vector amplitudes;          // on atoms of unit length
  Vector model;
};

Coded code(const Vector& pixels, double lambda, TileDictionary& dictionary, bool nonnegative) {
  const PsfDictionary& psfs = dictionary.psfs;
  Matrix rho;
  psfs.correlate(pixels, rho);
  const Vector correlations = rho.col(0);
  Coded coded{{}, {}, Vector::Zero(pixels.size())};
  if (!(pixels.squaredNorm() > 0)) return coded;
  const CodingTask task{dictionary.rows, pixels, correlations, true};
  CodeOptions options;
  options.lambda = lambda;
  options.nonnegative = nonnegative;
  options.tolerance = kTolerance;
  const SparseBayesCode found = code_at(task, lambda, options, {});
  coded.amplitudes = found.code.theta;
  for (std::size_t k = 0; k < found.code.active.size(); ++k) {
    const double amplitude = found.code.theta[static_cast<Index>(k)];
    Source source = psfs.source(found.code.active[k]);
    source.flux *= amplitude;
    coded.atoms.push_back(source);
    psfs.add_scaled(found.code.active[k], amplitude, coded.model);
  }
  return coded;
}

/// Pixels as a signal, the missing ones filled from the model of the rounds before.
Coded code_with_missing(const Image& tile, double lambda, TileDictionary& dictionary,
                        bool nonnegative) {
  Vector pixels = Eigen::Map<const Vector>(tile.pixels.data(), tile.size());
  std::vector<Index> missing;
  for (Index p = 0; p < pixels.size(); ++p) {
    if (!std::isnan(pixels[p])) continue;
    missing.push_back(p);
    pixels[p] = 0;
  }
  Coded coded = code(pixels, lambda, dictionary, nonnegative);
  for (Index round = 0; round < kMissingRounds && !missing.empty(); ++round) {
    for (const Index p : missing) pixels[p] = coded.model[p];
    coded = code(pixels, lambda, dictionary, nonnegative);
  }
  return coded;
}

/// The brightest atom first: each joins the first group whose middle is near enough.
std::vector<Source> merged(const Coded& coded, double radius) {
  struct Group {
    Source source;
    double weight = 0;
  };
  std::vector<std::size_t> order(coded.atoms.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  const auto size = [&](std::size_t k) {
    return std::abs(coded.amplitudes[static_cast<Index>(k)]);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  std::vector<Group> groups;
  for (const std::size_t k : order) {
    const Source& atom = coded.atoms[k];
    const auto near = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return std::hypot(group.source.x - atom.x, group.source.y - atom.y) <= radius;
    });
    if (near == groups.end()) {
      groups.push_back({atom, size(k)});
      continue;
    }
    const double part = size(k) / (near->weight + size(k));
    near->source.x += part * (atom.x - near->source.x);
    near->source.y += part * (atom.y - near->source.y);
    near->source.sigma += part * (atom.sigma - near->source.sigma);
    near->source.flux += atom.flux;
    near->weight += size(k);
  }
  std::vector<Source> sources;
  for (const Group& group : groups) sources.push_back(group.source);
  return sources;
}

Image rendered(const std::vector<Source>& sources, Index width, Index height) {
  Image model = blank_image(width, height);
  for (const Source& source : sources) add_source(source, model);
  return model;
}

/// What is known of a source before: its place and width at random, its flux on any scale.
struct SourcePrior {
  double area = 1;       // pixels to one source
  double brightest = 0;  // flux
  double range = 0;      // of σ; 0: known

  /// Precisions of a normal prior over (x, y, flux, σ) that is as high where the source is.
  Vector precisions(const Source& source) const {
    constexpr double kScales = 6.9;  // ln 1000: how far apart the largest and least flux may be
    const double flux = std::max({kScales * source.flux, brightest, 1e-300});
    Vector all(4);
    all << 1 / area, 1 / area, 1 / (flux * flux), range > 0 ? 1 / (range * range) : 1;
    return 2 * std::numbers::pi * all.head(range > 0 ? 4 : 3);
  }
};

/// log|JᵀJ/v + P| − log|P|
double log_determinant(const PsfFit& fit, double noise_variance, const SourcePrior& prior) {
  if (fit.sources.empty()) return 0;
  Matrix precision = fit.hessian / noise_variance;
  double log_prior = 0;
  for (std::size_t k = 0; k < fit.sources.size(); ++k) {
    const Vector own = prior.precisions(fit.sources[k]);
    precision.diagonal().segment(own.size() * static_cast<Index>(k), own.size()) += own;
    log_prior += own.array().log().sum();
  }
  const Eigen::LLT<Matrix> factor(precision);
  return 2 * Matrix(factor.matrixL()).diagonal().array().log().sum() - log_prior;
}

/// log odds of a fit against one with a source less, by Laplace's method for both.
double log_odds(const PsfFit& fit, const PsfFit& without, double noise_variance,
                const SourcePrior& prior) {
  return 0.5 * ((without.square_sum - fit.square_sum) / noise_variance -
                log_determinant(fit, noise_variance, prior) +
                log_determinant(without, noise_variance, prior));
}

/// Source k with those whose light it shares, on the pixels that it reaches; the others' light is
/// taken off. k comes first.
struct Neighbourhood {
  Image pixels;
  std::vector<Source> sources;
};

Neighbourhood around(const Image& tile, const std::vector<Source>& sources, std::size_t k) {
  constexpr double kReach = 4;  // in units of σ
  const Source& centre = sources[k];
  const double radius = kReach * centre.sigma;
  const auto bound = [](double value, Index last) {
    return static_cast<Index>(std::clamp(std::round(value), 1.0, static_cast<double>(last)));
  };
  const Index left = bound(centre.x - radius, tile.width),
              right = bound(centre.x + radius, tile.width);
  const Index low = bound(centre.y - radius, tile.height),
              high = bound(centre.y + radius, tile.height);
  Neighbourhood near{blank_image(right - left + 1, high - low + 1), {}};
  for (Index y = low; y <= high; ++y) {
    for (Index x = left; x <= right; ++x) near.pixels.at(x - left + 1, y - low + 1) = tile.at(x, y);
  }
  const auto local = [&](Source source) {
    source.x -= static_cast<double>(left - 1);
    source.y -= static_cast<double>(low - 1);
    return source;
  };
  near.sources.push_back(local(centre));
  for (std::size_t j = 0; j < sources.size(); ++j) {
    if (j == k) continue;
    Source other = local(sources[j]);
    const double distance = std::hypot(sources[j].x - centre.x, sources[j].y - centre.y);
    if (distance < 2 * (centre.sigma + other.sigma)) {
      near.sources.push_back(other);
    } else if (distance < radius * std::numbers::sqrt2 + kReach * other.sigma) {
      other.flux = -other.flux;
      add_source(other, near.pixels);
    }
  }
  return near;
}

double removal_log_odds(const Image& tile, const PsfFit& fit, std::size_t k, double noise_variance,
                        const SourcePrior& prior, const PsfFitOptions& options) {
  const Neighbourhood near = around(tile, fit.sources, k);
  const PsfFit with = fit_sources(near.pixels, near.sources, options);
  const PsfFit without =
      fit_sources(near.pixels, {near.sources.begin() + 1, near.sources.end()}, options);
  return log_odds(with, without, noise_variance, prior);
}

/// The probability of each source, by its flux over its standard deviation; where that alone does
/// not settle it, by fitting the others without it.
std::vector<Detection> judged(const PsfFit& fit, double noise_variance, const Image& tile,
                              const PsfFitOptions& options) {
  constexpr double kSettled = 8;  // flux over standard deviation
  std::vector<Detection> detections;
  if (fit.sources.empty()) return detections;
  SourcePrior prior{static_cast<double>(tile.size()) / static_cast<double>(fit.sources.size()), 0,
                    options.sigma_high - options.sigma_low};
  for (const Source& source : fit.sources) prior.brightest = std::max(prior.brightest, source.flux);
  const Matrix covariance = noise_variance * parameter_covariance(fit);
  const Index d = fit.parameters_each;
  for (std::size_t k = 0; k < fit.sources.size(); ++k) {
    const auto at = d * static_cast<Index>(k) + 2;
    Detection detection{fit.sources[k]};
    detection.flux_sd = std::sqrt(std::max(0.0, covariance(at, at)));
    detection.snr = detection.flux_sd > 0 ? detection.source.flux / detection.flux_sd : 0;
    detection.probability = 1;
    if (detection.snr < kSettled) {
      const double odds = removal_log_odds(tile, fit, k, noise_variance, prior, options);
      detection.probability = 1 / (1 + std::exp(-odds));
    }
    detections.push_back(detection);
  }
  return detections;
}

/// Joint fit of what was found, with what is left coded once more.
PsfFit refined(const Image& tile, std::vector<Source> start, double lambda,
               TileDictionary& dictionary, const TileOptions& options) {
  PsfFit fit = fit_sources(tile, std::move(start), options.fit);
  Image left = tile;
  const Image model = rendered(fit.sources, tile.width, tile.height);
  for (std::size_t p = 0; p < left.pixels.size(); ++p) left.pixels[p] -= model.pixels[p];
  const Coded more = code_with_missing(left, lambda, dictionary, options.nonnegative);
  std::vector<Source> all = fit.sources;
  for (const Source& source : merged(more, options.merge)) all.push_back(source);
  if (all.size() > fit.sources.size()) fit = fit_sources(tile, std::move(all), options.fit);
  return fit;
}

}  // namespace

TileResult locate_in_tile(const Image& tile, double noise_variance, TileDictionary& dictionary,
                          const TileOptions& options) {
  const double lambda =
      options.lambda > 0 ? options.lambda : options.lambda_factor * noise_variance;
  const Coded coded = code_with_missing(tile, lambda, dictionary, options.nonnegative);
  std::vector<Source> sources = merged(coded, options.merge);
  TileResult result;
  result.model = blank_image(tile.width, tile.height);
  std::copy(coded.model.begin(), coded.model.end(), result.model.pixels.begin());
  if (sources.empty()) return result;
  if (!options.refine) {
    double largest = coded.amplitudes.cwiseAbs().maxCoeff();
    const PsfFit at_start = fit_sources(tile, sources, options.fit);
    std::vector<Detection> detections = judged(at_start, noise_variance, tile, options.fit);
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const double amplitude =
          std::abs(sources[k].flux) *
          psf_length(sources[k].x, sources[k].y, sources[k].sigma, tile.width, tile.height);
      if (amplitude < options.least_amplitude * largest) continue;
      detections[k].source = sources[k];
      result.detections.push_back(detections[k]);
    }
    return result;
  }
  PsfFit fit = refined(tile, std::move(sources), lambda, dictionary, options);
  // One at a time: of two that share their light, one is needed when the other has gone.
  while (true) {
    result.detections = judged(fit, noise_variance, tile, options.fit);
    const auto least = std::min_element(
        result.detections.begin(), result.detections.end(),
        [](const Detection& a, const Detection& b) { return a.probability < b.probability; });
    if (least == result.detections.end() || least->probability >= options.least_probability) break;
    std::vector<Source> kept = fit.sources;
    kept.erase(kept.begin() + (least - result.detections.begin()));
    fit = fit_sources(tile, std::move(kept), options.fit);
  }
  result.model = rendered(fit.sources, tile.width, tile.height);
  return result;
}

}  // namespace ardent
