// Sources in one tile of an image: coding, merging, refinement, and how sure each one is.
//
//   1. code the pixels over a dictionary of places and widths (reweighted ℓ1, θ ≥ 0, λ = κ·noise:
//      a λ so much above the noise keeps chance correlations out); the brightness of the atoms that
//      are left is their posterior mean with the noise's own variance
//   2. merge atoms nearer than `merge` pixels into one source, weighted by their amplitudes
//   3. refine places, widths and fluxes together off the grid (psf_fit.h); what is left is coded
//      again, once, and what is found there joins
//   4. drop what is improbable (presence.h), and fit the others again
//   5. where the PSF is not known exactly, sources nearer than `join` pixels are reported as one:
//      several Gaussians that make up the shape of one star
//
// Pixels: NaN is missing and +∞ saturated. Both are left out of the fit; the code takes the model's
// value for them, for a saturated one at least the saturation. The code knows one variance for all
// pixels, and takes the model's value for those whose own is far above it; the fit weighs each
// pixel by its variance (pixel_noise.h).
#pragma once

#include <vector>

#include "ardent/imaging/pixel_noise.h"
#include "ardent/imaging/presence.h"
#include "ardent/imaging/tile_dictionary.h"
#include "ardent/inference/coding/lasso_problem.h"

namespace ardent {

struct TileOptions {
  double lambda_factor = 10;  // > 0: λ = factor·noise variance
  double lambda = 0;          // > 0: λ itself
  bool nonnegative = true;
  bool refine = true;
  bool only_code = false;          // the model is that of the code, and no source is reported
  double merge = 2;                // >= 0: pixels
  double join = 1;                 // >= 0: pixels
  double least_amplitude = 0.05;   // in [0, 1): of the largest in the tile; not where refined
  double least_probability = 0.5;  // in [0, 1)
  double saturation = 0;           // what a saturated pixel is at least
  PsfFitOptions fit = {};
};

struct TileResult {
  std::vector<Detection> detections;
  Image model;      // the cleaned pixels
  SparseCode code;  // of the first coding: a start for one at a λ nearby
};

/// `tile` has its background taken off; unknown pixels are filled from the model, two rounds.
/// `start`: a code near the solution, or an empty one.
TileResult locate_in_tile(const Image& tile, const PixelNoise& noise,
                          const TileDictionary& dictionary, const TileOptions& options,
                          const SparseCode& start = {});

/// A source whose width was fitted, and the standard deviation of that width.
struct MeasuredWidth {
  Source source;
  double sd;
};

/// The sources of the tile that are sure, each with a width of its own.
std::vector<MeasuredWidth> measure_widths(const Image& tile, const PixelNoise& noise,
                                          const TileDictionary& dictionary,
                                          const TileOptions& options);

/// The smallest λ at which nothing is found in the tile.
double largest_lambda_of(const Image& tile, const TileDictionary& dictionary);

}  // namespace ardent
