// A dictionary for tiles of one size, and the Gram rows that they share.
#pragma once

#include <memory>
#include <vector>

#include "ardent/imaging/psf_dictionary.h"
#include "ardent/imaging/psf_image.h"
#include "ardent/inference/coding/gram_rows.h"

namespace ardent {

/// Where the atoms lie.
///   grid     every place and width (psf_dictionary.h)
///   uniform  places and widths at random, evenly
///   normal   places around the middle of the tile (sample_psfs)
enum class DictionaryKind { grid, uniform, normal };

struct TileDictionary {
  std::unique_ptr<const Dictionary> atoms;
  std::vector<Source> sources;  // of each atom; its flux is what a coefficient of 1 means
  std::unique_ptr<GramRows> rows;
};

TileDictionary grid_dictionary(const PsfGrid& grid);
/// `count` atoms at random; `grid` tells pixels and widths.
TileDictionary sampled_dictionary(Index count, const PsfGrid& grid, bool normal,
                                  std::uint64_t seed);
/// The PSF at places `grid.step` times its σ apart (no more than `grid.most` pixels), along z its
/// σ_z. InputError if it takes more than 1 GiB.
TileDictionary psf_image_dictionary(const PsfImage& psf, const PsfGrid& grid);

}  // namespace ardent
