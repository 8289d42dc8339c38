// Dictionaries of point sources on a grid of places and widths.
//
// A Gaussian PSF is a product of a column and a row, so that all that coding asks of the dictionary
// factors: with E_x (width×p) and E_y (height×q) the unit pixel shares of the places on one level
// of widths,
//   Φᵀy of that level    E_xᵀ Y E_y, two small products instead of one of N·p·q
//   a row of the Gram    an outer product of two rows of one-dimensional Grams: one multiplication
//                        an atom
// Places are `step`·σ apart, so that wide sources need few.
#pragma once

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
};

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
  /// All atoms of one width; atom first + j·p + i has place (x_i, y_j).
  struct Level {
    double sigma = 1;
    Vector x, y;                // places
    Matrix across, up;          // pixel shares of each, columns of length 1
    Vector x_length, y_length;  // by which they were divided
    Index first = 0;
  };
  struct Place {
    const Level* level;
    std::size_t level_index;
    Index i, j;
  };

  static std::vector<Level> levels_of(const PsfGrid& grid);
  static Index count(const std::vector<Level>& levels);
  PsfDictionary(const PsfGrid& grid, std::vector<Level> levels);
  Place place(Index atom) const;

  Index width_, height_;
  std::vector<Level> levels_;
  std::vector<std::vector<Matrix>> x_gram_, y_gram_;  // [a][b] = across_aᵀ across_b
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
