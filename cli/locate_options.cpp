#include "locate_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"
#include "ardent/imaging/catalogue.h"
#include "ardent/imaging/image_file.h"
#include "ardent/imaging/source_metrics.h"

namespace ardent::cli {

namespace {

/// λ, what was found with it, and how good it is where that is known.
std::string sweep_table(const Sweep& sweep, const std::string& truth_path, Index origin,
                        const std::string& reference_path) {
  std::vector<Source> truth;
  if (!truth_path.empty()) truth = read_catalogue(truth_path);
  for (Source& source : truth) {
    source.x += static_cast<double>(1 - origin);
    source.y += static_cast<double>(1 - origin);
  }
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
  add_input(command, "IMAGE", image, "Image: FITS, PNG (grey) or NPY")->required();
  command
      .add_option("--extension", extension,
                  "FITS: extension of the file, from 0; below 0: the first with an image")
      ->capture_default_str();
  const Condition one_image = where("stack", {"off"});
  schema
      .add_text(
          "table", table,
          "CSV file for a sweep: lambda, its fraction of the largest, sources, BIC, PSNR (with "
          "--reference) and group IoU (with --truth)",
          std::string(kWritten))
      .needing(one_image);
  schema
      .add_text("truth", truth,
                "CSV of the true sources (pixels from --origin), for the sweep's table",
                std::string(kRead))
      .needing(one_image);
  add_options(command, schema, "Search");
}

void LocateArguments::check() const {
  if (!options.sweeps() && !(table.empty() && truth.empty())) {
    throw InputError("--table and --truth belong to a sweep: give --lambda sweep, or a list");
  }
}

LocateResult LocateArguments::search(const Image& input, const std::string& reference,
                                     const ProgressCallback& progress) const {
  if (!options.sweeps()) return locate(input, options, progress);
  Sweep sweep = locate_sweep(input, options, progress);
  if (!table.empty()) {
    AtomicFile file(table);
    file.write(sweep_table(sweep, truth, options.origin, reference));
    file.commit();
  }
  return std::move(sweep.steps[sweep.chosen].found);
}

}  // namespace ardent::cli
