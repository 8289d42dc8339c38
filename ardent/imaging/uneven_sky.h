// Is the sky uneven, so that its background is a map rather than a constant?
//
// The levels of the cells of that map (background.h) differ by the noise, too, and by lumps of any
// size. Each cell is cut into parts, up to four along each axis, and the levels of its parts say
// how much:
//
//   F = Σ_cells n_c (level_c − level)²/(C − 1)  over  Σ_parts (level − level of its cell)²/(N − C)
//
// of N parts in C cells follows Fisher's distribution with C − 1 and N − C degrees of freedom where
// nothing is larger than a part, however the noise is correlated within one. The sky is uneven
// where F is beyond four standard deviations (of the normal distribution that Wilson's and
// Hilferty's cube root makes of it): once in 30,000 even skies.
#pragma once

#include "ardent/imaging/pixels.h"

namespace ardent {

/// `sky`: an image without what is known of its sources. Of a single cell: no.
bool is_uneven(const Pixels& sky, Index cell);

}  // namespace ardent
