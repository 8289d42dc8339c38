// Dictionary: all that sparse coding may ask of Φ (N×n), whose columns are called atoms.
//
// Data come with one atom per row (an image, a document), which is Φ stored by columns: dense atoms
// in double and sparse ones (CSC) share the data's memory.
#pragma once

#include <span>

#include "ardent/base/types.h"

namespace ardent {

/// A vector and the atoms whose products with it are wanted.
struct ListedProducts {
  std::span<const Index> atoms;  // ascending
  const Vector& v;
  Vector& products;  // φ_jᵀ v of each, resized
};

class Dictionary {
 public:
  virtual ~Dictionary() = default;

  /// N: the length of a signal and of every atom.
  Index rows() const { return rows_; }
  /// n: the number of atoms.
  Index cols() const { return norms_.size(); }
  /// d_i = ‖φ_i‖.
  const Vector& norms() const { return norms_; }

  /// products = Φᵀ signals (n×count) for the signals in the columns of an N×count matrix. Parallel;
  /// a column of the result has the same bits whatever stands beside it.
  virtual void correlate(const Eigen::Ref<const Matrix>& signals, Matrix& products) const = 0;
  /// Column k of rows (n×count) = Φᵀφ_j for j = atoms[k]. Parallel; the same bits in any company.
  virtual void gram_rows(std::span<const Index> atoms, Eigen::Ref<Matrix> rows) const = 0;

  /// φ_jᵀ v.
  virtual double dot(Index j, const Vector& v) const = 0;
  /// v += factor·φ_j.
  virtual void add_scaled(Index j, double factor, Vector& v) const = 0;
  /// φ_jᵀ v for the atoms named: the same bits as correlate. Parallel.
  virtual Vector correlate_some(std::span<const Index> atoms, const Vector& v) const = 0;
  /// The same for several vectors, each with atoms of its own (ascending). Parallel.
  virtual void correlate_lists(std::span<const ListedProducts> lists) const;
  /// Is a Gram row much cheaper than Φᵀv for a dense v? So it is for sparse atoms.
  virtual bool rows_are_cheap() const = 0;

  /// Φ_S θ_S.
  Vector combine(std::span<const Index> atoms, const Vector& theta) const;

 protected:
  Dictionary(Index rows, Vector norms) : rows_(rows), norms_(std::move(norms)) {}

 private:
  Index rows_;
  Vector norms_;
};

}  // namespace ardent
