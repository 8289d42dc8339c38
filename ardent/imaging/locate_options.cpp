#include "ardent/imaging/locate_options.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/imaging/image_file.h"

namespace ardent {

namespace {

/// None, an image file, or what the caller has put there.
template <class Held>
Option image_option(std::string name, std::shared_ptr<const Held>& field, std::string help) {
  auto get = [&field] { return std::string(field ? "given" : "none"); };
  auto set = [&field](std::string_view text) {
    if (text == "none") {
      field = nullptr;
    } else if (text != "given") {  // what is given already stays
      field = std::make_shared<const Held>(read_image_part(std::string(text)));
    }
    return text != "given" || field;
  };
  return {std::move(name), OptionKind::text, "none or an image file", std::move(help), get, set};
}

}  // namespace

ErrorsOfWeights::ErrorsOfWeights(Image weights) : Image(std::move(weights)) {
  for (auto& value : pixels) value = value > 0 ? 1 / std::sqrt(value) : 0;
}

Option psf_option(LocateOptions& options) {
  return image_option("psf", options.psf,
                      "image of a point source instead of Gaussians; a sky at its rim is taken "
                      "off, it is scaled to the sum 1, and its centroid is the source's place");
}

Option error_map_option(LocateOptions& options) {
  return image_option("error-map", options.error_map,
                      "standard deviation of every pixel; with a gain: without the photons of the "
                      "sources, which are added. A pixel where it is not above 0 is missing. "
                      "FILE[n]: part n of a FITS file");
}

Option weight_map_option(LocateOptions& options) {
  return image_option("weight-map", options.weight_map,
                      "one over the variance of every pixel, instead of error-map; where it is not "
                      "above 0 a pixel is missing. FILE[n]: part n of a FITS file");
}

Option mask_option(LocateOptions& options) {
  return image_option("mask", options.mask,
                      "where it is not 0 (or has one of the mask bits), a pixel is missing. "
                      "FILE[n]: part n of a FITS file");
}

Option origin_option(LocateOptions& options) {
  auto get = [&options] { return fmt::format("{}", options.origin); };
  auto set = [&options](std::string_view text) {
    if (text != "0" && text != "1") return false;
    options.origin = text == "0" ? 0 : 1;
    return true;
  };
  return {"origin",
          OptionKind::whole,
          "0 or 1",
          "number of the first pixel in the catalogue: 1 as FITS and DS9 count, 0 as Python's "
          "arrays do. Region files count from 1 always",
          get,
          set};
}

Option lambda_option(LocateOptions& options) {
  auto get = [&options] {
    if (options.sweep) return std::string("sweep");
    if (!options.lambdas.empty()) return fmt::format("{}", fmt::join(options.lambdas, ","));
    return options.tile.lambda == 0 ? "auto" : fmt::format("{}", options.tile.lambda);
  };
  auto set = [&options](std::string_view text) {
    std::vector<double> numbers;
    const bool word = text == "auto" || text == "sweep";
    for (std::size_t begin = 0; !word && begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      double number = 0;
      const auto parsed = std::from_chars(text.data() + begin, text.data() + end, number);
      if (parsed.ec != std::errc() || parsed.ptr != text.data() + end || !above(0).holds(number)) {
        return false;
      }
      numbers.push_back(number);
      begin = end + 1;
    }
    const bool one = numbers.size() == 1;
    options.sweep = text == "sweep";
    options.tile.lambda = one ? numbers[0] : 0;
    options.lambdas = one ? std::vector<double>{} : numbers;
    return true;
  };
  Option option{"lambda",
                OptionKind::number,
                "auto, sweep, or numbers > 0 with commas",
                "lambda of the sparse code. auto: lambda-factor times the noise variance; sweep: "
                "from the largest down to twice the noise variance; or a list. Of several the one "
                "of least BIC = chi^2 + parameters*ln(pixels) is reported",
                get,
                set};
  option.separator = ",";
  return option;
}

void validate(const LocateOptions& options) {
  validate_fields(options);
  require(options.sigma_z_low > 0 && options.sigma_z_high >= options.sigma_z_low &&
              options.sigma_z_high <= 50,
          "sigma-z", "0 < low <= high <= 50", options.sigma_z_high);
  require(options.gain == 0 || (options.gain >= 1e-30 && options.gain <= 1e30), "gain",
          "from 1e-30 to 1e30", options.gain);
}

}  // namespace ardent
