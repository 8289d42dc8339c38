#include "locate_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"
#include "ardent/imaging/catalogue.h"
#include "ardent/imaging/image_file.h"
#include "ardent/imaging/source_metrics.h"
#include "ranks.h"

namespace ardent::cli {

namespace {

/// λ, what was found with it, and how good it is where that is known.
std::string sweep_table(const Sweep& sweep, const std::string& truth_path, Index origin,
                        const Image* reference) {
  std::vector<Source> truth;
  if (!truth_path.empty()) truth = read_catalogue(truth_path);
  for (Source& source : truth) {
    source.x += static_cast<double>(1 - origin);
    source.y += static_cast<double>(1 - origin);
  }
  std::string text = "lambda,ratio,over_noise,sources,bic,psnr,group_iou,chosen\n";
  for (std::size_t k = 0; k < sweep.steps.size(); ++k) {
    const SweepStep& step = sweep.steps[k];
    std::vector<Source> found;
    for (const Detection& detection : step.found.detections) found.push_back(detection.source);
    const Image clean = cleaned(step.found.model, step.found);
    text += fmt::format(
        "{},{},{},{},{},{},{},{}\n", step.lambda, step.lambda / sweep.largest_lambda,
        step.lambda / step.found.noise_variance, found.size(), step.bic,
        reference ? fmt::format("{}", psnr(*reference, clean)) : "",
        truth_path.empty() ? "" : fmt::format("{}", group_iou(found, truth)), k == sweep.chosen);
  }
  return text;
}

}  // namespace

void LocateArguments::add_to(CLI::App& command) {
  add_input(command, "IMAGE", image, "Image: FITS, PNG (grey) or NPY")->required();
  command.add_option(
      "--extension", extension,
      "FITS: extension of the file, by its number from 0 or its name (SCI); default: "
      "the first with an image");
  schema.add_text(
      "table", table,
      "CSV file for a sweep: lambda, its fraction of the largest, sources, BIC, PSNR (with "
      "--reference) and group IoU (with --truth)",
      std::string(kWritten));
  schema.add_text("truth", truth,
                  "CSV of the true sources (pixels from --origin), for the sweep's table",
                  std::string(kRead));
  schema.add("stack", stack,
             "a stack of planes (FITS of three dimensions, NPY of the shape z, y, x), whose "
             "catalogue is x,y,z,sigma_xy,sigma_z,flux,flux_sd,probability,snr");
  schema
      .add_range("sigma-z", options.sigma_z_low, options.sigma_z_high,
                 "standard deviation along z in planes, or its range", above(0))
      .needing(where("stack", {"on"}))
      .needing(where("psf", {"none"}));
  add_options(command, schema, "Search");
}

void LocateArguments::check() const {
  if (!options.sweeps() && !(table.empty() && truth.empty())) {
    throw InputError("--table and --truth belong to a sweep: give --lambda sweep, or a list");
  }
}

Image LocateArguments::read(const std::string& path, const std::string& part) const {
  return read_image(path, extension_of(part), stack ? Dimensions::stack : Dimensions::image);
}

LocateResult LocateArguments::search(Image input, const std::string& reference, bool images_wanted,
                                     const ProgressCallback& progress) const {
  if (!options.sweeps()) {
    return images_wanted ? locate(input, options, progress)
                         : locate_catalogue(std::move(input), options, progress);
  }
  Sweep sweep = locate_sweep(input, options, progress);
  if (!table.empty() && leads()) {
    Image clean;
    if (!reference.empty()) clean = read(reference);
    AtomicFile file(table);
    file.write(sweep_table(sweep, truth, options.origin, reference.empty() ? nullptr : &clean));
    file.commit();
  }
  return std::move(sweep.steps[sweep.chosen].found);
}

}  // namespace ardent::cli
