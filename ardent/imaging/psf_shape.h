// The shape of a point source on pixels, with its slopes: all that rendering and fitting ask of it.
//
// A Gaussian has a width of its own (psf.h); the user's image of a point source (psf_image.h) has
// one shape, and the σ of its sources is the shape's.
#pragma once

#include "ardent/imaging/psf.h"

namespace ardent {

/// Fractions of a source's light on the box of pixels that it reaches, and their derivatives by its
/// place and width where they were asked for: box.width rows, and the columns of the planes one
/// after the other. Of an image that is no stack there are none by z and σ_z.
struct Footprint {
  Box box;
  Matrix share, by_x, by_y, by_sigma, by_z, by_sigma_z;
};

/// Plane k (from 0) of a box within the pixels of an image of that size, as a block; and the same
/// of a footprint's matrix.
template <class Pixels>
auto plane_of(Pixels& pixels, Index image_height, const Box& box, Index k) {
  return pixels.block(box.left - 1, (box.near - 1 + k) * image_height + box.low - 1, box.width,
                      box.height);
}
template <class Shares>
auto plane_of(Shares& shares, const Box& box, Index k) {
  return shares.middleCols(k * box.height, box.height);
}

class PsfShape {
 public:
  virtual ~PsfShape() = default;
  /// On the pixels of an image of this size; without entries if the source reaches none of them.
  virtual Footprint footprint(const Source& source, const Image& image, bool slopes) const = 0;
  /// Pixels from the place of a source to where its light has ended (as `distance` counts them).
  virtual double reach(const Source& source) const = 0;
  /// Is σ the source's own, and to be fitted?
  virtual bool has_width() const = 0;

  void add(const Source& source, Image& image) const;
  /// What that adds to a box of an image; `size` is the image's.
  void add_to_part(const Source& source, const Image& size, const Box& box, Image& part) const;
  /// ‖share‖₂ on an image of this size.
  double length(const Source& source, const Image& image) const;
};

/// Erf-integrated Gaussians; light farther than 5σ from the middle (6·10⁻⁷ of it) is left out.
const PsfShape& gaussian_psf();

}  // namespace ardent
