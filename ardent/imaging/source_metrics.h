// How well sources were found and images cleaned: the metrics of paper 001, section 5, and the ones
// that astronomers use.
#pragma once

#include <span>

#include "ardent/imaging/psf.h"

namespace ardent {

/// Definition 5.1: with m found and n true sources, each a box of side `box` around its place;
/// where m > n, the mean over found sources of the largest IoU with a true one, else the mean over
/// true sources of the largest IoU with a found one. 1 if there are none of either, 0 if of one
/// kind only.
double group_iou(std::span<const Source> found, std::span<const Source> truth, double box = 5);

struct Matches {
  Index pairs = 0;
  double recall = 0;     // pairs/true sources; 1 if there are none
  double precision = 0;  // pairs/found sources; 1 if there are none
  double f1 = 0;         // 2·pairs/(found + true); 1 if both are none
  double distance = 0;   // mean over pairs, in pixels
};

/// Pairs each source with at most one, none farther apart than `radius`: nearest pairs first, ties
/// in the order of the lists.
Matches match_sources(std::span<const Source> found, std::span<const Source> truth, double radius);

/// Definition 5.2: 20 log10(max reference/√MSE); ∞ for equal images. Pixels missing in either are
/// left out. InputError if the shapes differ, no pixel is known in both, or no reference pixel is
/// above 0.
double psnr(const Image& reference, const Image& image);

}  // namespace ardent
