// Point spread functions integrated over pixels (paper 001, equations 57 and 59).
//
//   ΔE(u) = ½[erf((u + ½)/(√2 σ)) − erf((u − ½)/(√2 σ))]
//   pixel (x, y) of a source at (x₀, y₀) with flux I:  I · ΔE(x − x₀) · ΔE(y − y₀)
//
// σ is a standard deviation in pixels (the paper calls it a variance), and the flux is the sum over
// all pixels of an unbounded image. In print, equations 55 and 58 are normalised by
// √(8π³σ²σ_z) and √(4π²σ²); a density needs (2π)^{3/2}σ_xy²σ_z and 2πσ².
#pragma once

#include "ardent/imaging/image.h"

namespace ardent {

/// A point source: its place in pixels (counted as in Image), its width and its total light.
struct Source {
  double x = 0;
  double y = 0;
  double sigma = 1;  // > 0
  double flux = 1;
};

/// ΔE(u): the fraction of a Gaussian's light in a pixel whose centre is u from its own.
double pixel_share(double u, double sigma);

/// Adds the source's light to the pixels.
void add_source(const Source& source, Image& image);

/// ‖ΔE ΔE‖₂ of the source over the pixels of an image of this size.
double psf_length(double x, double y, double sigma, Index width, Index height);

/// The three-dimensional form (equation 56): the fraction of the light in a voxel.
double voxel_share(double dx, double dy, double dz, double sigma_xy, double sigma_z);

}  // namespace ardent
