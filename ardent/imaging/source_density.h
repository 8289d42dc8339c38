// How likely a source is before the pixels are looked at, learnt from the whole image.
//
// A tile judges its sources alone (presence.h): there a place has k sources to the A pixels of the
// tile, k those that it has found. Of an image without any, each of thousands of tiles that finds
// one candidate takes sources for as frequent as that. The density of a tile is not known before:
// that its mean is μ = (1 + Σp)·A/N to a tile, Σp what all sources of the image of N pixels add up
// to, is all there is, and the prior of the largest entropy with that mean is exponential. After k
// − 1 others its mean is k μ/(1 + μ) to a tile instead of k, so that the odds of every source are
//
//   p/(1 − p) · μ/(1 + μ)
//
// where sources are many in every tile, those of the tile alone. p and Σp are settled together.
#pragma once

#include <vector>

#include "ardent/imaging/image.h"

namespace ardent {

/// Gives the sources of an image of so many tiles' areas their probabilities, and drops those that
/// are less probable than that.
void judge_by_density(std::vector<Detection>& detections, double tile_areas,
                      double least_probability);

}  // namespace ardent
