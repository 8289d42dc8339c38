// Pixels of an image that need not be in memory as a whole: what is computed of a large image is
// boxes of it, and nothing has its size but the pixels and the light of its sources.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "ardent/imaging/image.h"

namespace ardent {

/// The size of an image, and its pixels a box at a time. What it was made of must outlive it.
class Pixels {
 public:
  using Cut = std::function<Image(const Box&)>;

  Pixels(const Image& image);
  Pixels(Index columns, Index rows, Index planes, Cut cut);

  Index width, height, depth;
  Index size() const { return width * height * depth; }
  bool is_stack() const { return depth > 1; }
  Box all() const { return {1, 1, 1, width, height, depth}; }
  /// An image of this size without pixels, for what asks for the size alone.
  Image empty() const { return {width, height, {}, {}, depth}; }

  Image cut(const Box& box) const { return cut_(box); }

 private:
  Cut cut_;
};

/// Pixel by pixel, of images of one size; the second may be an image that is empty: nothing.
Pixels minus(const Pixels& pixels, const Image& other);

/// Rows of one plane, so many that they are quickly worked on.
struct Band {
  Box box;
  std::size_t first;  // position of its first pixel in the image
};
std::vector<Band> bands(const Pixels& pixels, Index least_rows = 1);
/// With so many rows of the same plane below and above as there are, up to `rows`.
Box with_rows_around(Box band, const Pixels& pixels, Index rows);

/// Calls visit with the pixels of each band, in order, and the position of the first.
void visit_bands(const Pixels& pixels,
                 const std::function<void(std::size_t first, std::span<const double>)>& visit);

/// The search's own copy of an image: half the memory where all pixels are numbers of single
/// precision, as those of most files are, with the same values.
class StoredImage {
 public:
  StoredImage() = default;
  explicit StoredImage(Image image);

  void set(std::size_t place, double value);
  Image cut(const Box& box) const;
  /// This must outlive them, and stay where it is.
  Pixels pixels() const;

 private:
  Image image_;  // without pixels where they are in `single_`
  std::vector<float> single_;
};

}  // namespace ardent
