#include "ardent/imaging/scene.h"

#include <fmt/format.h>

#include <memory>

#include "ardent/base/error.h"
#include "ardent/imaging/catalogue.h"
#include "ardent/imaging/image_file.h"
#include "describe.h"
#include "locate_options.h"

namespace ardent::cli {
namespace {

struct SceneCommand {
  Common common;
  SceneOptions options;
  std::string output, truth, clean;
  std::string size = "28x28", sigma = "1:3";

  void run() {
    read_size();
    std::tie(options.sigma_low, options.sigma_high) = number_range("--sigma", sigma);
    const Scene scene = make_scene(options);
    write_image(scene.image, output);
    if (!clean.empty()) write_image(scene.clean, clean);
    if (!truth.empty()) write_catalogue(scene.truth, truth);
    if (common.json) {
      print_json({{"width", scene.image.width},
                  {"height", scene.image.height},
                  {"sources", scene.truth.size()},
                  {"noise_variance", scene.noise_variance},
                  {"image", output}});
      return;
    }
    fmt::print("{} sources on {} × {} pixels, noise variance {:.6g}, written to {}\n",
               scene.truth.size(), scene.image.width, scene.image.height, scene.noise_variance,
               output);
  }

  void read_size() {
    const std::size_t middle = size.find('x');
    const bool fits = middle != std::string::npos &&
                      CLI::detail::lexical_cast(size.substr(0, middle), options.width) &&
                      CLI::detail::lexical_cast(size.substr(middle + 1), options.height);
    if (fits) return;
    throw InputError("--size takes width x height, as in 28x28, not " + ardent::quoted(size));
  }
};

}  // namespace

void add_scene(CLI::App& app) {
  auto command = std::make_shared<SceneCommand>();
  SceneOptions& options = command->options;
  CLI::App* sub = app.add_subcommand(
      "scene",
      "Simulate an image of point sources with a known truth (erf-integrated Gaussians, "
      "positions uniform, amplitudes 0.5 to 1.5 on PSFs of unit length, white noise)");
  sub->add_option("-o,--output", command->output, "Image: .fits, .npy or .png")->required();
  sub->add_option("--truth", command->truth, "CSV file for the sources: x,y,sigma,flux");
  sub->add_option("--clean", command->clean, "Image without noise and background");
  sub->add_option("--sources", options.sources, "Sources")->capture_default_str();
  sub->add_option("--size", command->size, "Width x height in pixels")->capture_default_str();
  sub->add_option("--sigma", command->sigma,
                  "Standard deviation of the PSF in pixels: one number, or low:high to draw from")
      ->capture_default_str();
  sub->add_option("--snr", options.snr,
                  "Signal-to-noise ratio in decibels, 10 log10(sum signal^2/(pixels * noise "
                  "variance)) over the whole image")
      ->capture_default_str();
  sub->add_option("--noise", options.noise, "Noise variance, instead of --snr; below 0: by the SNR")
      ->capture_default_str();
  sub->add_option("--background", options.background, "Added to every pixel")
      ->capture_default_str();
  sub->add_option("--margin", options.margin, "Pixels between sources and the border")
      ->capture_default_str();
  sub->add_option("--seed", options.seed, "Seed of sources and noise")->capture_default_str();
  command->common.add_to(*sub);
  sub->callback([command] { command->run(); });
}

}  // namespace ardent::cli
