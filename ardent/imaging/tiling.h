// An image cut into overlapping tiles that are solved in parallel, and one list of their sources.
//
// Tiles are all of one size, so that they share one dictionary and its Gram rows. Each owns its
// core and sees a margin around it; a source is reported by the tile whose core it lies in. Near a
// seam two tiles may each place it in their own core, or in the other's: cores are looked at with a
// pixel more, and of two reports from different tiles nearer than a pixel the one deeper in its own
// tile stands.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "ardent/base/progress.h"
#include "ardent/base/task_farm.h"
#include "ardent/imaging/tile.h"

namespace ardent {

/// A tile along one axis.
struct TileSpan {
  Index core_begin, core_end;  // pixels, both included
  Index begin;                 // of the tile
};

/// The dictionary of tiles as large as this one.
using MakeTileDictionary = std::function<TileDictionary(const Box& tile)>;

class Tiling {
 public:
  /// `core`: pixels of a tile's core along each axis; `reach`: pixels around it from which light
  /// comes, and `reach_z` planes. The dictionary is made here and serves every run. `farm`:
  /// processes that the tiles of a run are dealt out to; null: none.
  Tiling(const Pixels& image, Index core, double reach, double reach_z,
         const MakeTileDictionary& make, TaskFarm* farm = nullptr);

  Index count() const { return std::ssize(x_) * std::ssize(y_) * std::ssize(z_); }

  /// Sources of the image without its background, the brightest first; fills `model`. Those that
  /// lie beyond the border are in the model, not in the list. Tiles start from the codes of the run
  /// before.
  std::vector<Detection> run(const Pixels& sky_free, const PixelNoise& noise,
                             const TileOptions& options, Image& model,
                             const ProgressCallback& progress);

  /// Widths of sources in the cores of some of the tiles.
  std::vector<MeasuredWidth> measure_widths(const Pixels& sky_free, const PixelNoise& noise,
                                            const TileOptions& options,
                                            std::span<const Index> tiles) const;

  /// The smallest λ at which nothing is found.
  double largest_lambda(const Pixels& sky_free) const;

 private:
  /// A tile's share of each axis.
  struct Spans {
    const TileSpan &x, &y, &z;
  };
  Spans spans_of(Index tile) const;
  Box box_of(Index tile) const;
  /// How many tiles, with their margins, have as many pixels as the image.
  double tile_areas() const {
    return static_cast<double>(width_ * height_ * depth_) /
           static_cast<double>(tile_.width * tile_.height * tile_.depth);
  }
  PixelNoise noise_in(const PixelNoise& noise, const Image& pixels, const Box& box) const;

  Index width_, height_, depth_;  // of the image
  std::vector<TileSpan> x_, y_, z_;
  Box tile_;  // its size
  TileDictionary dictionary_;
  std::vector<SparseCode> codes_;
  TaskFarm* farm_;
};

}  // namespace ardent
