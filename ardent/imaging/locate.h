// Point sources in an image of any size: background, noise, overlapping tiles, one catalogue.
//
// Tiles are all of one size, so that they share one dictionary and its Gram rows, and are solved in
// parallel. Each owns its core and sees a margin around it; a source is reported by the tile whose
// core it lies in. Near a seam two tiles may each place it in their own core, or in the other's:
// cores are looked at with a pixel more, and of two reports from different tiles nearer than a
// pixel the one deeper in its own tile stands.
#pragma once

#include "ardent/base/progress.h"
#include "ardent/imaging/background.h"
#include "ardent/imaging/tile.h"

namespace ardent {

struct LocateOptions {
  double sigma_low = 1;   // > 0
  double sigma_high = 3;  // >= sigma_low
  BackgroundKind background = BackgroundKind::constant;
  Index background_cell = 64;  // >= 1: pixels
  double noise = 0;            // >= 0: noise variance; 0: estimated
  Index core = 20;             // >= 4: pixels of a tile's core
  TileOptions tile = {};       // its fit's widths are those above
};

/// Throws InputError naming field, rule and value.
void validate(const LocateOptions& options);

struct LocateResult {
  std::vector<Detection> detections;  // the brightest first
  Image model;                        // of the sources, without background
  Image background;
  double noise_variance = 0;
  Index tiles = 0;
};

/// `progress` counts tiles; it may stop the work: an Error.
LocateResult locate(const Image& image, const LocateOptions& options = {},
                    const ProgressCallback& progress = {});

}  // namespace ardent
