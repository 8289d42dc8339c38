// Dictionaries of point sources in a stack: as psf_dictionary.h, with a third axis.
//
// Φᵀy of one level of widths is E_xᵀ, E_yᵀ and E_zᵀ applied along their axes, and a Gram row the
// outer product of three one-dimensional ones: no atom is ever stored.
#pragma once

#include <vector>

#include "ardent/imaging/stack.h"
#include "ardent/inference/coding/dictionary.h"

namespace ardent {

struct StackGrid {
  Index width = 0, height = 0, depth = 0;    // voxels
  double sigma_low = 1, sigma_high = 3;      // of σ_xy: 0 < low <= high
  double sigma_z_low = 2, sigma_z_high = 2;  // of σ_z
  double ratio = 1.25;                       // > 1: between widths
  double step = 0.6;  // > 0: between places, in units of the σ of their axis
};

class StackDictionary final : public Dictionary {
 public:
  explicit StackDictionary(const StackGrid& grid);

  /// Place and widths of atom j; its flux is what a coefficient of 1 means.
  Bead bead(Index j) const;

  void correlate(const Eigen::Ref<const Matrix>& signals, Matrix& products) const override;
  void gram_rows(std::span<const Index> atoms, Eigen::Ref<Matrix> rows) const override;
  double dot(Index j, const Vector& v) const override;
  void add_scaled(Index j, double factor, Vector& v) const override;
  Vector correlate_some(std::span<const Index> atoms, const Vector& v) const override;
  bool rows_are_cheap() const override { return true; }

 private:
  /// One axis of a level: places, their shares as columns of length 1, and what they were divided
  /// by.
  struct Axis {
    Vector at;
    Matrix shares;
    Vector lengths;
  };
  /// Atom first + (k·q + j)·p + i lies at (x_i, y_j, z_k), of p × q × r places.
  struct Level {
    double sigma_xy = 1, sigma_z = 1;
    Axis x, y, z;
    Index first = 0;
    Index size() const { return x.at.size() * y.at.size() * z.at.size(); }
  };
  struct Place {
    const Level* level;
    Index i, j, k;
  };

  static std::vector<Level> levels_of(const StackGrid& grid);
  StackDictionary(const StackGrid& grid, std::vector<Level> levels);
  Place place(Index atom) const;

  Index width_, height_, depth_;
  std::vector<Level> levels_;
};

}  // namespace ardent
