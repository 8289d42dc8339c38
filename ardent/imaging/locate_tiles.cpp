#include "ardent/imaging/locate_tiles.h"

#include <algorithm>
#include <numbers>

namespace ardent {
namespace {

TileDictionary dictionary_of(const LocateOptions& options, const Box& tile) {
  PsfGrid grid{tile.width, tile.height, options.sigma_low, options.sigma_high};
  if (options.tile.refine) {
    // The fit leaves the grid: atoms are no nearer than it takes to start it. Atoms next to each
    // other still merge into one source.
    grid.ratio = 1.45;
    grid.step = 0.75;
    grid.most = std::max(1.0, options.tile.merge / std::numbers::sqrt2);
  }
  if (tile.depth > 1) {
    // An axis more makes many atoms.
    grid.ratio = std::max(grid.ratio, 1.25);
    grid.step = std::max(grid.step, 0.6);
    grid.depth = tile.depth;
    grid.sigma_z_low = options.sigma_z_low;
    grid.sigma_z_high = options.sigma_z_high;
  }
  if (options.psf) return psf_image_dictionary(*options.psf, grid);
  if (options.dictionary == DictionaryKind::grid) return grid_dictionary(grid);
  return sampled_dictionary(options.atoms, grid, options.dictionary == DictionaryKind::normal,
                            options.seed);
}

}  // namespace

Tiling tiling_of(const Pixels& image, const LocateOptions& options) {
  const bool psf = options.psf != nullptr;
  return {image,
          options.core,
          psf ? options.psf->radius() : 3 * options.sigma_high,
          psf ? options.psf->radius_z() : 3 * options.sigma_z_high,
          [&](const Box& tile) { return dictionary_of(options, tile); },
          options.farm};
}

TileOptions tile_options(const LocateOptions& options) {
  TileOptions tile = options.tile;
  tile.fit.sigma_low = options.sigma_low;
  tile.fit.sigma_high = options.sigma_high;
  tile.fit.sigma_z_low = options.sigma_z_low;
  tile.fit.sigma_z_high = options.sigma_z_high;
  tile.fit.nonnegative = options.tile.nonnegative;
  // χ² is near the number of pixels: some hundredths of what one parameter is uncertain by.
  tile.fit.tolerance = 1e-4;
  if (options.psf) tile.fit.shape = options.psf.get();
  return tile;
}

}  // namespace ardent
