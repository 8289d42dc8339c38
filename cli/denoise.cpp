#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "ardent/imaging/image_file.h"
#include "ardent/imaging/source_metrics.h"
#include "describe.h"
#include "locate_options.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

struct DenoiseCommand {
  Common common;
  LocateArguments arguments;
  std::string output, residual, reference;

  void run() const {
    const ThreadScope threads(common.threads);
    arguments.check();
    const Image image = arguments.read(arguments.image, arguments.extension);
    const LocateResult found = [&] {
      ProgressBar bar(common.verbose, ProgressBar::TimeLeft::shown);
      return arguments.search(image, reference, true, bar.callback());
    }();
    warn(found.warnings);
    const Image clean = cleaned(image, found);
    const Image left = minus(image, clean);
    write_image(clean, output);
    if (!residual.empty()) write_image(left, residual);
    Json json{{"sources", found.detections.size()},   {"noise_variance", found.noise_variance},
              {"masked_pixels", found.masked_pixels}, {"bad_pixels", found.bad_pixels.size()},
              {"warnings", found.warnings},           {"image", output}};
    std::string text = fmt::format("{} sources, noise variance {:.6g}; written to {}\n",
                                   found.detections.size(), found.noise_variance, output);
    if (!found.bad_pixels.empty()) {
      text += fmt::format("{} bad pixels rejected\n", found.bad_pixels.size());
    }
    if (!reference.empty()) {
      const Image truth = arguments.read(reference);
      const double before = psnr(truth, image), after = psnr(truth, clean);
      json["psnr"] = after;
      json["psnr_noisy"] = before;
      text += fmt::format("PSNR {:.2f} dB, of the noisy image {:.2f} dB\n", after, before);
    }
    if (common.json) {
      print_json(json);
    } else {
      fmt::print("{}", text);
    }
  }
};

}  // namespace

void add_denoise(CLI::App& app) {
  auto command = std::make_shared<DenoiseCommand>();
  CLI::App* sub = app.add_subcommand(
      "denoise", "Clean an image of point sources: the model of its sources on its background");
  command->arguments.schema.fix("origin", "1");  // there is no catalogue
  command->arguments.add_to(*sub);
  add_output(*sub, "-o,--output", command->output, "Cleaned image: .fits, .npy or .png")
      ->required();
  add_output(*sub, "--residual", command->residual, "Image of what was taken off");
  add_input(*sub, "--reference", command->reference,
            "Image without noise: reports PSNR = 20 log10(largest pixel of it/root mean square "
            "error)");
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
