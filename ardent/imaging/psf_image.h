// The user's own PSF: the image of a point source, shifted by fractions of a pixel.
//
// A cubic B-spline through its pixels, zero outside the image:
//   share(u, v) = Σ_ij c_ij β³(u − i) β³(v − j),   share(i, j) = pixel (i, j)/Σ pixels
// and of a stack with a third factor.
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
  /// 3×3 pixels (of a stack 3 planes), one that is missing, a sum that is not above 0 or is less
  /// than half of Σ|pixel| (a sky of which too much was taken off), light that does not end within
  /// the image, or a centroid outside of it.
  explicit PsfImage(const Image& image);

  Footprint footprint(const Source& source, const Image& image, bool slopes) const override;
  double reach(const Source& source) const override;
  bool has_width() const override { return false; }

  /// Of the Gaussian with as large a Σ share² (1/(4πσ²) before pixels): the width of its sources.
  /// Of a stack σ by the sum of its planes, and σ_z by the sums over each (Σ = 1/(2√π σ_z)).
  double sigma() const { return sigma_; }
  double sigma_z() const { return sigma_z_; }
  /// Pixels within which 99% of the light lies, at most half of the image's size; and planes.
  double radius() const { return radius_; }
  double radius_z() const { return radius_z_; }
  bool is_stack() const { return is_stack_; }
  /// What was taken off.
  const PsfSky& sky() const { return sky_; }

 private:
  /// Along one axis.
  struct Knots {
    Index count = 1;    // coefficients
    double centre = 0;  // of the light among them, from 0
  };
  void measure(const Matrix& shares, Index height);

  Matrix coefficients_;  // x.count rows, and the columns of the planes one after the other
  Knots x_, y_, z_;
  bool is_stack_ = false;
  double sigma_ = 1, radius_ = 1, sigma_z_ = 1, radius_z_ = 0;
  PsfSky sky_;
};

}  // namespace ardent
