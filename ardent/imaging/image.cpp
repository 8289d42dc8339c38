#include "ardent/imaging/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"

namespace ardent {

Image blank_image(Index width, Index height, Index depth) {
  return {width, height, std::vector<double>(width * height * depth, 0.0), {}, depth};
}

Image blank_like(const Image& image) {
  return blank_image(image.width, image.height, image.depth);
}

Image cut(const Image& image, const Box& box) {
  Image part = blank_image(box.width, box.height, box.depth);
  auto out = part.pixels.begin();
  for (Index z = box.near; z < box.near + box.depth; ++z) {
    for (Index y = box.low; y < box.low + box.height; ++y) {
      out = std::copy_n(image.pixels.begin() + image.place(box.left, y, z), box.width, out);
    }
  }
  return part;
}

Index known_pixels(const Image& image) {
  return std::count_if(image.pixels.begin(), image.pixels.end(),
                       [](double value) { return !std::isnan(value); });
}

Image minus(Image image, const Image& other) {
  for (std::size_t p = 0; p < image.pixels.size(); ++p) image.pixels[p] -= other.pixels[p];
  return image;
}

bool have_same_size(const Image& a, const Image& b) {
  return a.width == b.width && a.height == b.height && a.depth == b.depth;
}

std::string size_text(const Image& image) {
  if (!image.is_stack()) return fmt::format("{} × {} pixels", image.width, image.height);
  return fmt::format("{} × {} × {} voxels", image.width, image.height, image.depth);
}

void check_pixel_range(const Image& image) {
  constexpr double kLargest = 1e60;
  double largest = 0;
  for (const double pixel : image.pixels) {
    if (std::isfinite(pixel)) largest = std::max(largest, std::abs(pixel));
  }
  if (largest == 0 || (largest >= 1 / kLargest && largest <= kLargest)) return;
  throw InputError(
      fmt::format("the largest absolute value of a pixel is {:g}: it must be 0, or from {:g} to "
                  "{:g}; scale the image",
                  largest, 1 / kLargest, kLargest));
}

double largest_change(const Image& a, const Image& b) {
  double most = 0;
  for (std::size_t p = 0; p < a.pixels.size(); ++p) {
    most = std::max(most, std::abs(a.pixels[p] - b.pixels[p]));
  }
  return most;
}

}  // namespace ardent
