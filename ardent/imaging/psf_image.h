// The user's own PSF: the image of a point source, shifted by fractions of a pixel.
//
// A cubic B-spline through its pixels, zero outside the image:
//   share(u, v) = Σ_ij c_ij β³(u − i) β³(v − j),   share(i, j) = pixel (i, j)/Σ pixels
// β³ sums to 1 over whole steps, so that the light is the same wherever the source lies, and the
// spline has the slopes that fitting needs. (A Fourier shift keeps the light, too, but rings and
// wraps around; bicubic convolution has slopes that jump.)
// The place of a source is the centroid of its light: an image with an even number of pixels is as
// good as one with an odd number, and need not be centred.
#pragma once

#include "ardent/imaging/psf_shape.h"
#include "ardent/imaging/psf_sky.h"

namespace ardent {

class PsfImage final : public PsfShape {
 public:
  /// A sky is taken off (psf_sky.h), and pixels are scaled to the sum 1. InputError for fewer than
  /// 3×3 pixels, one that is missing, a sum that is not above 0 or is less than half of Σ|pixel| (a
  /// sky of which too much was taken off), light that does not end within the image, or a centroid
  /// outside of it.
  explicit PsfImage(const Image& image);

  Footprint footprint(const Source& source, Index width, Index height, bool slopes) const override;
  double reach(double sigma) const override;
  bool has_width() const override { return false; }

  /// Of the Gaussian with as large a Σ share² (1/(4πσ²) before pixels): the width of its sources.
  double sigma() const { return sigma_; }
  /// Pixels within which 99% of the light lies, at most half of the image's size.
  double radius() const { return radius_; }
  /// What was taken off.
  const PsfSky& sky() const { return sky_; }

 private:
  Matrix coefficients_;   // entry (i, j) belongs to (first + i, first + j), from 0
  double x_ = 0, y_ = 0;  // of the centroid among the coefficients, from 0
  double sigma_ = 1, radius_ = 1;
  PsfSky sky_;
};

}  // namespace ardent
