// Design: all that an engine may ask of the N×M matrix Phi.
//
// Dense, sparse, kernel and hidden-layer designs stand behind this interface; a memory-mapped or a
// GPU design fits it without an engine knowing. Results do not depend on the number of threads.
//
// Where several processes share the rows (base/row_share.h), any design is the share of one of
// them: its rows, and vectors of one number per row, are those that are here, and what it says of
// columns is summed over all rows. over_rows() does the same for what an engine sums itself.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ardent/base/row_share.h"
#include "ardent/base/types.h"

namespace ardent {

/// Several vectors of one length side by side, one per column: what belongs together is adjacent.
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class Design {
 public:
  virtual ~Design() = default;

  Index rows() const { return rows_; }  // that are here
  Index all_rows() const { return share_ ? all_rows_ : rows_; }
  Index cols() const { return scale_.size(); }
  /// The factors of scale_columns, one per column.
  const Vector& column_factors() const { return scale_; }

  /// out = Phi w
  void multiply(const Vector& w, Vector& out) const;
  /// out = Phiᵀ r
  void multiply_transposed(const Vector& r, Vector& out) const;
  /// The same for several vectors at once: out = Phi W, out = Phiᵀ R. A sparse design reads its
  /// entries once for all of them.
  void multiply_many(const RowMatrix& w, RowMatrix& out) const;
  void multiply_transposed_many(const RowMatrix& r, RowMatrix& out) const;
  /// out_k = Σ_i beta_i phi_ik²
  void weighted_square_norms(const Vector& beta, Vector& out) const;
  /// out = Phiᵀ diag(beta) Phi, M×M, symmetric, both triangles
  void weighted_gram(const Vector& beta, Matrix& out) const;
  /// out = Phi diag(gamma) Phiᵀ, N×N, symmetric, both triangles
  void weighted_outer(const Vector& gamma, Matrix& out) const;
  /// out = Phiᵀ diag(beta) φ_k, where such products are kept (row_subset.h); false: they are not,
  /// and out is as it was.
  bool kept_products(Index k, const Vector& beta, Vector& out) const;
  /// The columns named, in that order, as a dense N×k matrix.
  Matrix columns(std::span<const Index> which) const;

  /// Keeps these columns (ascending) and drops the others for good, memory included.
  void keep(std::span<const Index> active);
  /// Phi ← Phi diag(factors)
  void scale_columns(const Vector& factors);

  /// From now on these rows are a share of those of several processes, all of which say so.
  void share_rows(SharePointer share);
  const RowShare* share() const { return share_.get(); }
  /// A sum over all rows, of the sum over the rows that are here.
  double over_rows(double own) const { return sum_over(share_.get(), own); }

  /// A copy that may be pruned on its own; it shares memory with this one until then.
  virtual std::unique_ptr<Design> clone() const = 0;

 protected:
  Design(Index rows, Index cols) : rows_(rows), scale_(Vector::Ones(cols)) {}
  Design(const Design&) = default;

  // The same questions of the unscaled matrix. Outputs arrive sized; inputs are checked.
  virtual void do_multiply(const Eigen::Ref<const Vector>& w, Vector& out) const = 0;
  virtual void do_multiply_transposed(const Vector& r, Vector& out) const = 0;
  // Vector by vector, unless a design knows better.
  virtual void do_multiply_many(const RowMatrix& w, RowMatrix& out) const;
  virtual void do_multiply_transposed_many(const RowMatrix& r, RowMatrix& out) const;
  virtual void do_weighted_square_norms(const Vector& beta, Vector& out) const = 0;
  virtual void do_weighted_gram(const Vector& beta, Matrix& out) const = 0;
  virtual void do_weighted_outer(const Vector& gamma, Matrix& out) const = 0;
  virtual void do_columns(std::span<const Index> which, Matrix& out) const = 0;
  virtual void do_keep(std::span<const Index> active) = 0;
  virtual bool do_kept_products(Index, const Vector&, Vector&) const { return false; }

  /// For a design made of another: it sums over rows itself, and the other no longer.
  static SharePointer take_share(Design& from) { return std::move(from.share_); }

 private:
  Index rows_;
  Vector scale_;         // one factor per column, applied around every operation
  bool scaled_ = false;  // some factor may not be 1
  SharePointer share_;   // null: all rows are here
  Index all_rows_ = 0;   // where there is a share
};

/// InputError that names what works, where several processes share the rows and `what` (the engine
/// exact) cannot.
void refuse_shared_rows(const Design& design, std::string_view what);

}  // namespace ardent
