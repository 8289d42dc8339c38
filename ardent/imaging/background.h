// What lies under the sources: the level of the sky and the size of the noise.
#pragma once

#include "ardent/imaging/image.h"

namespace ardent {

enum class BackgroundKind { none, constant, map, automatic };

/// An image of the background.
///   constant  the median of the pixels after three times leaving out those more than three
///             standard deviations (of the median's absolute deviation) above or below it
///   map       the same in cells of `cell` pixels along each axis, joined by linear interpolation
///             between their centres and continued to the border; a cell without any known pixel takes the constant
///   automatic the constant: who asks for it asks uneven_sky.h whether it is to be a map
Image estimate_background(const Image& image, BackgroundKind kind, Index cell = 64);

/// Variance of white noise, from the second differences [1 −2 1]ᵀ[1 −2 1]/6 (Immerkær 1996), which
/// point sources of σ ≥ 1 hardly touch, by their median absolute value. Along one side
/// alone where the other has less than three pixels; 0 if there is no such block of known pixels.
/// Of a stack: over all of its planes.
double estimate_noise_variance(const Image& image);

}  // namespace ardent
