#include "ardent/imaging/locate_stack.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/imaging/bead_fit.h"
#include "ardent/inference/coding/gram_rows.h"
#include "ardent/inference/coding/reweighted_l1.h"

namespace ardent {
namespace {

constexpr double kStackTolerance = 1e-4;  // relative gap: finer than the noise needs
constexpr int kStackPasses = 6;
constexpr double kSettled = 0.03;  // standard deviations of the noise: of the background

Image plane(const Stack& stack, Index z) {
  const auto first = stack.voxels.begin() + z * stack.width * stack.height;
  return {stack.width, stack.height, {first, first + stack.width * stack.height}};
}

/// The mean over planes of what each tells.
double noise_of(const Stack& stack) {
  double sum = 0;
  for (Index z = 0; z < stack.depth; ++z) sum += estimate_noise_variance(plane(stack, z));
  return sum / static_cast<double>(stack.depth);
}

/// The brightest atom first: each joins the first group that is near enough.
std::vector<Bead> merged(const StackDictionary& dictionary, const SparseCode& code, double radius) {
  std::vector<Index> order(code.active.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<Index>(k);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return code.theta[a] > code.theta[b]; });
  std::vector<Bead> groups;
  std::vector<double> weights;
  for (const Index k : order) {
    Bead atom = dictionary.bead(code.active[k]);
    const double amplitude = code.theta[k];
    atom.flux *= amplitude;
    const auto near = std::find_if(groups.begin(), groups.end(), [&](const Bead& group) {
      const double along = (group.z - atom.z) * group.sigma_xy / group.sigma_z;
      return elementary::length(group.x - atom.x, group.y - atom.y, along) <= radius;
    });
    if (near == groups.end()) {
      groups.push_back(atom);
      weights.push_back(amplitude);
      continue;
    }
    double& weight = weights[near - groups.begin()];
    weight += amplitude;
    const double share = amplitude / weight;
    near->x += share * (atom.x - near->x);
    near->y += share * (atom.y - near->y);
    near->z += share * (atom.z - near->z);
    near->sigma_xy += share * (atom.sigma_xy - near->sigma_xy);
    near->sigma_z += share * (atom.sigma_z - near->sigma_z);
    near->flux += atom.flux;
  }
  return groups;
}

std::vector<BeadDetection> judge(const BeadFit& fit, double noise_variance, Index voxels) {
  std::vector<BeadDetection> detections;
  if (fit.beads.empty()) return detections;
  Matrix hessian = fit.hessian;
  hessian.diagonal().array() += 1e-12 * std::max(hessian.diagonal().maxCoeff(), 1e-300);
  const Matrix covariance =
      noise_variance * hessian.llt().solve(Matrix::Identity(hessian.rows(), hessian.cols()));
  const double price = 4 * elementary::log(static_cast<double>(voxels));
  for (std::size_t k = 0; k < fit.beads.size(); ++k) {
    const auto at = 4 * static_cast<Index>(k) + 3;
    BeadDetection found{fit.beads[k], std::sqrt(std::max(0.0, covariance(at, at))), 0, 0};
    found.snr = found.flux_sd > 0 ? found.bead.flux / found.flux_sd : 0;
    found.probability = 1 / (1 + elementary::exp(-0.5 * (found.snr * found.snr - price)));
    detections.push_back(found);
  }
  return detections;
}

/// The least certain bead goes, and the others are fitted again, until all pay for themselves.
std::vector<BeadDetection> keep_certain(const Stack& stack, std::vector<Bead> start,
                                        double noise_variance) {
  BeadFit fit = fit_beads(stack, std::move(start));
  while (true) {
    std::vector<BeadDetection> all = judge(fit, noise_variance, stack.size());
    const auto least = std::min_element(
        all.begin(), all.end(),
        [](const BeadDetection& a, const BeadDetection& b) { return a.snr < b.snr; });
    if (least == all.end() || least->probability >= 0.5) return all;
    fit.beads.erase(fit.beads.begin() + (least - all.begin()));
    fit = fit_beads(stack, std::move(fit.beads));
  }
}

SparseCode code_voxels(const Stack& stack, const StackDictionary& dictionary, double lambda) {
  const Vector voxels = Eigen::Map<const Vector>(stack.voxels.data(), stack.size());
  if (!(voxels.squaredNorm() > 0)) return {};
  Matrix rho;
  dictionary.correlate(voxels, rho);
  const Vector correlations = rho.col(0);
  GramRows rows(dictionary, std::size_t{512} << 20);
  CodeOptions options;
  options.lambda = lambda;
  options.nonnegative = true;
  options.tolerance = options.outer_tolerance = kStackTolerance;
  return code_at({rows, voxels, correlations, true}, lambda, options, {}).code;
}

/// Beads over the background that the result has.
void search(const Stack& stack, const StackDictionary& dictionary, const StackOptions& options,
            StackResult& result) {
  Stack clear = stack;
  for (double& value : clear.voxels) value = std::isnan(value) ? 0 : value - result.background;
  const SparseCode code =
      code_voxels(clear, dictionary, options.lambda_factor * result.noise_variance);
  result.detections =
      keep_certain(clear, merged(dictionary, code, options.merge), result.noise_variance);
  result.model = blank_stack(stack.width, stack.height, stack.depth);
  for (const BeadDetection& found : result.detections) add_bead(found.bead, result.model);
}

}  // namespace

void validate(const StackOptions& options) {
  require(
      options.sigma_low > 0 && options.sigma_high >= options.sigma_low && options.sigma_high <= 50,
      "sigma", "0 < low <= high <= 50", options.sigma_high);
  require(options.sigma_z_low > 0 && options.sigma_z_high >= options.sigma_z_low &&
              options.sigma_z_high <= 50,
          "sigma-z", "0 < low <= high <= 50", options.sigma_z_high);
  require(options.noise >= 0 && std::isfinite(options.noise), "noise", ">= 0 and finite",
          options.noise);
  require(options.lambda_factor > 0 && std::isfinite(options.lambda_factor), "lambda_factor",
          "> 0 and finite", options.lambda_factor);
  require(options.merge >= 0, "merge", ">= 0", options.merge);
  if (options.background == BackgroundKind::map) {
    throw InputError("the background of a stack is none or constant, not a map");
  }
}

StackResult locate_stack(const Stack& stack, const StackOptions& options) {
  validate(options);
  StackResult result;
  Image tall{stack.width, stack.height * stack.depth, stack.voxels};
  if (known_pixels(tall) == 0) throw InputError("none of the stack's voxels is a number");
  result.background = estimate_background(tall, options.background).pixels.front();
  result.noise_variance = options.noise > 0 ? options.noise : noise_of(stack);
  if (!(result.noise_variance > 0)) {
    throw InputError(
        fmt::format("the noise of a stack of {} × {} × {} voxels cannot be estimated from it: give "
                    "its variance "
                    "as noise",
                    stack.width, stack.height, stack.depth));
  }
  const StackDictionary dictionary(StackGrid{stack.width, stack.height, stack.depth,
                                             options.sigma_low, options.sigma_high,
                                             options.sigma_z_low, options.sigma_z_high});
  // Under the beads the first background is too high; what they leave tells it better.
  for (int pass = 0; pass < kStackPasses; ++pass) {
    search(stack, dictionary, options, result);
    for (std::size_t p = 0; p < tall.pixels.size(); ++p) {
      tall.pixels[p] = stack.voxels[p] - result.model.voxels[p];
    }
    const double before = result.background;
    result.background = estimate_background(tall, options.background).pixels.front();
    if (std::abs(result.background - before) <= kSettled * std::sqrt(result.noise_variance)) break;
  }
  std::stable_sort(
      result.detections.begin(), result.detections.end(),
      [](const BeadDetection& a, const BeadDetection& b) { return a.bead.flux > b.bead.flux; });
  return result;
}

}  // namespace ardent
