#include "ardent/imaging/tile_dictionary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/inference/coding/make_dictionary.h"

namespace ardent {
namespace {

constexpr std::size_t kRowBytes = std::size_t{512} << 20;
constexpr std::size_t kAtomBytes = std::size_t{1} << 30;

void check_memory(Index atoms, Index pixels) {
  const double bytes = static_cast<double>(atoms) * static_cast<double>(pixels) * sizeof(double);
  if (bytes <= static_cast<double>(kAtomBytes)) return;
  throw InputError(
      fmt::format("{} atoms on tiles of {} pixels take {:.1f} GiB, and 1 GiB is allowed: take "
                  "fewer atoms, a PSF of fewer pixels or smaller tiles (core)",
                  atoms, pixels, bytes / static_cast<double>(kAtomBytes)));
}

TileDictionary with_rows(std::unique_ptr<const Dictionary> atoms, std::vector<Source> sources) {
  TileDictionary dictionary{std::move(atoms), std::move(sources), nullptr};
  dictionary.rows = std::make_unique<GramRows>(*dictionary.atoms, kRowBytes);
  return dictionary;
}

}  // namespace

TileDictionary grid_dictionary(const PsfGrid& grid) {
  auto atoms = std::make_unique<PsfDictionary>(grid);
  std::vector<Source> sources;
  for (Index j = 0; j < atoms->cols(); ++j) sources.push_back(atoms->source(j));
  return with_rows(std::move(atoms), std::move(sources));
}

TileDictionary sampled_dictionary(Index count, const PsfGrid& grid, bool normal,
                                  std::uint64_t seed) {
  check_memory(count, grid.width * grid.height * grid.depth);
  SampledPsfs sampled = sample_psfs(count, grid, normal, seed);
  return with_rows(make_dictionary(std::move(sampled.atoms)), std::move(sampled.sources));
}

TileDictionary psf_image_dictionary(const PsfImage& psf, const PsfGrid& grid) {
  const double step = std::min(grid.most, grid.step * psf.sigma());
  const Vector x = grid_places(grid.width, step), y = grid_places(grid.height, step),
               z = grid_places(grid.depth, grid.step * psf.sigma_z());
  const Image blank = blank_image(grid.width, grid.height, grid.depth);
  const Index count = x.size() * y.size() * z.size();
  check_memory(count, blank.size());
  DenseRows atoms{count, blank.size(), Buffer<double>::allocate(count * blank.size())};
  std::vector<Source> sources;
  for (Index j = 0; j < count; ++j) {
    Source source{
        x[j % x.size()], y[j / x.size() % y.size()], psf.sigma(), 1, z[j / (x.size() * y.size())],
        psf.sigma_z()};
    source.flux = 1 / psf.length(source, blank);
    Image atom = blank;
    psf.add(source, atom);
    std::copy(atom.pixels.begin(), atom.pixels.end(),
              atoms.values.mutable_data() + j * blank.size());
    sources.push_back(source);
  }
  return with_rows(make_dictionary(std::move(atoms)), std::move(sources));
}

}  // namespace ardent
