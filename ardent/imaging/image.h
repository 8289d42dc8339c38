// Images as astronomers and microscopists count them: pixel (x, y) has its centre at whole numbers,
// x from 1 to width, y from 1 to height, as in FITS. A missing pixel is NaN.
//
// A stack of planes is an image with a depth above 1, its planes counted by z from 1 on; all that
// is done to images is done to stacks by the same code.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

struct Image {
  Index width = 0;
  Index height = 0;
  std::vector<double> pixels;            // x fastest, then y, then z: size() of them
  std::vector<std::string> header = {};  // FITS cards that are not about the layout, as they came
  Index depth = 1;                       // planes; 1: an image, no stack

  Index size() const { return width * height * depth; }
  bool is_stack() const { return depth > 1; }
  double at(Index x, Index y, Index z = 1) const { return pixels[place(x, y, z)]; }
  double& at(Index x, Index y, Index z = 1) { return pixels[place(x, y, z)]; }
  /// Position of pixel (x, y, z), counted from 1, in `pixels`.
  std::size_t place(Index x, Index y, Index z = 1) const {
    return static_cast<std::size_t>(((z - 1) * height + y - 1) * width + x - 1);
  }
};

/// What a caller takes.
enum class Dimensions { image, stack, either };

/// Pixels first … first + count − 1 along each axis.
struct Box {
  Index left = 1, low = 1, near = 1;
  Index width = 0, height = 0, depth = 1;
};

/// An image of zeros.
Image blank_image(Index width, Index height, Index depth = 1);
Image blank_like(const Image& image);
/// The part of the image in a box that lies within it.
Image cut(const Image& image, const Box& box);
/// Pixels that are not missing.
Index known_pixels(const Image& image);
/// Pixel by pixel, of images of one size.
Image minus(Image image, const Image& other);
bool have_same_size(const Image& a, const Image& b);
/// "28 × 20 pixels", of a stack "28 × 20 × 12 voxels".
std::string size_text(const Image& image);

/// The neighbours of (x, y, z) that the image has, and itself: calls visit(u, v, w).
template <class Visit>
void visit_neighbours(const Image& image, Index x, Index y, Index z, const Visit& visit) {
  for (Index w = std::max<Index>(1, z - 1); w <= std::min(image.depth, z + 1); ++w) {
    for (Index v = std::max<Index>(1, y - 1); v <= std::min(image.height, y + 1); ++v) {
      for (Index u = std::max<Index>(1, x - 1); u <= std::min(image.width, x + 1); ++u) {
        visit(u, v, w);
      }
    }
  }
}

}  // namespace ardent
