// What include/ardent/imaging.h declares.
#include "ardent/base/error.h"
#include "ardent/base/given_options.h"
#include "ardent/imaging.h"
#include "ardent/imaging/image_file.h"
#include "ardent/imaging/locate.h"
#include "ardent/imaging/psf_image.h"
#include "ardent/imaging/scene.h"
#include "ardent/imaging/source_metrics.h"

namespace ardent {
namespace {

std::shared_ptr<const Image> shared(const std::optional<Image>& image) {
  return image ? std::make_shared<const Image>(*image) : nullptr;
}

std::optional<std::string> range_text(const std::optional<v0::imaging::Range>& range) {
  if (!range) return {};
  return fmt::format("{}:{}", range->low, range->high);
}

LocateOptions internal_options(const v0::imaging::LocateOptions& given, const Image& image) {
  if (given.sigma_z && !image.is_stack()) {
    throw InputError("sigma_z belongs to a stack of planes, and the image is none");
  }
  LocateOptions options;
  if (given.psf) options.psf = std::make_shared<const PsfImage>(*given.psf);
  options.error_map = shared(given.error_map);
  options.mask = shared(given.mask);
  Schema fields = schema(options);
  fields.add_range("sigma-z", options.sigma_z_low, options.sigma_z_high, "", above(0))
      .needing(where("psf", {"none"}));
  GivenOptions(fields)
      .set("sigma", range_text(given.sigma))
      .set("sigma-z", range_text(given.sigma_z))
      .set("background", given.background)
      .set("noise", given.noise)
      .set("gain", given.gain)
      .set("saturation", given.saturation)
      .set("probability", given.probability)
      .finish(given.more);
  return options;
}

}  // namespace

namespace v0::imaging {

LocateResult locate(const Image& image, const LocateOptions& options,
                    const ProgressCallback& progress) {
  return ardent::locate(image, internal_options(options, image), progress);
}

Image denoise(const Image& image, const LocateOptions& options, const ProgressCallback& progress) {
  const LocateResult found = locate(image, options, progress);
  return cleaned(image, found);
}

Image blank_image(Index width, Index height, Index depth) {
  return ardent::blank_image(width, height, depth);
}

void add_source(const Source& source, Image& image) {
  ardent::add_source(source, image);
}

Scene simulate(const SceneOptions& options) {
  ardent::SceneOptions scene;
  scene.width = options.width;
  scene.height = options.height;
  scene.depth = options.depth;
  Schema fields = schema(scene);
  GivenOptions(fields)
      .set("sources", options.sources)
      .set("sigma", range_text(options.sigma))
      .set("snr", options.snr)
      .set("seed", options.seed)
      .finish(options.more);
  ardent::Scene made = make_scene(scene);
  return {std::move(made.image), std::move(made.clean), std::move(made.truth), made.noise_variance};
}

Image read_image(const std::string& path) {
  return ardent::read_image(path, -1, Dimensions::either);
}

void write_image(const Image& image, const std::string& path) {
  ardent::write_image(image, path);
}

Matches match(std::span<const Source> found, std::span<const Source> truth, double radius) {
  const ardent::Matches matches = match_sources(found, truth, radius);
  return {matches.pairs, matches.recall, matches.precision, matches.f1, matches.distance};
}

}  // namespace v0::imaging
}  // namespace ardent
