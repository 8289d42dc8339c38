// Dictionaries of point sources on a grid of places and widths.
//
// A Gaussian PSF is a product of one factor per axis, so that all that coding asks of the
// dictionary factors: with E_x (width×p), E_y (height×q) and E_z (depth×r) the unit pixel shares of
// the places on one level of widths,
//   Φᵀy of that level    E_xᵀ, E_yᵀ and E_zᵀ applied along their axes, small products instead of
//                        one of N·p·q·r
//   a row of the Gram    an outer product of rows of one-dimensional Grams: one multiplication per
//                        atom
// Places are `step`·σ of their axis apart, so that wide sources need few. An image that is no stack
// has one place along z, and E_z = 1.
#pragma once

#include <cmath>
#include <vector>

#include "ardent/data/matrix.h"
#include "ardent/imaging/psf.h"
#include "ardent/inference/coding/dictionary.h"

namespace ardent {

struct PsfGrid {
  Index width = 0;  // pixels
  Index height = 0;
  double sigma_low = 1;   // > 0
  double sigma_high = 3;  // >= sigma_low: widths are spaced by a factor of at most `ratio`
  double ratio = 1.15;    // > 1
  double step = 0.5;      // > 0: between places, in units of σ
  Index depth = 1;
  double sigma_z_low = 2, sigma_z_high = 2;  // of a stack, as those of σ
  double most = INFINITY;                    // > 0: pixels between places across, whatever σ
};

/// From the first pixel to the last, evenly and at most `step` apart; one in the middle of one
/// pixel.
Vector grid_places(Index pixels, double step);

class PsfDictionary final : public Dictionary {
 public:
  explicit PsfDictionary(const PsfGrid& grid);

  /// Place and width of atom j; its flux is what a coefficient of 1 means.
  Source source(Index j) const;

  void correlate(const Eigen::Ref<const Matrix>& signals, Matrix& products) const override;
  void gram_rows(std::span<const Index> atoms, Eigen::Ref<Matrix> rows) const override;
  double dot(Index j, const Vector& v) const override;
  void add_scaled(Index j, double factor, Vector& v) const override;
  Vector correlate_some(std::span<const Index> atoms, const Vector& v) const override;
  bool rows_are_cheap() const override { return true; }

 private:
  /// One axis at one width.
  struct Axis {
    double sigma = 1;
    Vector at;       // places
    Matrix shares;   // pixel shares of each, columns of length 1
    Vector lengths;  // by which they were divided
    Index count() const { return at.size(); }
  };
  /// An axis at every width, and its Grams: [a][b] = shares_aᵀ shares_b.
  struct Axes {
    std::vector<Axis> by_width;
    std::vector<std::vector<Matrix>> gram;
    const Axis& operator[](std::size_t width) const { return by_width[width]; }
  };
  /// All atoms of one σ and σ_z; atom first + (k·q + j)·p + i has the place (x_i, y_j, z_k).
  struct Level {
    std::size_t width, depth;  // which of the widths
    Index first;
  };
  struct Place {
    const Level* level;
    Index i, j, k;
  };
  struct Layout {
    Axes x, y, z;
    std::vector<Level> levels;
    Index atoms = 0;
  };

  static Axes axes_of(Index pixels, const Vector& widths, double step, double most);
  static Layout layout_of(const PsfGrid& grid);
  PsfDictionary(const PsfGrid& grid, Layout layout);
  Place place(Index atom) const;

  Index width_, height_, depth_;
  Axes x_, y_, z_;
  std::vector<Level> levels_;
};

/// Atoms at random places and widths (paper 001, section 5B), one per row and of unit length: the
/// sources that were drawn, and their images.
struct SampledPsfs {
  std::vector<Source> sources;
  DenseRows atoms;
};
/// `normal`: places from a normal distribution around the centre with a quarter of the size for its
/// standard deviation (drawn again outside), instead of uniform ones.
SampledPsfs sample_psfs(Index count, const PsfGrid& grid, bool normal, std::uint64_t seed);

}  // namespace ardent
