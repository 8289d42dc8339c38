// Noise on the scale of a source, over what independent pixels would have.
//
// The fit takes the noise of a pixel as independent of its neighbours'. In resampled or summed
// frames it is not, and a lumpy sky is noise, too: then the flux of a source scatters by more than
// the pixels' variance says, the wider the source the more. How much shows in what sources leave:
// the flux that a source of width σ would have at each place of a lattice, over its standard
// deviation for independent pixels,
//
//   r = Σ φ·left/V / √(Σ φ²/V)        φ the shares of its light, V the variance of a pixel
//
// is standard normal then. Its spread is the ratio for that width. Three things would bias it:
//   - sources that are not sure make r larger on the bright side alone, dark ones on the dark side:
//     the spread is that between half and one and a half standard deviations, of the two sides the
//     smaller
//   - lumps that were taken for faint sources hide what they are: sources that are not sure are put
//     back, and pixels with light of the sure ones do not count
//   - of few places it is uncertain: unless it exceeds 1 by three standard deviations at some
//     width, it is 1 exactly at all of them.
// The lattice has a place every σ; of images with more than four million of them it is coarser,
// since so many say all that is to be known.
#pragma once

#include <vector>

#include "ardent/imaging/pixel_noise.h"
#include "ardent/imaging/psf_fit.h"

namespace ardent {

/// `left`: the image without its background and the sure sources; `sure`: their light. Widths are
/// those of `options`, the narrowest first; empty: pixels are independent.
std::vector<WidthNoise> measure_width_noise(const Pixels& left, const Pixels& sure,
                                            const PixelNoise& noise, const PsfFitOptions& options);

/// The variance of what is measured of a source over that for independent pixels: between widths by
/// linear interpolation of the ratio.
double variance_ratio(const std::vector<WidthNoise>& widths, const Source& source);

/// The light of the sources of a result that are sure; both must outlive it.
Pixels sure_light(const LocateResult& found, const PsfShape& shape);

}  // namespace ardent
