// The one width of a field whose sources have no widths of their own: stars behind one aperture.
//
// A range of widths says that the width is not known, or that every source has its own. Which of
// the two shows in the image: on a sample of tiles, taken in an order that depends on their number
// alone, sources are fitted with widths of their own, until enough are known to a tenth. Where
// these widths agree within their errors, but for as many wide ones as sources lie by chance so
// near to each other that they look like one, the whole image is searched with their mean: several
// times faster, and surer, as a blend cannot pass for a wide source. Asked for by the user: a few
// wide sources that the sample has not met would be found as several each.
#pragma once

#include <optional>
#include <span>

#include "ardent/imaging/locate_options.h"
#include "ardent/imaging/tiling.h"

namespace ardent {

/// The width that the measured ones agree on. `density`: sources per pixel.
std::optional<double> common_width(std::span<const MeasuredWidth> measured, double density);

/// Whether the image and the options leave it open: not of stacks, nor where the width is known.
bool may_share_width(const Pixels& image, const LocateOptions& options);

/// The shared width of an image without its background; `tiling` and `tile` are those of all
/// widths. Nothing where tiles are few: all of them would be the sample.
std::optional<double> shared_width(const Tiling& tiling, const Pixels& sky_free,
                                   const PixelNoise& noise, const TileOptions& tile);

}  // namespace ardent
