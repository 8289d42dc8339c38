// Point spread functions integrated over pixels (paper 001, equations 56, 57 and 59).
//
//   ΔE(u) = ½[erf((u + ½)/(√2 σ)) − erf((u − ½)/(√2 σ))]
//   pixel (x, y) of a source at (x₀, y₀) with flux I:  I · ΔE(x − x₀) · ΔE(y − y₀)
//   voxel (x, y, z) of a stack: the same times ΔE(z − z₀) with σ_z
//
// σ is a standard deviation in pixels (the paper calls it a variance), and the flux is the sum over
// all pixels of an unbounded image. In print, equations 55 and 58 are normalised by
// √(8π³σ²σ_z) and √(4π²σ²); a density needs (2π)^{3/2}σ_xy²σ_z and 2πσ².
#pragma once

#include "ardent/imaging/image.h"

namespace ardent {

/// Pixels between two sources; a step along z is worth σ/σ_z of the first as much as one across.
double distance(const Source& a, const Source& b);

/// ΔE(u): the fraction of a Gaussian's light in a pixel whose centre is u from its own.
double pixel_share(double u, double sigma);
/// ΔE of the pixels 1 … count along one axis.
Vector pixel_shares(double at, double sigma, Index count);

/// Adds the source's light to the pixels.
void add_source(const Source& source, Image& image);

/// ‖ΔE ΔE‖₂ (of a stack ‖ΔE ΔE ΔE‖₂) of the source over the pixels of an image of that size.
double psf_length(const Source& source, const Image& image);

}  // namespace ardent
