// Saturated stars: pixels that say no more than "at least so bright" (+∞ in an image).
//
// Their middle is missing, so that the fit of what is left around it is often best with several
// sources. A patch of saturated pixels is one star: what was found on it, or within a pixel of it,
// is reported as one source.
#pragma once

#include <vector>

#include "ardent/imaging/pixels.h"
#include "ardent/imaging/presence.h"

namespace ardent {

/// Pixels from `level` on become +∞.
void mark_saturated(Image& image, double level);

/// Detections on one patch (pixels that touch, corners included, and a pixel around) as one.
std::vector<Detection> joined_on_patches(const Pixels& image, std::vector<Detection> detections);

}  // namespace ardent
