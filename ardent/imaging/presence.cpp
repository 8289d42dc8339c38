#include "ardent/imaging/presence.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/imaging/width_noise.h"

namespace ardent {
namespace {

constexpr double kCertainSignal = 8;  // flux over standard deviation

/// What is known of a source before: its place and width at random, its flux on any scale.
struct SourcePrior {
  double place = 1;      // 1/(pixels to one source)^(2/dimensions)
  double brightest = 0;  // flux
  double range = 0;      // of σ
  double range_z = 0;    // of σ_z

  SourcePrior(const PsfFit& fit, const Image& tile, const PsfFitOptions& options)
      : range(options.sigma_high - options.sigma_low),
        range_z(options.sigma_z_high - options.sigma_z_low) {
    const double room = static_cast<double>(tile.size()) / static_cast<double>(fit.sources.size());
    place = 1 / (tile.is_stack() ? elementary::power(room, 2.0 / 3) : room);
    for (const Source& source : fit.sources) {
      brightest = std::max(brightest, std::abs(source.flux));
    }
  }

  /// Precisions of a normal prior that is as high where the source is.
  Vector precisions(const Source& source, const FittedParameters& parameters) const {
    constexpr double kScales = 6.9;  // ln 1000: how far apart the largest and least flux may be
    const double flux = std::max({kScales * std::abs(source.flux), brightest, 1e-300});
    Vector all(std::ssize(parameters));
    for (Index k = 0; k < all.size(); ++k) {
      const auto parameter = parameters[k];
      all[k] = parameter == &Source::flux      ? 1 / (flux * flux)
               : parameter == &Source::sigma   ? 1 / (range * range)
               : parameter == &Source::sigma_z ? 1 / (range_z * range_z)
                                               : place;
    }
    return 2 * std::numbers::pi * all;
  }
};

/// log|JᵀWJ/v + P| − log|P|
double log_determinant(const PsfFit& fit, double noise_variance, const SourcePrior& prior) {
  if (fit.sources.empty()) return 0;
  Matrix precision = fit.hessian / noise_variance;
  double log_prior = 0;
  for (std::size_t k = 0; k < fit.sources.size(); ++k) {
    const Vector own = prior.precisions(fit.sources[k], fit.parameters);
    precision.diagonal().segment(own.size() * Index(k), own.size()) += own;
    log_prior += elementary::sum_of_logs(own);
  }
  const Eigen::LLT<Matrix> factor(precision);
  return 2 * elementary::sum_of_logs(factor.matrixLLT().diagonal()) - log_prior;
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
  Image pixels, weights;
  std::vector<Source> sources;
  std::vector<std::size_t> which;  // of all sources each of them is
};

Neighbourhood around(const Evidence& evidence, const std::vector<Source>& sources, std::size_t k,
                     const PsfShape& shape) {
  constexpr double kReach = 4;  // in units of σ
  const Image& tile = evidence.pixels;
  const Source& centre = sources[k];
  const auto bound = [](double value, Index last) {
    return static_cast<Index>(std::clamp(std::round(value), 1.0, static_cast<double>(last)));
  };
  const double across = kReach * centre.sigma, along = kReach * centre.sigma_z;
  Box box{bound(centre.x - across, tile.width), bound(centre.y - across, tile.height),
          bound(centre.z - along, tile.depth)};
  box.width = bound(centre.x + across, tile.width) - box.left + 1;
  box.height = bound(centre.y + across, tile.height) - box.low + 1;
  box.depth = bound(centre.z + along, tile.depth) - box.near + 1;
  if (tile.is_stack() && box.depth == 1) {  // beyond the last plane: two, for a stack it is
    box.near = std::max<Index>(1, box.near - 1);
    box.depth = 2;
  }
  Neighbourhood near{
      cut(tile, box), evidence.weights ? cut(*evidence.weights, box) : Image{}, {}, {}};
  const auto local = [&](Source source) {
    source.x -= static_cast<double>(box.left - 1);
    source.y -= static_cast<double>(box.low - 1);
    source.z -= static_cast<double>(box.near - 1);
    return source;
  };
  near.sources.push_back(local(centre));
  near.which.push_back(k);
  for (std::size_t j = 0; j < sources.size(); ++j) {
    if (j == k) continue;
    Source other = local(sources[j]);
    const double away = distance(centre, sources[j]);
    if (away < 2 * (centre.sigma + other.sigma)) {
      near.sources.push_back(other);
      near.which.push_back(j);
    } else if (away < across * std::numbers::sqrt2 + shape.reach(other)) {
      other.flux = -other.flux;
      shape.add(other, near.pixels);
    }
  }
  return near;
}

/// A source judged by what the others are without it.
struct Removal {
  bool known = false;
  double probability = 1;                                         // of the source
  std::vector<std::pair<std::size_t, double>> flux_changes = {};  // of the others, by its presence
};

Removal removal(const Evidence& evidence, const PsfFit& fit, std::size_t k,
                const SourcePrior& prior, const PsfFitOptions& options) {
  const Neighbourhood near = around(evidence, fit.sources, k, *options.shape);
  const Image* weights = evidence.weights ? &near.weights : nullptr;
  const PsfFit with = fit_sources(near.pixels, near.sources, options, weights);
  const PsfFit without =
      fit_sources(near.pixels, {near.sources.begin() + 1, near.sources.end()}, options, weights);
  const double variance = evidence.noise_variance * variance_ratio(evidence.widths, fit.sources[k]);
  Removal result;
  result.known = true;
  result.probability = 1 / (1 + elementary::exp(-log_odds(with, without, variance, prior)));
  for (std::size_t j = 1; j < near.which.size(); ++j) {
    result.flux_changes.emplace_back(near.which[j],
                                     with.sources[j].flux - without.sources[j - 1].flux);
  }
  return result;
}

/// Adds to `variances` what a source in doubt makes the others' fluxes uncertain by.
void add_doubt(const Removal& removal, std::vector<double>& variances) {
  const double p = removal.probability;
  for (const auto& [which, change] : removal.flux_changes) {
    variances[which] += p * (1 - p) * change * change;
  }
}

/// `removals`: those known already are not judged again. `doubt`: variances of the fluxes by
/// sources that are no longer there.
std::vector<Detection> judge_all(const PsfFit& fit, const Evidence& evidence,
                                 const PsfFitOptions& options, std::vector<Removal>& removals,
                                 std::vector<double> doubt) {
  std::vector<Detection> detections;
  if (fit.sources.empty()) return detections;
  const SourcePrior prior(fit, evidence.pixels, options);
  const Matrix covariance = evidence.noise_variance * parameter_covariance(fit);
  std::vector<double> variances;
  for (std::size_t k = 0; k < fit.sources.size(); ++k) {
    const auto at = std::ssize(fit.parameters) * Index(k) + kFluxParameter;
    variances.push_back(std::max(0.0, covariance(at, at)) *
                        variance_ratio(evidence.widths, fit.sources[k]));
    const bool certain =
        std::abs(fit.sources[k].flux) >= kCertainSignal * std::sqrt(variances.back());
    if (certain) {
      removals[k] = {};
    } else if (!removals[k].known) {
      removals[k] = removal(evidence, fit, k, prior, options);
    }
    add_doubt(removals[k], doubt);
  }
  for (std::size_t k = 0; k < fit.sources.size(); ++k) {
    Detection detection{fit.sources[k]};
    detection.flux_sd = std::sqrt(variances[k] + doubt[k]);
    detection.snr = detection.flux_sd > 0 ? detection.source.flux / detection.flux_sd : 0;
    detection.probability = removals[k].probability;
    detection.joined = {detection.source};
    detections.push_back(detection);
  }
  return detections;
}

bool are_neighbours(const Removal& a, const Removal& b, std::size_t of_a, std::size_t of_b) {
  const auto has = [](const Removal& removal, std::size_t which) {
    return std::ranges::any_of(removal.flux_changes,
                               [&](const auto& change) { return change.first == which; });
  };
  return has(a, of_b) || has(b, of_a);
}

/// Those to drop, the last first: the least probable and others below the limit that share no light
/// with one before. Of two that do, one is needed when the other has gone.
std::vector<std::size_t> improbable(const std::vector<Removal>& removals,
                                    double least_probability) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < removals.size(); ++k) {
    if (removals[k].probability < least_probability) order.push_back(k);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return removals[k].probability; });
  std::vector<std::size_t> gone;
  for (const std::size_t k : order) {
    const bool apart = std::ranges::none_of(gone, [&](std::size_t other) {
      return are_neighbours(removals[k], removals[other], k, other);
    });
    if (apart) gone.push_back(k);
  }
  std::ranges::sort(gone, std::greater<>());
  return gone;
}

/// Its neighbours are to be judged again.
void drop(std::size_t gone, std::vector<Removal>& removals, std::vector<double>& doubt,
          std::vector<Source>& sources) {
  for (Removal& removal : removals) {
    for (auto& [which, change] : removal.flux_changes) {
      if (which == gone) removal.known = false;
      if (which > gone) --which;
    }
    if (!removal.known) removal = {};
  }
  removals.erase(removals.begin() + Index(gone));
  doubt.erase(doubt.begin() + Index(gone));
  sources.erase(sources.begin() + Index(gone));
}

}  // namespace

std::vector<Detection> joined(std::vector<Detection> detections, double radius) {
  std::stable_sort(detections.begin(), detections.end(),
                   [](const Detection& a, const Detection& b) {
                     return std::abs(a.source.flux) > std::abs(b.source.flux);
                   });
  std::vector<Detection> groups;
  for (const Detection& detection : detections) {
    const Source& one = detection.source;
    const auto near = std::find_if(groups.begin(), groups.end(), [&](const Detection& group) {
      return distance(group.source, one) <= radius;
    });
    if (near == groups.end()) {
      groups.push_back(detection);
      continue;
    }
    Source& all = near->source;
    const double sum = std::abs(all.flux) + std::abs(one.flux);
    all.approach(one, sum > 0 ? std::abs(one.flux) / sum : 0);
    all.flux += one.flux;
    near->flux_sd = elementary::length(near->flux_sd, detection.flux_sd);
    near->snr = near->flux_sd > 0 ? all.flux / near->flux_sd : 0;
    near->probability = std::max(near->probability, detection.probability);
    near->joined.push_back(one);
  }
  return groups;
}

std::vector<Detection> judge(const PsfFit& fit, const Evidence& evidence,
                             const PsfFitOptions& options) {
  std::vector<Removal> removals(fit.sources.size());
  return judge_all(fit, evidence, options, removals, std::vector<double>(removals.size(), 0.0));
}

std::vector<Detection> keep_probable(PsfFit& fit, double least_probability,
                                     const Evidence& evidence, const PsfFitOptions& options) {
  std::vector<Removal> removals(fit.sources.size());
  std::vector<double> doubt(fit.sources.size(), 0.0);
  while (true) {
    std::vector<Detection> detections = judge_all(fit, evidence, options, removals, doubt);
    const std::vector<std::size_t> gone = improbable(removals, least_probability);
    if (gone.empty()) return detections;
    for (const std::size_t k : gone) add_doubt(removals[k], doubt);
    for (const std::size_t k : gone) drop(k, removals, doubt, fit.sources);
    fit = fit_sources(evidence.pixels, std::move(fit.sources), options, evidence.weights);
  }
}

}  // namespace ardent
