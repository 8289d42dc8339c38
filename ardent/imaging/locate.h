// Point sources in an image or a stack of planes, of any size: background, noise, overlapping tiles
// (tiling.h), one catalogue. source_search.h has the steps.
#pragma once

#include <vector>

#include "ardent/base/progress.h"
#include "ardent/imaging/locate_options.h"

namespace ardent {

/// `progress` counts tiles; it may stop the work: an Error.
LocateResult locate(const Image& image, const LocateOptions& options = {},
                    const ProgressCallback& progress = {});

/// The catalogue alone: the model and the background stay without pixels. Of an image whose pixels
/// are numbers of single precision it takes 12 bytes of memory a pixel, and 8 more where a gain is
/// given.
LocateResult locate_catalogue(Image image, const LocateOptions& options = {},
                              const ProgressCallback& progress = {});

/// The model of the sources on the background, with the image's header.
Image cleaned(Image image, const LocateResult& found);

/// One λ of a sweep.
struct SweepStep {
  double lambda = 0;
  double bic = 0;  // χ² + parameters·ln(known pixels)
  LocateResult found;
};
struct Sweep {
  double largest_lambda = 0;  // the smallest at which nothing is found
  std::vector<SweepStep> steps;
  std::size_t chosen = 0;  // the step of the least BIC, of equal ones the larger λ
};

/// Sources for each λ, from the largest down, each started from the codes before; background and
/// profile error are those of locate at its own λ. Without `lambdas`, `sweep_count` of them, evenly
/// spaced in their logarithms from the largest down to twice the noise variance.
Sweep locate_sweep(const Image& image, const LocateOptions& options,
                   const ProgressCallback& progress = {});

}  // namespace ardent
