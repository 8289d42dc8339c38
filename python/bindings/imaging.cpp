// Point sources in images.
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "ardent/imaging/locate.h"
#include "ardent/imaging/psf_image.h"
#include "ardent/imaging/source_metrics.h"
#include "arrays.h"
#include "bind.h"
#include "calling.h"
#include "tables.h"

namespace ardent::python {
namespace {

/// NumPy's image[y - 1, x - 1] is our pixel (x, y).
Image image_of(const Array2<double>& pixels) {
  return {static_cast<Index>(pixels.shape(1)), static_cast<Index>(pixels.shape(0)),
          std::vector<double>(pixels.data(), pixels.data() + pixels.size())};
}

/// Places in columns x and y; widths and fluxes do not matter to the metrics.
std::vector<Source> sources_of(const Array2<double>& places) {
  std::vector<Source> sources;
  for (std::size_t i = 0; i < places.shape(0); ++i) {
    sources.push_back({.x = places(i, 0), .y = places(i, 1)});
  }
  return sources;
}

nb::dict described(LocateResult found, Index origin) {
  const auto shift = static_cast<double>(1 - origin);
  Matrix table(7, static_cast<Index>(found.detections.size()));
  for (Index k = 0; k < table.cols(); ++k) {
    const Detection& one = found.detections[static_cast<std::size_t>(k)];
    table.col(k) << one.source.x - shift, one.source.y - shift, one.source.sigma, one.source.flux,
        one.flux_sd, one.probability, one.snr;
  }
  nb::dict result;
  result["sources"] = numpy_of(Matrix(table.transpose()));
  result["model"] = numpy_of(std::move(found.model.pixels));
  result["background"] = numpy_of(std::move(found.background.pixels));
  result["noise_variance"] = found.noise_variance;
  result["profile_error"] = found.profile_error;
  result["tiles"] = found.tiles;
  result["masked_pixels"] = found.masked_pixels;
  result["bad_pixels"] =
      numpy_of(std::vector<std::int64_t>(found.bad_pixels.begin(), found.bad_pixels.end()));
  result["warnings"] = found.warnings;
  return result;
}

/// Options that are images, by name.
using OptionImages = std::map<std::string, Array2<double>>;

LocateOptions locate_options(const OptionTexts& texts, const OptionImages& images) {
  LocateOptions options;
  for (const auto& [name, pixels] : images) {
    if (name == "psf") options.psf = std::make_shared<const PsfImage>(image_of(pixels));
    if (name == "mask") options.mask = std::make_shared<const Image>(image_of(pixels));
    if (name == "error-map") options.error_map = std::make_shared<const Image>(image_of(pixels));
  }
  return with_options(options, texts);
}

nb::dict located(const Array2<double>& pixels, const OptionTexts& texts, const OptionImages& images,
                 int threads, const nb::object& progress) {
  const Image image = image_of(pixels);
  const LocateOptions options = locate_options(texts, images);
  LocateResult found = without_gil(threads, progress, [&](const ProgressCallback& callback) {
    return locate(image, options, callback);
  });
  return described(std::move(found), options.origin);
}

/// One dict per value of lambda, from the largest down; "chosen" in the one that locate would keep.
nb::list swept(const Array2<double>& pixels, const OptionTexts& texts, const OptionImages& images,
               int threads, const nb::object& progress) {
  const Image image = image_of(pixels);
  const LocateOptions options = locate_options(texts, images);
  Sweep sweep = without_gil(threads, progress, [&](const ProgressCallback& callback) {
    return locate_sweep(image, options, callback);
  });
  nb::list steps;
  for (std::size_t k = 0; k < sweep.steps.size(); ++k) {
    nb::dict step = described(std::move(sweep.steps[k].found), options.origin);
    step["lam"] = sweep.steps[k].lambda;
    step["ratio"] = sweep.steps[k].lambda / sweep.largest_lambda;
    step["bic"] = sweep.steps[k].bic;
    step["chosen"] = k == sweep.chosen;
    steps.append(step);
  }
  return steps;
}

}  // namespace

void bind_imaging(nb::module_& module) {
  module.def("locate", &located, nb::arg("image"), nb::arg("options"), nb::arg("images"),
             nb::arg("threads"), nb::arg("progress").none());
  module.def("locate_sweep", &swept, nb::arg("image"), nb::arg("options"), nb::arg("images"),
             nb::arg("threads"), nb::arg("progress").none());
  module.def(
      "group_iou",
      [](const Array2<double>& found, const Array2<double>& truth, double box) {
        return group_iou(sources_of(found), sources_of(truth), box);
      },
      nb::arg("found"), nb::arg("truth"), nb::arg("box"));
  module.def(
      "psnr",
      [](const Array2<double>& reference, const Array2<double>& image) {
        return psnr(image_of(reference), image_of(image));
      },
      nb::arg("reference"), nb::arg("image"));
}

}  // namespace ardent::python
