// Pixels that no source explains: hot, dead, and hit by cosmic rays.
//
// A pixel is compared with the pixels around it, m their median. No source sharper than asked for
// has a pixel more than κ times as bright as m, κ the largest such ratio of the narrowest PSF over
// places within a pixel. With V the variance of the pixel (pixel_noise.h) it is bad if it is
//   above   4κ·max(0, m − √V/2) + 6√V       the 4: stars may be narrower than was thought
//   below   q/4 − 6√V, q the third-darkest of the pixels around it, or 0 if that is more
// In an image whose sources may be dark, below is as above. So it is for what the sources leave,
// where nothing should be left; there the pixel must miss by as much as the sources' light on it,
// too: photon noise that nobody spoke of, and stars that are no Gaussians, are no fault of a pixel.
#pragma once

#include <vector>

#include "ardent/imaging/pixel_noise.h"
#include "ardent/imaging/psf_shape.h"

namespace ardent {

/// κ of sources of that width.
double sharpest_ratio(const PsfShape& shape, double sigma);

enum class BadPixelSide { sources_are_bright, both_alike };

/// Positions in `pixels`, in order. `model`: the light of the sources that `sky_free` is left of.
std::vector<std::size_t> find_bad_pixels(const Image& sky_free, const PixelNoise& noise,
                                         double sharpest, BadPixelSide side,
                                         const Image* model = nullptr);

}  // namespace ardent
