#include "ardent/imaging/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "ardent/base/error.h"
#include "ardent/imaging/catalogue.h"
#include "ardent/imaging/image_file.h"
#include "command.h"
#include "describe.h"

namespace ardent::cli {
namespace {

struct SceneCommand {
  Common common;
  SceneOptions options;
  Schema table = schema(options);
  std::string output, truth, clean;
  std::string size = "28x28";

  void run() {
    read_size();
    const bool stack = options.depth != 1;
    if (!stack && table.given().contains("sigma-z")) {
      throw InputError("--sigma-z belongs to stacks: give --size a depth, as in 28x28x12");
    }
    const Scene scene = make_scene(options);
    write_image(scene.image, output);
    if (!clean.empty()) write_image(scene.clean, clean);
    if (!truth.empty()) write_catalogue(scene.truth, truth, {.stack = stack});
    if (common.json) {
      Json json{{"width", scene.image.width},
                {"height", scene.image.height},
                {"sources", scene.truth.size()},
                {"noise_variance", scene.noise_variance},
                {"image", output}};
      if (stack) json["depth"] = scene.image.depth;
      print_json(json);
      return;
    }
    fmt::print("{} sources {} {}, noise variance {:.6g}, written to {}\n", scene.truth.size(),
               stack ? "in" : "on", size_text(scene.image), scene.noise_variance, output);
  }

  void read_size() {
    std::vector<Index> sides;
    for (std::size_t begin = 0; begin <= size.size();) {
      const std::size_t end = std::min(size.find('x', begin), size.size());
      Index side = 0;
      if (!CLI::detail::lexical_cast(size.substr(begin, end - begin), side)) break;
      sides.push_back(side);
      begin = end + 1;
    }
    const auto count = std::count(size.begin(), size.end(), 'x') + 1;
    if (count != static_cast<std::ptrdiff_t>(sides.size()) || count < 2 || count > 3) {
      throw InputError(
          "--size takes width x height, as in 28x28, or width x height x depth for a stack, not " +
          ardent::in_quotes(size));
    }
    options.width = sides[0];
    options.height = sides[1];
    if (count < 3) return;
    options.depth = sides[2];
    if (options.depth < 3)
      throw InputError("--size: a stack has three planes or more, not " + ardent::in_quotes(size));
  }
};

}  // namespace

void add_scene(CLI::App& app) {
  auto command = std::make_shared<SceneCommand>();
  CLI::App* sub = app.add_subcommand(
      "scene",
      "Simulate an image of point sources with a known truth (erf-integrated Gaussians, "
      "positions uniform, amplitudes 0.5 to 1.5 on PSFs of unit length, white noise)");
  add_output(*sub, "-o,--output", command->output, "Image: .fits, .npy or .png")->required();
  add_output(*sub, "--truth", command->truth,
             "CSV file for the sources: x,y,sigma,flux (a stack: x,y,z,sigma_xy,sigma_z,flux)");
  add_output(*sub, "--clean", command->clean, "Image without noise and background");
  sub->add_option("--size", command->size,
                  "Width x height in pixels, or width x height x depth: a stack of planes")
      ->capture_default_str();
  command->table.add_range("sigma-z", command->options.sigma_z_low, command->options.sigma_z_high,
                           "of a stack: standard deviation along z in planes, or its range",
                           above(0));
  add_options(*sub, command->table, "Sources");
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
