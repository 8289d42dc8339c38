#include "ardent/imaging/pixel_mask.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/error.h"

namespace ardent {
namespace {

void check_size(const Image& image, const Image& other, std::string_view name) {
  if (have_same_size(image, other)) return;
  throw InputError(
      fmt::format("the {} has {}, and the image {}", name, size_text(other), size_text(image)));
}

bool is_masked(double flags, Index bits) {
  if (!std::isfinite(flags)) return true;
  if (bits == 0) return flags != 0;
  return (static_cast<Index>(flags) & bits) != 0;
}

}  // namespace

Index leave_out_masked(Image& image, const LocateOptions& options) {
  const Image *mask = options.mask.get(), *errors = options.errors();
  if (mask) check_size(image, *mask, "mask");
  if (errors) check_size(image, *errors, options.error_map ? "error map" : "weight map");
  Index count = 0;
  for (std::size_t p = 0; p < image.pixels.size(); ++p) {
    const bool masked = mask && is_masked(mask->pixels[p], options.mask_bits);
    const bool no_error = errors && !(errors->pixels[p] > 0 && std::isfinite(errors->pixels[p]));
    if (std::isnan(image.pixels[p]) || !(masked || no_error)) continue;
    image.pixels[p] = std::nan("");
    ++count;
  }
  return count;
}

}  // namespace ardent
