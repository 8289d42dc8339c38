// The shape of a point source on pixels, with its slopes: all that rendering and fitting ask of it.
//
// A Gaussian has a width of its own (psf.h); the user's image of a point source (psf_image.h) has
// one shape, and the σ of its sources is the shape's.
#pragma once

#include "ardent/imaging/psf.h"

namespace ardent {

/// Fractions of a source's light on the pixels that it reaches, and their derivatives by its place
/// and width where they were asked for. Entry (i, j) is pixel (left + i, low + j).
struct Footprint {
  Index left = 1, low = 1;
  Matrix share, by_x, by_y, by_sigma;
};

class PsfShape {
 public:
  virtual ~PsfShape() = default;
  /// On an image of this size; without entries if the source reaches none of its pixels.
  virtual Footprint footprint(const Source& source, Index width, Index height,
                              bool slopes) const = 0;
  /// Pixels from the place of a source of width σ to where its light has ended.
  virtual double reach(double sigma) const = 0;
  /// Is σ the source's own, and to be fitted?
  virtual bool has_width() const = 0;

  void add(const Source& source, Image& image) const;
  /// ‖share‖₂ on an image of this size.
  double length(const Source& source, Index width, Index height) const;
};

/// Erf-integrated Gaussians; light farther than 5σ from the middle (6·10⁻⁷ of it) is left out.
const PsfShape& gaussian_psf();

}  // namespace ardent
