// Places along one axis of a grid of sources, and the light that sources there leave on its pixels.
#pragma once

#include "ardent/base/types.h"

namespace ardent {

/// From the first pixel to the last, evenly and at most `step` apart; one in the middle of one
/// pixel.
Vector grid_places(Index pixels, double step);

/// Widths from low to high, evenly in their logarithms, by a factor of at most `ratio` apart.
Vector grid_widths(double low, double high, double ratio);

/// Pixel shares ΔE (psf.h) of each place in the columns, scaled to length 1; `lengths` are what
/// they were divided by.
Matrix unit_shares(const Vector& places, double sigma, Index pixels, Vector& lengths);

}  // namespace ardent
