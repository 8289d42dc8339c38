// Point sources in images.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "ardent/imaging/locate.h"
#include "ardent/imaging/psf_image.h"
#include "ardent/imaging/source_metrics.h"
#include "arrays.h"
#include "bind.h"
#include "calling.h"

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

nb::dict described(LocateResult found) {
  Matrix table(7, static_cast<Index>(found.detections.size()));
  for (Index k = 0; k < table.cols(); ++k) {
    const Detection& one = found.detections[static_cast<std::size_t>(k)];
    table.col(k) << one.source.x, one.source.y, one.source.sigma, one.source.flux, one.flux_sd,
        one.probability, one.snr;
  }
  nb::dict result;
  result["sources"] = numpy_of(Matrix(table.transpose()));
  result["model"] = numpy_of(std::move(found.model.pixels));
  result["background"] = numpy_of(std::move(found.background.pixels));
  result["noise_variance"] = found.noise_variance;
  result["profile_error"] = found.profile_error;
  result["tiles"] = found.tiles;
  return result;
}

nb::dict located(const Array2<double>& pixels, const LocateOptions& options, int threads,
                 const nb::object& progress) {
  const Image image = image_of(pixels);
  validate(options);
  return described(without_gil(threads, progress, [&](const ProgressCallback& callback) {
    return locate(image, options, callback);
  }));
}

/// A dict a value of lambda, from the largest down; "chosen" in the one that locate would keep.
nb::list swept(const Array2<double>& pixels, const LocateOptions& options,
               const std::vector<double>& lambdas, Index count, int threads,
               const nb::object& progress) {
  const Image image = image_of(pixels);
  validate(options);
  Sweep sweep = without_gil(threads, progress, [&](const ProgressCallback& callback) {
    return locate_sweep(image, options, lambdas, count, callback);
  });
  nb::list steps;
  for (std::size_t k = 0; k < sweep.steps.size(); ++k) {
    nb::dict step = described(std::move(sweep.steps[k].found));
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
  nb::class_<LocateOptions>(module, "LocateOptions", "What you ask of locate.")
      .def(nb::init<>())
      .def_rw("sigma_low", &LocateOptions::sigma_low)
      .def_rw("sigma_high", &LocateOptions::sigma_high)
      .def_prop_rw(
          "background",
          [](const LocateOptions& options) {
            constexpr const char* kNames[] = {"none", "constant", "map"};
            return std::string(kNames[static_cast<int>(options.background)]);
          },
          [](LocateOptions& options, const std::string& name) {
            options.background = parse_background(name);
          })
      .def(
          "set_psf",
          [](LocateOptions& options, const Array2<double>& pixels) {
            options.psf = std::make_shared<const PsfImage>(image_of(pixels));
          },
          nb::arg("image"))
      .def_prop_rw(
          "dictionary",
          [](const LocateOptions& options) {
            constexpr const char* kNames[] = {"grid", "uniform", "normal"};
            return std::string(kNames[static_cast<int>(options.dictionary)]);
          },
          [](LocateOptions& options, const std::string& name) {
            options.dictionary = parse_dictionary(name);
          })
      .def_rw("atoms", &LocateOptions::atoms)
      .def_rw("seed", &LocateOptions::seed)
      .def_rw("saturation", &LocateOptions::saturation)
      .def_rw("profile_error", &LocateOptions::profile_error)
      .def_rw("background_cell", &LocateOptions::background_cell)
      .def_rw("noise", &LocateOptions::noise)
      .def_rw("core", &LocateOptions::core)
      .def_prop_rw(
          "lam", [](const LocateOptions& o) { return o.tile.lambda; },
          [](LocateOptions& o, double value) { o.tile.lambda = value; })
      .def_prop_rw(
          "lambda_factor", [](const LocateOptions& o) { return o.tile.lambda_factor; },
          [](LocateOptions& o, double value) { o.tile.lambda_factor = value; })
      .def_prop_rw(
          "nonnegative", [](const LocateOptions& o) { return o.tile.nonnegative; },
          [](LocateOptions& o, bool value) { o.tile.nonnegative = value; })
      .def_prop_rw(
          "refine", [](const LocateOptions& o) { return o.tile.refine; },
          [](LocateOptions& o, bool value) { o.tile.refine = value; })
      .def_prop_rw(
          "merge", [](const LocateOptions& o) { return o.tile.merge; },
          [](LocateOptions& o, double value) { o.tile.merge = value; })
      .def_prop_rw(
          "probability", [](const LocateOptions& o) { return o.tile.least_probability; },
          [](LocateOptions& o, double value) { o.tile.least_probability = value; });
  module.def("locate", &located, nb::arg("image"), nb::arg("options"), nb::arg("threads"),
             nb::arg("progress").none());
  module.def("locate_sweep", &swept, nb::arg("image"), nb::arg("options"), nb::arg("lambdas"),
             nb::arg("count"), nb::arg("threads"), nb::arg("progress").none());
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
