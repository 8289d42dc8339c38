// What is done with images (include/ardent/image.h).
#pragma once

#include <algorithm>
#include <string>

#include "ardent/base/types.h"
#include "ardent/image.h"

namespace ardent {

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
double largest_change(const Image& a, const Image& b);
/// InputError where the largest |pixel| is neither 0 nor from 1e-60 to 1e60: variances are squares
/// of pixels, and weights are quotients of those.
void check_pixel_range(const Image& image);
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
