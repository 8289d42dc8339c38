// What you ask of locate.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "ardent/base/option_schema.h"
#include "ardent/base/task_farm.h"
#include "ardent/imaging/background.h"
#include "ardent/imaging/tile.h"

namespace ardent {

enum class BadPixels { reject, keep };
/// Is the noise measured on the scale of sources (width_noise.h), or that of independent pixels?
enum class NoiseScale { automatic, pixel };
/// Do sources have one width where the image says so (shared_width.h)?
enum class SharedWidth { automatic, off };

/// Standard deviations, of a map of inverse variances; 0 where the weight is not above 0.
struct ErrorsOfWeights : Image {
  explicit ErrorsOfWeights(Image weights);
};

struct LocateOptions {
  double sigma_low = 1, sigma_high = 3;
  double sigma_z_low = 2, sigma_z_high = 2;  // of a stack, in planes: 0 < low <= high <= 50
  SharedWidth shared_width = SharedWidth::off;
  std::shared_ptr<const PsfImage> psf = nullptr;  // instead of Gaussians: no widths
  DictionaryKind dictionary = DictionaryKind::grid;
  Index atoms = 10000;
  std::uint64_t seed = 1;
  BackgroundKind background = BackgroundKind::automatic;
  Index background_cell = 64;
  double noise = 0;  // 0: estimated
  NoiseScale noise_scale = NoiseScale::automatic;
  double gain = 0;                                   // 0: photons make no noise of their own
  double read_noise = -1;                            // -1: not known
  std::shared_ptr<const Image> error_map = nullptr;  // standard deviations
  std::shared_ptr<const ErrorsOfWeights> weight_map = nullptr;  // instead
  std::shared_ptr<const Image> mask = nullptr;  // where it is not 0 a pixel is missing
  Index mask_bits = 0;                          // of the mask that count; 0: all
  BadPixels bad_pixels = BadPixels::reject;
  double saturation = INFINITY;  // none is
  double profile_error = -1;     // -1: estimated
  Index core = 20;
  TileOptions tile = {};             // its fit and its errors are those above
  bool sweep = false;                // over sweep_count values of lambda,
  std::vector<double> lambdas = {};  // or over these
  Index sweep_count = 20;
  TaskFarm* farm = nullptr;  // processes that tiles are dealt out to; null: this one is alone
  Index origin = 1;          // number of the first pixel in catalogues; the library's own is 1

  bool sweeps() const { return sweep || !lambdas.empty(); }
  /// Standard deviations of the pixels, null where nobody gave them.
  const Image* errors() const { return error_map ? error_map.get() : weight_map.get(); }
};

/// Options that are more than a number or a word: image files, one or several lambdas, 0 or 1.
Option psf_option(LocateOptions& options);
Option error_map_option(LocateOptions& options);
Option weight_map_option(LocateOptions& options);
Option mask_option(LocateOptions& options);
Option lambda_option(LocateOptions& options);
Option origin_option(LocateOptions& options);

/// What is known of each pixel.
inline void add_noise_options(Schema& schema, LocateOptions& options) {
  schema.add("gain", options.gain,
             "photons (electrons) per unit of the image: a source's own photons add model/gain to "
             "the variance of a pixel",
             above(0), "none");
  schema
      .add("read-noise", options.read_noise,
           "electrons: the variance without sources is (read-noise/gain)^2 + background/gain, of "
           "an image whose sky was not taken off",
           at_least(0), "none", -1)
      .needing(unless("gain", {"none"}))
      .needing(where("error-map", {"none"}))
      .needing(where("weight-map", {"none"}));
  schema.add(error_map_option(options));
  schema.add(weight_map_option(options)).needing(where("error-map", {"none"}));
  schema.add(mask_option(options));
  schema
      .add("mask-bits", options.mask_bits,
           "sum of the mask's bits that count (data quality flags); 0: all", 0)
      .needing(unless("mask", {"none"}));
  schema.add("bad-pixels", options.bad_pixels,
             "reject: pixels too bright or too dark for the ones around them are left out and "
             "counted; keep: they are not looked for",
             {"reject", "keep"});
}

inline void add_noise_scale(Schema& schema, LocateOptions& options) {
  schema
      .add("noise-scale", options.noise_scale,
           "auto: a source is judged by the noise on its own scale, which is larger where the "
           "noise of pixels is correlated or the sky is lumpy; pixel: by that of independent "
           "pixels",
           {"auto", "pixel"})
      .needing(where("refine", {"on"}));
}

inline void add_dictionary_options(Schema& schema, LocateOptions& options) {
  const Condition random = where("dictionary", {"uniform", "normal"});
  schema
      .add("dictionary", options.dictionary,
           "where atoms lie. grid: every place and width; uniform, normal: at random, evenly or "
           "around the middle",
           {"grid", "uniform", "normal"})
      .needing(where("psf", {"none"}));
  schema.add("atoms", options.atoms, "atoms of a random dictionary, on each tile", 1)
      .needing(random);
  schema.add("seed", options.seed, "seed of a random dictionary").needing(random);
}

/// All but what belongs to stacks (sigma_z).
inline Schema schema(LocateOptions& options) {
  Schema schema;
  schema
      .add_range("sigma", options.sigma_low, options.sigma_high,
                 "standard deviation of the sources in pixels, or its range",
                 {.low = 0, .high = 50, .high_is_in = true})
      .needing(where("psf", {"none"}));
  schema
      .add("shared-width", options.shared_width,
           "auto: where the widths of sources on a sample of tiles agree, all are searched with "
           "that one width, for fields of stars alone, several times faster; otherwise every "
           "source has a width of its own, in the range of sigma",
           {"auto", "off"})
      .needing(where("psf", {"none"}));
  schema.add("background", options.background,
             "none; constant: the median after clipping; map: that of cells, interpolated; auto: a "
             "map where cells differ by more than the parts of each do, else constant",
             {"none", "constant", "map", "auto"});
  schema
      .add("noise", options.noise, "noise variance; auto: from second differences of the pixels",
           above(0), "auto")
      .needing(where("read-noise", {"none"}))
      .needing(where("error-map", {"none"}))
      .needing(where("weight-map", {"none"}));
  add_noise_scale(schema, options);
  schema.add("lambda-factor", options.tile.lambda_factor,
             "lambda over the noise variance, where lambda is auto", above(0));
  schema.add("merge", options.tile.merge, "atoms nearer than so many pixels are one source",
             at_least(0));
  schema.add(origin_option(options));
  schema.add(psf_option(options));
  add_noise_options(schema, options);
  add_dictionary_options(schema, options);
  schema.add("saturation", options.saturation,
             "pixels from this value on are saturated: left out, but at least so bright",
             any_number(), "none", INFINITY);
  schema.add(
      "profile-error", options.profile_error,
      "fraction of its light by which a source misses the PSF: the variance of a pixel is noise "
      "+ (fraction * model)^2; auto: measured on bright pixels",
      at_least(0), "auto", -1);
  schema.add("background-cell", options.background_cell, "pixels of a cell of the map", 1)
      .needing(where("background", {"map", "auto"}));
  schema.add(lambda_option(options));
  schema.add("sweep-count", options.sweep_count, "values of lambda in a sweep", 2)
      .needing(where("lambda", {"sweep"}));
  schema.add("nonnegative", options.tile.nonnegative, "off: sources may be dark");
  schema.add("refine", options.tile.refine,
             "fit places, widths and fluxes off the grid; off: sources stay on the grid, without a "
             "threshold of probability");
  schema
      .add("probability", options.tile.least_probability,
           "sources are kept from this probability of presence on",
           {.low = 0, .low_is_in = true, .high = 1})
      .needing(where("refine", {"on"}));
  schema.add("core", options.core,
             "pixels of a tile's core; a larger image is solved in overlapping tiles", 4);
  return schema;
}

/// Throws InputError naming field, rule and value.
void validate(const LocateOptions& options);

}  // namespace ardent
