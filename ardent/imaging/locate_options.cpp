#include "ardent/imaging/locate_options.h"

#include <fmt/format.h>

#include <charconv>

#include "ardent/imaging/image_file.h"

namespace ardent {

Option psf_option(LocateOptions& options) {
  auto get = [&options] { return std::string(options.psf ? "given" : "none"); };
  auto set = [&options](std::string_view text) {
    if (text == "none") {
      options.psf = nullptr;
    } else if (text != "given") {  // what is given already stays
      options.psf = std::make_shared<const PsfImage>(read_image(std::string(text)));
    }
    return text != "given" || options.psf;
  };
  return {"psf",
          OptionKind::text,
          "none or an image file",
          "image of a point source (sky taken off) instead of Gaussians; scaled to the sum 1, its "
          "centroid is the source's place",
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

}  // namespace ardent
