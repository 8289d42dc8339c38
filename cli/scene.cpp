#include "ardent/imaging/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "ardent/base/error.h"
#include "ardent/imaging/catalogue.h"
#include "ardent/imaging/image_file.h"
#include "ardent/imaging/stack_scene.h"
#include "command.h"
#include "describe.h"

namespace ardent::cli {
namespace {

struct SceneCommand {
  Common common;
  SceneOptions options;
  StackSceneOptions stack;
  Schema table = schema(options);
  std::string output, truth, clean;
  std::string size = "28x28";
  Index depth = 0;  // 0: an image, no stack

  void run() {
    read_size();
    if (depth > 0) {
      run_stack();
      return;
    }
    if (table.given().contains("sigma-z")) {
      throw InputError("--sigma-z belongs to stacks: give --size a depth, as in 28x28x12");
    }
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

  void run_stack() const {
    const StackSceneOptions all{.beads = options.sources,
                                .width = options.width,
                                .height = options.height,
                                .depth = depth,
                                .sigma_low = options.sigma_low,
                                .sigma_high = options.sigma_high,
                                .sigma_z_low = stack.sigma_z_low,
                                .sigma_z_high = stack.sigma_z_high,
                                .snr = options.snr,
                                .noise = options.noise,
                                .background = options.background,
                                .margin = options.margin,
                                .seed = options.seed};
    const StackScene scene = make_stack_scene(all);
    write_stack(scene.stack, output);
    if (!clean.empty()) write_stack(scene.clean, clean);
    if (!truth.empty()) write_catalogue(scene.truth, truth);
    if (common.json) {
      print_json({{"width", all.width},
                  {"height", all.height},
                  {"depth", all.depth},
                  {"sources", scene.truth.size()},
                  {"noise_variance", scene.noise_variance},
                  {"image", output}});
      return;
    }
    fmt::print("{} sources in {} × {} × {} voxels, noise variance {:.6g}, written to {}\n",
               scene.truth.size(), all.width, all.height, all.depth, scene.noise_variance, output);
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
    depth = sides[2];
    if (depth < 1) throw InputError("--size: a stack needs planes, not " + ardent::in_quotes(size));
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
  command->table.add_range("sigma-z", command->stack.sigma_z_low, command->stack.sigma_z_high,
                           "of a stack: standard deviation along z in planes, or its range",
                           above(0));
  add_options(*sub, command->table, "Sources");
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
