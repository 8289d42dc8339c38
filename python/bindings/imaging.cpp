// Point sources in images.
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "ardent/imaging/image_file.h"
#include "ardent/imaging/locate.h"
#include "ardent/imaging/psf_image.h"
#include "ardent/imaging/source_details.h"
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
  Matrix widths(3, static_cast<Index>(found.width_noise.size()));
  for (Index k = 0; k < widths.cols(); ++k) {
    const WidthNoise& one = found.width_noise[static_cast<std::size_t>(k)];
    widths.col(k) << one.sigma, one.sigma_z, one.ratio;
  }
  result["width_noise"] = numpy_of(Matrix(widths.transpose()));
  result["tiles"] = found.tiles;
  result["masked_pixels"] = found.masked_pixels;
  result["bad_pixels"] =
      numpy_of(std::vector<std::int64_t>(found.bad_pixels.begin(), found.bad_pixels.end()));
  result["warnings"] = found.warnings;
  return result;
}

/// Rows of what is known beyond the flux, in the order of _DETAILS (_imaging.py).
NumPy2<double> details_of(const Image& image, const LocateOptions& options,
                          const LocateResult& found) {
  const std::vector<SourceDetails> all = source_details(image, options, found);
  Matrix table(10, std::ssize(all));
  for (Index k = 0; k < table.cols(); ++k) {
    const SourceDetails& one = all[static_cast<std::size_t>(k)];
    table.col(k) << one.x_sd, one.y_sd, one.sigma_sd, one.cov_xy, one.cov_x_flux, one.cov_y_flux,
        one.sky, one.chi_square, static_cast<double>(one.pixels), static_cast<double>(one.flags);
  }
  return numpy_of(Matrix(table.transpose()));
}

/// All that is known of what was found, with maps.
nb::dict described_whole(const Image& image, const LocateOptions& options, LocateResult found) {
  const NumPy2<double> details = details_of(image, options, found);
  Image rms = noise_map(image, options, found);
  nb::dict result = described(std::move(found), options.origin);
  result["details"] = details;
  result["rms"] = numpy_of(std::move(rms.pixels));
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
    if (name == "weight-map") {
      options.weight_map = std::make_shared<const ErrorsOfWeights>(image_of(pixels));
    }
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
  return described_whole(image, options, std::move(found));
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
    LocateResult& found = sweep.steps[k].found;
    nb::dict step = k == sweep.chosen ? described_whole(image, options, std::move(found))
                                      : described(std::move(found), options.origin);
    step["lam"] = sweep.steps[k].lambda;
    step["ratio"] = sweep.steps[k].lambda / sweep.largest_lambda;
    step["bic"] = sweep.steps[k].bic;
    step["chosen"] = k == sweep.chosen;
    steps.append(step);
  }
  return steps;
}

nb::dict image_file(const std::string& text) {
  Image image = read_image_part(text);
  nb::dict about;
  about["shape"] = nb::make_tuple(image.height, image.width);
  about["pixels"] = numpy_of(std::move(image.pixels));
  about["header"] = image.header;
  return about;
}

}  // namespace

void bind_imaging(nb::module_& module) {
  module.def("locate", &located, nb::arg("image"), nb::arg("options"), nb::arg("images"),
             nb::arg("threads"), nb::arg("progress").none());
  module.def("locate_sweep", &swept, nb::arg("image"), nb::arg("options"), nb::arg("images"),
             nb::arg("threads"), nb::arg("progress").none());
  module.def("read_image", &image_file, nb::arg("path"), "FITS, PNG or NPY; FILE or FILE[part].");
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
