// PNG images in memory, by libpng.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ardent/imaging/image.h"

namespace ardent {

bool is_png(std::string_view contents);
/// As read_image (image_file.h); `name` is for messages.
Image parse_png(std::string_view contents, const std::string& name);

/// A picture to look at: rows from the top, three bytes per pixel.
struct Picture {
  Index width = 0;
  Index height = 0;
  std::vector<std::uint8_t> rgb;
};
std::string format_png(const Picture& picture);

/// Greys between the image's quantiles, y upwards, each pixel `zoom` pixels wide; missing: black.
Picture picture_of(const Image& image, Index zoom = 1, double low = 0.005, double high = 0.995);

}  // namespace ardent
