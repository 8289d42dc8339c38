#include "locate_options.h"

#include <fmt/format.h>

#include "ardent/base/error.h"

namespace ardent::cli {

std::pair<double, double> number_range(const std::string& option, const std::string& text) {
  const std::size_t middle = text.find(':');
  const std::string first = text.substr(0, middle);
  const std::string second = middle == std::string::npos ? first : text.substr(middle + 1);
  double low = 0, high = 0;
  if (CLI::detail::lexical_cast(first, low) && CLI::detail::lexical_cast(second, high)) {
    return {low, high};
  }
  throw InputError(fmt::format("{} takes one number, or two with ':' between them, not {}", option,
                               ardent::quoted(text)));
}

void LocateArguments::add_to(CLI::App& command) {
  TileOptions& tile = options.tile;
  command.add_option("IMAGE", image, "Image: FITS, PNG (grey) or NPY")->required();
  command
      .add_option("--extension", extension,
                  "FITS: part of the file, from 0; below 0: the first with an image")
      ->capture_default_str();
  command
      .add_option("--sigma", sigma,
                  "Standard deviation of the sources in pixels: one number, or low:high")
      ->capture_default_str();
  command
      .add_option("--background", background,
                  "none; constant: the median after clipping; map: that of cells, interpolated")
      ->check(CLI::IsMember({"none", "constant", "map"}))
      ->capture_default_str();
  command.add_option("--background-cell", options.background_cell, "Pixels of a cell of the map")
      ->capture_default_str();
  command
      .add_option("--noise", options.noise,
                  "Noise variance; 0: from second differences of the pixels")
      ->capture_default_str();
  command
      .add_option("--lambda", tile.lambda,
                  "lambda of the sparse code; 0: --lambda-factor times the noise variance")
      ->capture_default_str();
  command.add_option("--lambda-factor", tile.lambda_factor, "lambda over the noise variance")
      ->capture_default_str();
  command.add_flag("--any-sign", any_sign, "Sources may be dark: codes of either sign");
  command.add_flag("--no-refine", no_refine,
                   "Leave sources on the grid: no fit of places, widths and fluxes, no "
                   "probability threshold");
  command.add_option("--merge", tile.merge, "Atoms nearer than so many pixels are one source")
      ->capture_default_str();
  command
      .add_option("--probability", tile.least_probability,
                  "Sources are kept from this probability of presence on")
      ->capture_default_str();
  command
      .add_option("--core", options.core,
                  "Pixels of a tile's core; a larger image is solved in overlapping tiles")
      ->capture_default_str();
}

LocateOptions LocateArguments::resolved() const {
  LocateOptions all = options;
  std::tie(all.sigma_low, all.sigma_high) = number_range("--sigma", sigma);
  all.background = parse_background(background);
  all.tile.nonnegative = !any_sign;
  all.tile.refine = !no_refine;
  validate(all);
  return all;
}

}  // namespace ardent::cli
