// Sources in one tile of an image: coding, merging, refinement, and how sure each one is.
//
//   1. code the pixels over a grid of places and widths (reweighted ℓ1, θ ≥ 0, λ = κ·noise)
//   2. merge atoms nearer than `merge` pixels into one source, weighted by their amplitudes
//   3. refine places, widths and fluxes together off the grid (psf_fit.h); what is left is coded
//      again, once, and what is found there joins
//   4. drop what is improbable, and fit the others again
//
// Probability of presence: the odds of the model with the source against the one without it, the
// others fitted again, by Laplace's method for both:
//   log odds = ½(Δχ² + log|P| − log|JᵀJ/v + P| + log|J₋ᵀJ₋/v + P₋|)
// P are the precisions of a normal prior over (x, y, flux, σ), as high at the source as these: a
// place at random among the tile's pixels over its sources, a width at random in its range, a flux
// on any scale (density 1/flux over three decades, or uniform up to the tile's brightest if that is
// wider). A source that the data do not tell from its
// neighbour gains nothing in χ² and loses by how much its flux is pinned down.
#pragma once

#include <vector>

#include "ardent/imaging/psf_dictionary.h"
#include "ardent/imaging/psf_fit.h"
#include "ardent/inference/coding/gram_rows.h"

namespace ardent {

/// A source that was found.
struct Detection {
  Source source;
  double flux_sd = 0;
  double probability = 0;  // of presence
  double snr = 0;          // flux/flux_sd
};

struct TileOptions {
  double lambda_factor = 10;  // > 0: λ = factor·noise variance
  double lambda = 0;          // > 0: λ itself
  bool nonnegative = true;
  bool refine = true;
  double merge = 2;                // >= 0: pixels
  double least_amplitude = 0.05;   // in [0, 1): of the largest in the tile; not where refined
  double least_probability = 0.5;  // in [0, 1)
  PsfFitOptions fit = {};
};

struct TileResult {
  std::vector<Detection> detections;
  Image model;  // the cleaned pixels
};

/// A dictionary for tiles of one size, and the Gram rows that they share.
struct TileDictionary {
  PsfDictionary psfs;
  GramRows rows;

  explicit TileDictionary(const PsfGrid& grid) : psfs(grid), rows(psfs, std::size_t{512} << 20) {}
};

/// `tile` has its background taken off; missing pixels are filled from the model, two rounds.
TileResult locate_in_tile(const Image& tile, double noise_variance, TileDictionary& dictionary,
                          const TileOptions& options);

}  // namespace ardent
