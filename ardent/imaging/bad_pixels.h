// Pixels that no source explains: hot, dead, and hit by cosmic rays.
//
// A pixel is compared with the third-brightest b and the third-darkest d of the pixels around it:
// two others of a bad column, or of a cosmic ray's track, do not matter. No source as wide as was
// asked for has a pixel more than κ times as bright as b, κ the largest such ratio of the narrowest
// PSF over places within a pixel. With V the variance of the pixel (pixel_noise.h) it is bad if it
// is
//   above   4κ·max(0, b − √V/2) + 6√V       the 4: stars may be narrower than was thought
//   below   max(0, d)/4 − 6√V
// In an image whose sources may be dark, below is as above. So it is for what the sources leave,
// where nothing should be left; there the pixel must miss by as much as the sources' light on it,
// too: photon noise that nobody spoke of, and stars that are no Gaussians, are no fault of a pixel.
// In a stack a pixel is compared with those of its own plane: a detector's bad pixel is bad in all
// of them.
#pragma once

#include <vector>

#include "ardent/imaging/pixel_noise.h"
#include "ardent/imaging/psf_shape.h"

namespace ardent {

/// κ of sources of that width.
double sharpest_ratio(const PsfShape& shape, double sigma, double sigma_z = 1, bool stack = false);

enum class BadPixelSide { sources_are_bright, both_alike };

/// Positions in `pixels`, in order. `model`: the light of the sources that `sky_free` is left of.
std::vector<std::size_t> find_bad_pixels(const Pixels& sky_free, const PixelNoise& noise,
                                         double sharpest, BadPixelSide side,
                                         const Image* model = nullptr);

}  // namespace ardent
