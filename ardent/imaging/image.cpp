#include "ardent/imaging/image.h"

#include <algorithm>
#include <cmath>

namespace ardent {

Image blank_image(Index width, Index height) {
  return {width, height, std::vector<double>(width * height, 0.0)};
}

Index known_pixels(const Image& image) {
  return std::count_if(image.pixels.begin(), image.pixels.end(),
                       [](double value) { return !std::isnan(value); });
}

}  // namespace ardent
