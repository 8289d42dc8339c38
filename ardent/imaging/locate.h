// Point sources in an image of any size: background, noise, overlapping tiles (tiling.h), one
// catalogue.
//
// Under many sources the first background is too high, and how well the PSF is known is told by
// what the sources leave: both are estimated again from that, and the image is searched once more
// until they settle.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>

#include "ardent/base/progress.h"
#include "ardent/imaging/background.h"
#include "ardent/imaging/tile.h"

namespace ardent {

struct LocateOptions {
  double sigma_low = 1;                           // > 0
  double sigma_high = 3;                          // >= sigma_low
  std::shared_ptr<const PsfImage> psf = nullptr;  // instead of Gaussians: no widths
  DictionaryKind dictionary = DictionaryKind::grid;
  Index atoms = 10000;     // >= 1: of a sampled dictionary, on each tile
  std::uint64_t seed = 1;  // of a sampled dictionary
  BackgroundKind background = BackgroundKind::constant;
  Index background_cell = 64;    // >= 1: pixels
  double noise = 0;              // >= 0: noise variance; 0: estimated
  double saturation = INFINITY;  // pixels from this value on are saturated
  double profile_error = -1;     // >= 0: part of its light that a PSF misses; below 0: estimated
  Index core = 20;               // >= 4: pixels of a tile's core
  TileOptions tile = {};         // its fit and its errors are those above
};

/// Throws InputError naming field, rule and value.
void validate(const LocateOptions& options);

struct LocateResult {
  std::vector<Detection> detections;  // the brightest first
  Image model;                        // of the sources, without background
  Image background;
  double noise_variance = 0;
  double profile_error = 0;
  Index tiles = 0;
};

/// `progress` counts tiles; it may stop the work: an Error.
LocateResult locate(const Image& image, const LocateOptions& options = {},
                    const ProgressCallback& progress = {});

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
/// profile error are those of locate at its own λ. No λ: `count` of them, evenly spaced in their
/// logarithms from the largest down to twice the noise variance.
Sweep locate_sweep(const Image& image, const LocateOptions& options, std::vector<double> lambdas,
                   Index count = 20, const ProgressCallback& progress = {});

}  // namespace ardent
