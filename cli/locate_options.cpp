#include "locate_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"
#include "ardent/imaging/catalogue.h"
#include "ardent/imaging/image_file.h"
#include "ardent/imaging/source_metrics.h"

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
                               ardent::in_quotes(text)));
}

namespace {

/// Numbers with commas between them; InputError naming the option.
std::vector<double> number_list(const std::string& option, const std::string& text) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    double number = 0;
    if (!CLI::detail::lexical_cast(text.substr(begin, end - begin), number)) {
      throw InputError(
          fmt::format("{} takes auto, sweep, a number, or numbers with ',' between them, not {}",
                      option, ardent::in_quotes(text)));
    }
    numbers.push_back(number);
    begin = end + 1;
  }
  return numbers;
}

/// λ, what was found with it, and how good it is where that is known.
std::string sweep_table(const Sweep& sweep, const std::string& truth_path,
                        const std::string& reference_path) {
  std::vector<Source> truth;
  if (!truth_path.empty()) truth = read_catalogue(truth_path);
  Image reference;
  if (!reference_path.empty()) reference = read_image(reference_path);
  std::string text = "lambda,ratio,over_noise,sources,bic,psnr,group_iou,chosen\n";
  for (std::size_t k = 0; k < sweep.steps.size(); ++k) {
    const SweepStep& step = sweep.steps[k];
    std::vector<Source> found;
    for (const Detection& detection : step.found.detections) found.push_back(detection.source);
    Image clean = step.found.model;
    for (std::size_t p = 0; p < clean.pixels.size(); ++p) {
      clean.pixels[p] += step.found.background.pixels[p];
    }
    text += fmt::format(
        "{},{},{},{},{},{},{},{}\n", step.lambda, step.lambda / sweep.largest_lambda,
        step.lambda / step.found.noise_variance, found.size(), step.bic,
        reference_path.empty() ? "" : fmt::format("{}", psnr(reference, clean)),
        truth_path.empty() ? "" : fmt::format("{}", group_iou(found, truth)), k == sweep.chosen);
  }
  return text;
}

}  // namespace

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
  command.add_option(
      "--psf", psf,
      "Image of a point source (FITS, PNG or NPY, sky taken off) instead of Gaussians; scaled to "
      "the sum 1, its centroid is the source's place");
  command
      .add_option("--dictionary", dictionary,
                  "Where atoms lie. grid: every place and width; uniform, normal: at random, "
                  "evenly or around the middle")
      ->check(CLI::IsMember({"grid", "uniform", "normal"}))
      ->capture_default_str();
  command.add_option("--atoms", options.atoms, "Atoms of a random dictionary, on each tile")
      ->capture_default_str();
  command.add_option("--seed", options.seed, "Seed of a random dictionary")->capture_default_str();
  command.add_option("--saturation", saturation,
                     "Pixels from this value on are saturated: left out, but at least so bright. "
                     "0: none are");
  command
      .add_option("--profile-error", options.profile_error,
                  "Part of its light by which a source misses the PSF: the variance of a pixel is "
                  "noise + (part * model)^2; below 0: measured on bright pixels")
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
      .add_option(
          "--lambda", lambda,
          "lambda of the sparse code. auto: --lambda-factor times the noise variance; "
          "sweep: from the largest down to twice the noise variance; or a list with commas. "
          "Of several the one of least BIC = chi^2 + parameters*ln(pixels) is reported")
      ->capture_default_str();
  command.add_option("--sweep-count", sweep_count, "Values of lambda in a sweep")
      ->capture_default_str();
  command.add_option("--table", table,
                     "CSV file for a sweep: lambda, its part of the largest, sources, BIC, PSNR "
                     "(with --reference) and group IoU (with --truth)");
  command.add_option("--truth", truth, "CSV of the true sources, for the sweep's table");
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

bool LocateArguments::sweeps() const {
  return lambda == "sweep" || lambda.find(',') != std::string::npos;
}

LocateOptions LocateArguments::resolved() const {
  LocateOptions all = options;
  std::tie(all.sigma_low, all.sigma_high) = number_range("--sigma", sigma);
  all.background = parse_background(background);
  all.dictionary = parse_dictionary(dictionary);
  all.tile.nonnegative = !any_sign;
  all.tile.refine = !no_refine;
  if (saturation != 0) all.saturation = saturation;
  if (!sweeps()) {
    if (lambda != "auto") all.tile.lambda = number_list("--lambda", lambda).front();
    if (!table.empty() || !truth.empty()) {
      throw InputError("--table and --truth belong to a sweep: give --lambda sweep, or a list");
    }
  }
  if (!psf.empty()) {
    if (all.dictionary != DictionaryKind::grid) {
      throw InputError("--psf lies on a grid: leave out --dictionary " + dictionary);
    }
    all.psf = std::make_shared<const PsfImage>(read_image(psf));
  }
  validate(all);
  return all;
}

LocateResult LocateArguments::search(const Image& input, const std::string& reference,
                                     const ProgressCallback& progress) const {
  const LocateOptions all = resolved();
  if (!sweeps()) return locate(input, all, progress);
  std::vector<double> lambdas;
  if (lambda != "sweep") lambdas = number_list("--lambda", lambda);
  Sweep sweep = locate_sweep(input, all, lambdas, sweep_count, progress);
  if (!table.empty()) {
    AtomicFile file(table);
    file.write(sweep_table(sweep, truth, reference));
    file.commit();
  }
  return std::move(sweep.steps[sweep.chosen].found);
}

}  // namespace ardent::cli
