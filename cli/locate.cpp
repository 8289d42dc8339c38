#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <tuple>
#include <utility>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"
#include "ardent/imaging/catalogue.h"
#include "ardent/imaging/image_file.h"
#include "describe.h"
#include "locate_many.h"
#include "locate_options.h"
#include "ranks.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

struct LocateCommand {
  Common common;
  LocateArguments arguments;
  std::string output, regions, overlay_path, reference;
  std::string background_map, residual_map, rms_map;
  bool details = false;
  double zero_point = INFINITY;   // none
  std::vector<std::string> more;  // images beside the first
  std::string folder, suffix = ".csv";

  void run() const {
    const ThreadScope threads(ranks() && common.threads == 0 ? 1 : common.threads);
    arguments.check();
    if (!more.empty() || !folder.empty()) return run_many();
    if (!output.empty()) check_catalogue_name(output, arguments.stack);
    if (!reference.empty() && arguments.table.empty()) {
      throw InputError("--reference belongs to the table of a sweep: give --table");
    }
    Image image = arguments.read(arguments.image, arguments.extension);
    const auto start = std::chrono::steady_clock::now();
    const LocateResult found = [&] {
      ProgressBar bar(common.verbose, ProgressBar::TimeLeft::shown);
      LocateArguments asked = arguments;
      if (ranks()) asked.options.farm = &ranks()->farm();
      return asked.search(image_is_needed() ? image : taken(image), reference, images_are_needed(),
                          bar.callback());
    }();
    if (!leads()) return;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    warn(found.warnings);
    const std::vector<SourceDetails> known =
        details ? source_details(image, arguments.options, found) : std::vector<SourceDetails>{};
    if (!output.empty()) {
      write_catalogue(found.detections, output,
                      {arguments.options.origin, arguments.stack, zero_point, known});
    }
    write_maps(image, found);
    if (!regions.empty()) write_regions(found.detections, regions);
    if (!overlay_path.empty()) {
      AtomicFile file(overlay_path);
      file.write(format_png(overlay(image, found.detections)));
      file.commit();
    }
    if (common.json) {
      print_json(as_json(image, found, known, seconds.count()));
      return;
    }
    fmt::print(
        "{}: {}, noise variance {:.6g}, profile error {:.3g}, {} tiles, "
        "{:.2f} s\n{}{}{} sources{}\n{}",
        arguments.image, size_text(image), found.noise_variance, found.profile_error, found.tiles,
        seconds.count(), scatter(found), left_out(found), found.detections.size(),
        counted_from(arguments.options.origin), table(found.detections));
    if (!output.empty()) fmt::print("catalogue written to {}\n", output);
  }

  /// Of sources alone: a large image is in memory once then, and with fewer bytes.
  bool images_are_needed() const {
    const auto given = [](const std::string& path) { return !path.empty(); };
    return details || arguments.stack || given(background_map) || given(residual_map) ||
           given(rms_map);
  }
  bool image_is_needed() const { return images_are_needed() || !overlay_path.empty(); }

  /// The image, whose size alone stays behind.
  static Image taken(Image& image) {
    return {image.width, image.height, std::exchange(image.pixels, {}), {}, image.depth};
  }

  /// A catalogue of each image, and nothing else of it.
  void run_many() const {
    if (folder.empty()) {
      throw InputError("many images: say where their catalogues go by --output-folder FOLDER");
    }
    for (const std::string* path : {&output, &regions, &overlay_path, &reference, &background_map,
                                    &residual_map, &rms_map, &arguments.table}) {
      if (path->empty()) continue;
      throw InputError(fmt::format(
          "{} is of one image, and --output-folder is for many: give one of them", *path));
    }
    ManyImages many{.paths = more,
                    .folder = folder,
                    .suffix = suffix,
                    .details = details,
                    .zero_point = zero_point,
                    .json = common.json};
    many.paths.insert(many.paths.begin(), arguments.image);
    locate_many(arguments, many);
  }

  void write_maps(Image image, const LocateResult& found) const {
    if (!images_are_needed()) return;
    if (!rms_map.empty()) write_image(noise_map(image, arguments.options, found), rms_map);
    if (!residual_map.empty()) write_image(minus(image, cleaned(image, found)), residual_map);
    if (!background_map.empty()) {
      image.pixels = found.background.pixels;
      write_image(image, background_map);
    }
  }

  /// What is taken off places that count from 1.
  double shift() const { return static_cast<double>(1 - arguments.options.origin); }

  static std::string counted_from(Index origin) {
    return fmt::format("; pixels count from {}", origin);
  }

  static std::string scatter(const LocateResult& found) {
    const auto& widths = found.width_noise;
    if (widths.empty()) return "";
    return fmt::format(
        "noise on the scale of sources: {:.2f} (sigma {:.3g}) to {:.2f} (sigma {:.3g}) times that "
        "of independent pixels\n",
        widths.front().ratio, widths.front().sigma, widths.back().ratio, widths.back().sigma);
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

  /// The columns of a source, by name.
  std::vector<std::pair<const char*, double Source::*>> columns() const {
    if (!arguments.stack) {
      return {{"x", &Source::x}, {"y", &Source::y}, {"sigma", &Source::sigma}};
    }
    return {{"x", &Source::x},
            {"y", &Source::y},
            {"z", &Source::z},
            {"sigma_xy", &Source::sigma},
            {"sigma_z", &Source::sigma_z}};
  }

  /// The source with its place counted from the origin.
  Source counted(Source source) const {
    for (double* place : {&source.x, &source.y, &source.z}) *place -= shift();
    return source;
  }

  std::string table(const std::vector<Detection>& detections) const {
    constexpr std::size_t kShown = 20;
    if (detections.empty()) return "";
    std::vector<std::vector<std::string>> rows(1);
    for (const auto& [name, member] : columns()) rows[0].push_back(name);
    for (const char* name : {"flux", "sd", "snr", "probability"}) rows[0].push_back(name);
    for (std::size_t k = 0; k < std::min(kShown, detections.size()); ++k) {
      const Detection& found = detections[k];
      const Source source = counted(found.source);
      auto& row = rows.emplace_back();
      for (const auto& [name, member] : columns())
        row.push_back(fmt::format("{:.3f}", source.*member));
      row.push_back(fmt::format("{:.4g}", source.flux));
      row.push_back(fmt::format("{:.3g}", found.flux_sd));
      row.push_back(fmt::format("{:.1f}", found.snr));
      row.push_back(fmt::format("{:.3f}", found.probability));
    }
    std::string text = text_table(rows);
    if (detections.size() > kShown)
      text += fmt::format("  … and {} more\n", detections.size() - kShown);
    return text;
  }

  Json as_json(const Image& image, const LocateResult& found,
               const std::vector<SourceDetails>& known, double seconds) const {
    Json json{{"width", image.width},
              {"height", image.height},
              {"noise_variance", found.noise_variance},
              {"profile_error", found.profile_error},
              {"width_noise", Json::array()},
              {"tiles", found.tiles},
              {"masked_pixels", found.masked_pixels},
              {"bad_pixels", found.bad_pixels.size()},
              {"warnings", found.warnings},
              {"origin", arguments.options.origin},
              {"seconds", seconds},
              {"sources", Json::array()}};
    if (arguments.stack) {
      json["depth"] = image.depth;
      const auto& sky = found.background.pixels;
      const bool even = std::ranges::all_of(sky, [&](double one) { return one == sky.front(); });
      if (even) json["background"] = sky.front();
    }
    for (const WidthNoise& width : found.width_noise) {
      Json one{{"sigma", width.sigma}, {"ratio", width.ratio}};
      if (arguments.stack) one["sigma_z"] = width.sigma_z;
      json["width_noise"].push_back(std::move(one));
    }
    for (std::size_t k = 0; k < found.detections.size(); ++k) {
      const Detection& detection = found.detections[k];
      const Source source = counted(detection.source);
      Json one;
      for (const auto& [name, member] : columns()) one[name] = source.*member;
      one["flux"] = source.flux;
      one["flux_sd"] = detection.flux_sd;
      one["snr"] = detection.snr;
      one["probability"] = detection.probability;
      if (!known.empty()) one.update(details_json(known[k]));
      json["sources"].push_back(std::move(one));
    }
    return json;
  }

  Json details_json(const SourceDetails& known) const {
    Json json{{"x_sd", known.x_sd},
              {"y_sd", known.y_sd},
              {"sigma_sd", known.sigma_sd},
              {"cov_xy", known.cov_xy},
              {"cov_x_flux", known.cov_x_flux},
              {"cov_y_flux", known.cov_y_flux},
              {"sky", known.sky},
              {"chi2", known.chi_square},
              {"pixels", known.pixels},
              {"flags", known.flags}};
    if (arguments.stack) json["z_sd"] = known.z_sd;
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
      "Catalogue x,y,sigma,flux,flux_sd,probability,snr: .csv, .ecsv, .fits, .vot (VOTable) or "
      ".reg, as its name says; pixels count from 1 as in FITS, or from --origin");
  Schema& schema = command->arguments.schema;
  const Condition one_image = where("stack", {"off"});
  schema.add_text("regions", command->regions, "region file for DS9", std::string(kWritten))
      .needing(one_image);
  schema
      .add_text("overlay", command->overlay_path, "PNG picture with a circle around each source",
                std::string(kWritten))
      .needing(one_image);
  schema.add("details", command->details,
             "further columns: errors and covariances of places, sky, chi square, flags");
  schema.add("zero-point", command->zero_point, "magnitude of a flux of 1: columns mag and mag_sd",
             any_number(), "none", INFINITY);
  for (const auto& [name, path, help] :
       {std::tuple{"background-map", &command->background_map, "image of the background"},
        std::tuple{"residual-map", &command->residual_map,
                   "image of what background and sources leave"},
        std::tuple{"rms-map", &command->rms_map, "image of every pixel's standard deviation"}}) {
    schema.add_text(name, *path, help, std::string(kWritten));
  }
  schema.add_text("reference", command->reference,
                  "image without noise, for the PSNR of a sweep's table", std::string(kRead));
  command->arguments.add_to(*sub);
  sub->add_option("MORE", command->more, "Further images, each with a catalogue in --output-folder")
      ->type_name(std::string(kRead));
  sub->add_option("--output-folder", command->folder,
                  "Many images: a catalogue of each in this folder, under its name")
      ->type_name("FOLDER");
  sub->add_option("--catalogue", command->suffix, "Kind of those catalogues")
      ->check(CLI::IsMember({".csv", ".ecsv", ".fits", ".vot", ".reg"}))
      ->capture_default_str();
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
