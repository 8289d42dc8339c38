#include "ardent/imaging/tile.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "ardent/inference/coding/reweighted_l1.h"

namespace ardent {
namespace {

constexpr Index kMissingRounds = 2;
constexpr double kCodeTolerance = 1e-4;  // relative gap: finer than the noise needs
constexpr Index kStartIterations = 2;    // of a code that is but a start for the fit
constexpr Index kFirstSteps = 4;         // of the fit before what is left is coded
constexpr double kSureOfAWidth = 0.99;   // probability of a source whose width counts

struct Coded {
  SparseCode code;
  std::vector<Source> atoms;  // flux = coefficient × that of the atom
  Vector amplitudes;          // on atoms of unit length
  Vector model;
};

/// What coding needs beside the pixels.
struct Coder {
  const TileDictionary& dictionary;
  double lambda;
  const PixelNoise& noise;
  bool nonnegative;
  Index most_iterations;  // LASSOs, each with weights by the one before

  /// Has the pixel so much more noise than others that it would mislead the code?
  bool is_noisy(Index p) const {
    constexpr double kMuch = 9;  // times the variance
    return noise.base_at(p) > kMuch * noise.variance;
  }
};

/// The posterior mean of the code's coefficients at the noise's own variance v: that at λ is too
/// dark. θ = (Φ_SᵀΦ_S + v Γ_S⁻¹)⁻¹ Φ_Sᵀ y; with θ ≥ 0 asked for, atoms below 0 leave S.
void refit_amplitudes(SparseBayesCode& found, const Vector& correlations, const Coder& coder) {
  SparseCode& code = found.code;
  Vector gamma = found.gamma;
  while (!code.active.empty()) {
    const auto rows = coder.dictionary.rows->rows(code.active);
    Matrix gram(gamma.size(), gamma.size());
    for (Index j = 0; j < gamma.size(); ++j) {
      gram.col(j) = (*rows[j])(code.active);
    }
    gram.diagonal().array() += std::min(coder.noise.variance, coder.lambda) / gamma.array();
    code.theta = gram.llt().solve(Vector(correlations(code.active)));
    SparseCode kept;
    std::vector<Index> stay;
    for (Index k = 0; k < gamma.size(); ++k) {
      if (coder.nonnegative && code.theta[k] <= 0) continue;
      kept.active.push_back(code.active[k]);
      stay.push_back(k);
    }
    if (std::ssize(stay) == gamma.size()) return;
    kept.theta = code.theta(stay);
    gamma = Vector(gamma(stay));
    code = std::move(kept);
  }
}

Coded code_pixels(const Vector& pixels, const Coder& coder, const SparseCode& start) {
  const Dictionary& dictionary = *coder.dictionary.atoms;
  Coded coded{{}, {}, {}, Vector::Zero(pixels.size())};
  if (!(pixels.squaredNorm() > 0)) return coded;
  Matrix rho;
  dictionary.correlate(pixels, rho);
  const Vector correlations = rho.col(0);
  const CodingTask task{*coder.dictionary.rows, pixels, correlations, true};
  CodeOptions options;
  options.lambda = coder.lambda;
  options.nonnegative = coder.nonnegative;
  options.tolerance = kCodeTolerance;
  options.outer_tolerance = kCodeTolerance;
  options.max_outer = coder.most_iterations;
  SparseBayesCode found = code_at(task, coder.lambda, options, start);
  coded.code = found.code;
  refit_amplitudes(found, correlations, coder);
  coded.amplitudes = found.code.theta;
  for (std::size_t k = 0; k < found.code.active.size(); ++k) {
    const double amplitude = found.code.theta[k];
    Source source = coder.dictionary.sources[found.code.active[k]];
    source.flux *= amplitude;
    coded.atoms.push_back(source);
    dictionary.add_scaled(found.code.active[k], amplitude, coded.model);
  }
  return coded;
}

/// Pixels as a signal, the unknown ones filled from the model of the rounds before.
Coded code_tile(const Image& tile, double saturation, const Coder& coder, const SparseCode& start) {
  Vector pixels = Eigen::Map<const Vector>(tile.pixels.data(), tile.size());
  std::vector<std::pair<Index, double>> unknown;  // and what is the least that they may be
  for (Index p = 0; p < pixels.size(); ++p) {
    if (std::isfinite(pixels[p]) && !coder.is_noisy(p)) continue;
    const bool saturated = pixels[p] == INFINITY;
    unknown.emplace_back(p, saturated ? saturation : -INFINITY);
    pixels[p] = saturated ? saturation : 0;
  }
  Coded coded = code_pixels(pixels, coder, start);
  for (Index round = 0; round < kMissingRounds && !unknown.empty(); ++round) {
    for (const auto& [p, least] : unknown) pixels[p] = std::max(least, coded.model[p]);
    coded = code_pixels(pixels, coder, coded.code);
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
  const auto size = [&](std::size_t k) { return std::abs(coded.amplitudes[k]); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  std::vector<Group> groups;
  for (const std::size_t k : order) {
    const Source& atom = coded.atoms[k];
    const auto near = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return distance(group.source, atom) <= radius;
    });
    if (near == groups.end()) {
      groups.push_back({atom, size(k)});
      continue;
    }
    near->source.approach(atom, size(k) / (near->weight + size(k)));
    near->source.flux += atom.flux;
    near->weight += size(k);
  }
  std::vector<Source> sources;
  for (const Group& group : groups) sources.push_back(group.source);
  return sources;
}

Image rendered(const std::vector<Source>& sources, const Image& tile, const PsfShape& shape) {
  Image model = blank_like(tile);
  for (const Source& source : sources) shape.add(source, model);
  return model;
}

/// A fit and what each pixel counts in it.
struct Refined {
  PsfFit fit;
  Image weights;  // without pixels: all alike
  const Image* given() const { return weights.pixels.empty() ? nullptr : &weights; }
};

/// Off the grid: a joint fit of what was found, with what is left coded once more.
Refined refine(const Image& tile, const Coder& coder, std::vector<Source> start,
               const TileOptions& options) {
  const PixelNoise& noise = coder.noise;
  const bool weighted = !noise.is_uniform();
  Refined refined;
  if (!noise.has_one_base()) refined.weights = weights_of(blank_like(tile), noise);
  PsfFit& fit = refined.fit;
  PsfFitOptions first = options.fit;
  first.max_steps = std::min(first.max_steps, kFirstSteps);
  fit = fit_sources(tile, std::move(start), first, refined.given());
  const Image model = rendered(fit.sources, tile, *options.fit.shape);
  if (weighted) refined.weights = weights_of(model, noise);
  Image left = tile;
  for (std::size_t p = 0; p < left.pixels.size(); ++p) {
    // A saturated pixel says nothing of what is left.
    left.pixels[p] = std::isinf(left.pixels[p]) ? std::nan("") : left.pixels[p] - model.pixels[p];
    if (weighted) left.pixels[p] *= std::sqrt(refined.weights.pixels[p]);
  }
  const Coded more = code_tile(left, 0, coder, {});
  for (const Source& source : merged(more, options.merge)) fit.sources.push_back(source);
  fit = fit_sources(tile, std::move(fit.sources), options.fit, refined.given());
  return refined;
}

/// Only what is probable is kept.
void judge_and_keep(const Image& tile, const PixelNoise& noise, Refined refined,
                    const TileOptions& options, TileResult& result) {
  const Evidence evidence{tile, refined.given(), noise.variance, noise.widths};
  result.detections = keep_probable(refined.fit, options.least_probability, evidence, options.fit);
  if (noise.profile_error > 0) {
    result.detections = joined(std::move(result.detections), options.join);
  }
  result.model = rendered(refined.fit.sources, tile, *options.fit.shape);
}

/// On the grid: the merged atoms as they are, those not too faint.
void report_atoms(const Image& tile, const Coded& coded, const std::vector<Source>& sources,
                  const PixelNoise& noise, const TileOptions& options, TileResult& result) {
  const double largest = coded.amplitudes.cwiseAbs().maxCoeff();
  const bool weighted = !noise.is_uniform();
  Image weights;
  if (weighted) weights = weights_of(rendered(sources, tile, *options.fit.shape), noise);
  const Image* given = weighted ? &weights : nullptr;
  const PsfFit fit = fit_sources(tile, sources, options.fit, given);
  const std::vector<Detection> judged = judge(fit, {tile, given, noise.variance}, options.fit);
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const double amplitude =
        std::abs(sources[k].flux) * options.fit.shape->length(sources[k], tile);
    if (amplitude < options.least_amplitude * largest) continue;
    result.detections.push_back(judged[k]);
    result.detections.back().source = sources[k];
    result.detections.back().joined = {sources[k]};
  }
}

Coder coder_of(const PixelNoise& noise, const TileDictionary& dictionary,
               const TileOptions& options) {
  const double lambda =
      options.lambda > 0 ? options.lambda : options.lambda_factor * noise.variance;
  return {dictionary, lambda, noise, options.nonnegative,
          options.refine ? kStartIterations : CodeOptions{}.max_outer};
}

}  // namespace

TileResult locate_in_tile(const Image& tile, const PixelNoise& noise,
                          const TileDictionary& dictionary, const TileOptions& options,
                          const SparseCode& start) {
  const Coder coder = coder_of(noise, dictionary, options);
  TileResult result;
  const Coded coded = code_tile(tile, options.saturation, coder, start);
  std::vector<Source> sources = merged(coded, options.merge);
  result.code = coded.code;
  result.model = blank_like(tile);
  std::copy(coded.model.begin(), coded.model.end(), result.model.pixels.begin());
  if (sources.empty() || options.only_code) return result;
  if (options.refine) {
    judge_and_keep(tile, noise, refine(tile, coder, std::move(sources), options), options, result);
  } else {
    report_atoms(tile, coded, sources, noise, options, result);
  }
  return result;
}

std::vector<MeasuredWidth> measure_widths(const Image& tile, const PixelNoise& noise,
                                          const TileDictionary& dictionary,
                                          const TileOptions& options) {
  const Coder coder = coder_of(noise, dictionary, options);
  std::vector<Source> sources =
      merged(code_tile(tile, options.saturation, coder, {}), options.merge);
  if (sources.empty()) return {};
  Refined refined = refine(tile, coder, std::move(sources), options);
  const std::vector<Detection> detections = keep_probable(
      refined.fit, options.least_probability, {tile, refined.given(), noise.variance}, options.fit);
  if (detections.empty()) return {};
  const FittedParameters& parameters = refined.fit.parameters;
  const Index sigma = std::ranges::find(parameters, &Source::sigma) - parameters.begin();
  const Matrix covariance = noise.variance * parameter_covariance(refined.fit);
  std::vector<MeasuredWidth> measured;
  for (std::size_t k = 0; k < detections.size(); ++k) {
    if (detections[k].probability < kSureOfAWidth) continue;
    const Index at = std::ssize(parameters) * Index(k) + sigma;
    measured.push_back({detections[k].source, std::sqrt(std::max(0.0, covariance(at, at)))});
  }
  return measured;
}

double largest_lambda_of(const Image& tile, const TileDictionary& dictionary) {
  Vector pixels = Eigen::Map<const Vector>(tile.pixels.data(), tile.size());
  for (double& value : pixels) value = std::isfinite(value) ? value : 0;
  Matrix rho;
  dictionary.atoms->correlate(pixels, rho);
  return rho.col(0)
      .cwiseQuotient(dictionary.atoms->norms().cwiseMax(1e-300))
      .cwiseAbs2()
      .maxCoeff();
}

}  // namespace ardent
