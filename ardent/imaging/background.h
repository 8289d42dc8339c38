// What lies under the sources: the level of the sky and the size of the noise.
#pragma once

#include "ardent/imaging/pixels.h"

namespace ardent {

enum class BackgroundKind { none, constant, map, automatic };

/// The background of an image: one level, or those of cells, between which it is computed where it
/// is asked for.
class Background {
 public:
  Background() = default;  // of no image
  /// Of an image of this size.
  Background(const Pixels& size, double level);
  /// `levels`: those of the cells along each axis.
  Background(const Pixels& size, Image levels);

  bool is_even() const { return levels_.size() == 1; }
  double level() const { return levels_.pixels.front(); }  // where it is even
  double at(Index x, Index y, Index z = 1) const;
  Image cut(const Box& box) const;
  Image whole() const;
  double highest() const;
  /// This must outlive them, and stay where it is.
  Pixels pixels() const;

 private:
  Image size_;    // without pixels
  Image levels_;  // of the cells; a single one: everywhere
};

/// Pixels less what lies under them; `background` must outlive them.
Pixels minus(const Pixels& pixels, const Background& background);
double largest_change(const Background& a, const Background& b);

/// The background of an image.
///   constant  the median of the pixels after three times leaving out those more than three
///             standard deviations (of the median's absolute deviation) above or below it
///   map       the same in cells of `cell` pixels along each axis, joined by linear interpolation
///             between their centres and continued to the border; a cell without any known pixel
///             takes the constant
///   automatic the constant: who asks for it asks uneven_sky.h whether it is to be a map
Background estimate_background(const Pixels& image, BackgroundKind kind, Index cell = 64);

/// Variance of white noise, from the second differences [1 −2 1]ᵀ[1 −2 1]/6 (Immerkær 1996), which
/// point sources of σ ≥ 1 hardly touch, by their median absolute value. Along one side
/// alone where the other has less than three pixels; 0 if there is no such block of known pixels.
/// Of a stack: over all of its planes.
double estimate_noise_variance(const Pixels& image);

}  // namespace ardent
