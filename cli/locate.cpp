#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"
#include "ardent/imaging/catalogue.h"
#include "ardent/imaging/image_file.h"
#include "describe.h"
#include "locate_options.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

struct LocateCommand {
  Common common;
  LocateArguments arguments;
  std::string output, regions, overlay_path, reference;
  bool stack = false;
  StackOptions stack_options;

  void run() const {
    const ThreadScope threads(common.threads);
    if (stack) {
      run_stack();
      return;
    }
    arguments.check();
    if (!output.empty()) check_catalogue_name(output, CatalogueOf::sources);
    if (!reference.empty() && arguments.table.empty()) {
      throw InputError("--reference belongs to the table of a sweep: give --table");
    }
    const Image image = read_image(arguments.image, arguments.extension);
    const auto start = std::chrono::steady_clock::now();
    const LocateResult found = [&] {
      ProgressBar bar(common.verbose, ProgressBar::TimeLeft::shown);
      return arguments.search(image, reference, bar.callback());
    }();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    warn(found.warnings);
    if (!output.empty()) write_catalogue(found.detections, output, arguments.options.origin);
    if (!regions.empty()) write_regions(found.detections, regions);
    if (!overlay_path.empty()) {
      AtomicFile file(overlay_path);
      file.write(format_png(overlay(image, found.detections)));
      file.commit();
    }
    if (common.json) {
      print_json(as_json(image, found, seconds.count()));
      return;
    }
    fmt::print(
        "{}: {} × {} pixels, noise variance {:.6g}, profile error {:.3g}, {} tiles, "
        "{:.2f} s\n{}{} sources{}\n{}",
        arguments.image, image.width, image.height, found.noise_variance, found.profile_error,
        found.tiles, seconds.count(), left_out(found), found.detections.size(),
        counted_from(arguments.options.origin), table(found.detections));
    if (!output.empty()) fmt::print("catalogue written to {}\n", output);
  }

  /// Beads in a stack of planes (locate_stack.h).
  void run_stack() const {
    const LocateOptions& shared = arguments.options;
    StackOptions options = stack_options;
    options.sigma_low = shared.sigma_low;
    options.sigma_high = shared.sigma_high;
    options.background = shared.background;
    options.noise = shared.noise;
    options.lambda_factor = shared.tile.lambda_factor;
    options.merge = shared.tile.merge;
    validate(options);
    if (!output.empty()) check_catalogue_name(output, CatalogueOf::beads);
    const Stack read = read_stack(arguments.image, arguments.extension);
    const StackResult found = locate_stack(read, options);
    if (!output.empty()) write_catalogue(found.detections, output, shared.origin);
    Json json{{"width", read.width},
              {"height", read.height},
              {"depth", read.depth},
              {"noise_variance", found.noise_variance},
              {"background", found.background},
              {"origin", shared.origin},
              {"sources", Json::array()}};
    std::vector<std::vector<std::string>> rows{{"x", "y", "z", "flux", "sd", "snr"}};
    for (const BeadDetection& one : found.detections) {
      Bead bead = one.bead;
      for (double* place : {&bead.x, &bead.y, &bead.z}) *place -= shift();
      json["sources"].push_back({{"x", bead.x},
                                 {"y", bead.y},
                                 {"z", bead.z},
                                 {"sigma_xy", bead.sigma_xy},
                                 {"sigma_z", bead.sigma_z},
                                 {"flux", bead.flux},
                                 {"flux_sd", one.flux_sd},
                                 {"snr", one.snr},
                                 {"probability", one.probability}});
      rows.push_back({fmt::format("{:.3f}", bead.x), fmt::format("{:.3f}", bead.y),
                      fmt::format("{:.3f}", bead.z), fmt::format("{:.4g}", bead.flux),
                      fmt::format("{:.3g}", one.flux_sd), fmt::format("{:.1f}", one.snr)});
    }
    if (common.json) {
      print_json(json);
      return;
    }
    fmt::print("{}: {} × {} × {} voxels, noise variance {:.6g}\n{} sources{}\n{}", arguments.image,
               read.width, read.height, read.depth, found.noise_variance, found.detections.size(),
               counted_from(shared.origin), found.detections.empty() ? "" : text_table(rows));
    if (!output.empty()) fmt::print("catalogue written to {}\n", output);
  }

  /// What is taken off places that count from 1.
  double shift() const { return static_cast<double>(1 - arguments.options.origin); }

  static std::string counted_from(Index origin) {
    return fmt::format("; pixels count from {}", origin);
  }

  static std::string left_out(const LocateResult& found) {
    std::string text;
    if (found.masked_pixels > 0) text += fmt::format("{} pixels masked\n", found.masked_pixels);
    if (!found.bad_pixels.empty()) {
      text +=
          fmt::format("{} bad pixels rejected: too bright or too dark for the pixels around them\n",
                      found.bad_pixels.size());
    }
    return text;
  }

  std::string table(const std::vector<Detection>& detections) const {
    constexpr std::size_t kShown = 20;
    std::vector<std::vector<std::string>> rows{
        {"x", "y", "sigma", "flux", "sd", "snr", "probability"}};
    for (std::size_t k = 0; k < std::min(kShown, detections.size()); ++k) {
      const Detection& found = detections[k];
      rows.push_back({fmt::format("{:.3f}", found.source.x - shift()),
                      fmt::format("{:.3f}", found.source.y - shift()),
                      fmt::format("{:.3f}", found.source.sigma),
                      fmt::format("{:.4g}", found.source.flux),
                      fmt::format("{:.3g}", found.flux_sd), fmt::format("{:.1f}", found.snr),
                      fmt::format("{:.3f}", found.probability)});
    }
    std::string text = detections.empty() ? "" : text_table(rows);
    if (detections.size() > kShown)
      text += fmt::format("  … and {} more\n", detections.size() - kShown);
    return text;
  }

  Json as_json(const Image& image, const LocateResult& found, double seconds) const {
    Json json{{"width", image.width},
              {"height", image.height},
              {"noise_variance", found.noise_variance},
              {"profile_error", found.profile_error},
              {"tiles", found.tiles},
              {"masked_pixels", found.masked_pixels},
              {"bad_pixels", found.bad_pixels.size()},
              {"warnings", found.warnings},
              {"origin", arguments.options.origin},
              {"seconds", seconds},
              {"sources", Json::array()}};
    for (const Detection& detection : found.detections) {
      json["sources"].push_back({{"x", detection.source.x - shift()},
                                 {"y", detection.source.y - shift()},
                                 {"sigma", detection.source.sigma},
                                 {"flux", detection.source.flux},
                                 {"flux_sd", detection.flux_sd},
                                 {"snr", detection.snr},
                                 {"probability", detection.probability}});
    }
    return json;
  }
};

}  // namespace

void add_locate(CLI::App& app) {
  auto command = std::make_shared<LocateCommand>();
  CLI::App* sub = app.add_subcommand(
      "locate",
      "Find point sources in an image: places, widths, fluxes with errors, probabilities");
  add_output(
      *sub, "-o,--output", command->output,
      "Catalogue x,y,sigma,flux,flux_sd,probability,snr: .csv, .ecsv, .fits or .reg, as its name "
      "says; pixels count from 1 as in FITS, or from --origin");
  Schema& schema = command->arguments.schema;
  const Condition one_image = where("stack", {"off"});
  schema.add_text("regions", command->regions, "region file for DS9", std::string(kWritten))
      .needing(one_image);
  schema
      .add_text("overlay", command->overlay_path, "PNG picture with a circle around each source",
                std::string(kWritten))
      .needing(one_image);
  schema
      .add_text("reference", command->reference,
                "image without noise, for the PSNR of a sweep's table", std::string(kRead))
      .needing(one_image);
  schema.add("stack", command->stack,
             "a stack of planes (FITS of three dimensions, NPY of the shape z, y, x), whose "
             "catalogue is x,y,z,sigma_xy,sigma_z,flux,flux_sd,probability,snr");
  schema
      .add_range("sigma-z", command->stack_options.sigma_z_low, command->stack_options.sigma_z_high,
                 "standard deviation along z in planes, or its range", above(0))
      .needing(where("stack", {"on"}));
  command->arguments.add_to(*sub);
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
