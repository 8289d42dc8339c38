// The tiles of an image and what is asked of each, by the options of locate.
#pragma once

#include "ardent/imaging/locate_options.h"
#include "ardent/imaging/tiling.h"

namespace ardent {

Tiling tiling_of(const Pixels& image, const LocateOptions& options);
TileOptions tile_options(const LocateOptions& options);

}  // namespace ardent
