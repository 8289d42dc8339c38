#include "ardent/imaging/locate.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "ardent/base/elementary.h"
#include "ardent/imaging/source_search.h"

namespace ardent {
namespace {

constexpr int kPasses = 4;

LocateResult search_to_convergence(SourceSearch& search) {
  search.estimate_sky();
  const bool shared = search.settle_width();
  search.settle_background();
  // Under the first background, which is too high, the width was too small.
  if (shared && !search.sky_is_known()) search.settle_width();
  LocateResult result = search.find_sources();
  for (int pass = 1; pass < kPasses && !search.estimate_again(result); ++pass) {
    result = {};  // its model's memory
    result = search.find_sources();
  }
  return result;
}

double bic(const SourceSearch& search, const LocateResult& found) {
  const PixelNoise& noise = search.noise();
  double chi_square = 0;
  Index known = 0;
  visit_bands(minus(search.sky_free(), found.model),
              [&](std::size_t first, std::span<const double> some) {
                for (std::size_t k = 0; k < some.size(); ++k) {
                  if (!std::isfinite(some[k])) continue;
                  const std::size_t p = first + k;
                  chi_square += some[k] * some[k] / noise.at(p, found.model.pixels[p]);
                  ++known;
                }
              });
  const auto parameters =
      static_cast<double>(search.parameters_each()) * static_cast<double>(found.detections.size());
  return chi_square + parameters * elementary::log(static_cast<double>(known));
}

}  // namespace

Image cleaned(Image image, const LocateResult& found) {
  std::ranges::transform(found.model.pixels, found.background.pixels, image.pixels.begin(),
                         std::plus<>());
  return image;
}

LocateResult locate(const Image& image, const LocateOptions& options,
                    const ProgressCallback& progress) {
  validate(options);
  SourceSearch search(image, options, progress);
  LocateResult found = search_to_convergence(search);
  found.background = search.searched_background().whole();
  return found;
}

LocateResult locate_catalogue(Image image, const LocateOptions& options,
                              const ProgressCallback& progress) {
  validate(options);
  SourceSearch search(std::move(image), options, progress);
  LocateResult found = search_to_convergence(search);
  found.model.pixels = std::vector<double>();
  return found;
}

Sweep locate_sweep(const Image& image, const LocateOptions& options,
                   const ProgressCallback& progress) {
  validate(options);
  std::vector<double> lambdas = options.lambdas;
  SourceSearch search(image, options, progress);
  const LocateResult first = search_to_convergence(search);
  Sweep sweep;
  sweep.largest_lambda = search.largest_lambda();
  if (lambdas.empty()) {
    const double least = std::min(2 * first.noise_variance, 0.5 * sweep.largest_lambda);
    for (Index k = 0; k < options.sweep_count; ++k) {
      const double fraction = static_cast<double>(k) / static_cast<double>(options.sweep_count - 1);
      lambdas.push_back(sweep.largest_lambda *
                        elementary::power(least / sweep.largest_lambda, fraction));
    }
  }
  std::sort(lambdas.begin(), lambdas.end(), std::greater<>());
  for (const double lambda : lambdas) {
    SweepStep step{lambda, 0, search.find_sources(lambda)};
    step.bic = bic(search, step.found);
    step.found.background = search.searched_background().whole();
    sweep.steps.push_back(std::move(step));
    if (sweep.steps.back().bic < sweep.steps[sweep.chosen].bic) {
      sweep.chosen = sweep.steps.size() - 1;
    }
  }
  return sweep;
}

}  // namespace ardent
