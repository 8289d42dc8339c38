// Images as astronomers and microscopists count them: pixel (x, y) has its centre at whole numbers,
// x from 1 to width, y from 1 to height, as in FITS. A missing pixel is NaN.
#pragma once

#include <string>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

struct Image {
  Index width = 0;
  Index height = 0;
  std::vector<double> pixels;            // rows of increasing y, x fastest: width·height of them
  std::vector<std::string> header = {};  // FITS cards that are not about the layout, as they came

  Index size() const { return width * height; }
  double at(Index x, Index y) const { return pixels[place(x, y)]; }
  double& at(Index x, Index y) { return pixels[place(x, y)]; }
  /// Position of pixel (x, y), counted from 1, in `pixels`.
  std::size_t place(Index x, Index y) const {
    return static_cast<std::size_t>((y - 1) * width + x - 1);
  }
};

/// An image of zeros.
Image blank_image(Index width, Index height);
/// Pixels that are not missing.
Index known_pixels(const Image& image);

}  // namespace ardent
