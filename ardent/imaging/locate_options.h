// What you ask of locate.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "ardent/base/option_schema.h"
#include "ardent/imaging/background.h"
#include "ardent/imaging/tile.h"

namespace ardent {

struct LocateOptions {
  double sigma_low = 1, sigma_high = 3;
  std::shared_ptr<const PsfImage> psf = nullptr;  // instead of Gaussians: no widths
  DictionaryKind dictionary = DictionaryKind::grid;
  Index atoms = 10000;
  std::uint64_t seed = 1;
  BackgroundKind background = BackgroundKind::constant;
  Index background_cell = 64;
  double noise = 0;              // 0: estimated
  double saturation = INFINITY;  // none is
  double profile_error = -1;     // -1: estimated
  Index core = 20;
  TileOptions tile = {};             // its fit and its errors are those above
  bool sweep = false;                // over sweep_count values of lambda,
  std::vector<double> lambdas = {};  // or over these
  Index sweep_count = 20;

  bool sweeps() const { return sweep || !lambdas.empty(); }
};

/// Two options that are more than a number or a word: an image file, and one or several lambdas.
Option psf_option(LocateOptions& options);
Option lambda_option(LocateOptions& options);

/// `stack` is an option of those who search stacks of planes, too (locate_stack.h).
inline Schema schema(LocateOptions& options) {
  Schema schema;
  const Condition image = where("stack", {"off"}), no_psf = where("psf", {"none"});
  const Condition random = where("dictionary", {"uniform", "normal"});
  schema
      .add_range("sigma", options.sigma_low, options.sigma_high,
                 "standard deviation of the sources in pixels, or its range",
                 {.low = 0, .high = 50, .high_is_in = true})
      .needing(no_psf);
  schema.add("background", options.background,
             "none; constant: the median after clipping; map: that of cells, interpolated",
             {"none", "constant", "map"});
  schema.add("noise", options.noise, "noise variance; auto: from second differences of the pixels",
             above(0), "auto");
  schema.add("lambda-factor", options.tile.lambda_factor,
             "lambda over the noise variance, where lambda is auto", above(0));
  schema.add("merge", options.tile.merge, "atoms nearer than so many pixels are one source",
             at_least(0));
  schema.group("", {image});
  schema.add(psf_option(options));
  schema
      .add("dictionary", options.dictionary,
           "where atoms lie. grid: every place and width; uniform, normal: at random, evenly or "
           "around the middle",
           {"grid", "uniform", "normal"})
      .needing(no_psf);
  schema.add("atoms", options.atoms, "atoms of a random dictionary, on each tile", 1)
      .needing(random);
  schema.add("seed", options.seed, "seed of a random dictionary").needing(random);
  schema.add("saturation", options.saturation,
             "pixels from this value on are saturated: left out, but at least so bright",
             any_number(), "none", INFINITY);
  schema.add(
      "profile-error", options.profile_error,
      "fraction of its light by which a source misses the PSF: the variance of a pixel is noise "
      "+ (fraction * model)^2; auto: measured on bright pixels",
      at_least(0), "auto", -1);
  schema.add("background-cell", options.background_cell, "pixels of a cell of the map", 1)
      .needing(where("background", {"map"}));
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
  schema.group("");
  return schema;
}

/// Throws InputError naming field, rule and value.
inline void validate(const LocateOptions& options) {
  validate_fields(options);
}

}  // namespace ardent
