// Some of the rows of a dense design, read where they are: folds of one design copy no rows.
//
// Products read all rows and leave out what is not theirs, so they pay off where nearly all rows
// are, or little is asked. What a fold's sums know (fold_sums.h) is not computed again. Once
// columns are dropped, what is left is a dense design of its own.
#pragma once

#include "ardent/design/dense.h"
#include "ardent/design/fold_sums.h"

namespace ardent {

class RowSubset : public Design {
 public:
  /// `rows` ascending.
  RowSubset(const std::shared_ptr<const Matrix>& phi, std::vector<Index> rows);
  /// The rows that fold `without` does not hold out.
  RowSubset(std::shared_ptr<FoldSums> sums, std::vector<Index> rows, Index without);

  std::unique_ptr<Design> clone() const override;

 protected:
  void do_multiply(const Eigen::Ref<const Vector>& w, Vector& out) const override;
  void do_multiply_transposed(const Vector& r, Vector& out) const override;
  void do_weighted_square_norms(const Vector& beta, Vector& out) const override;
  void do_weighted_gram(const Vector& beta, Matrix& out) const override;
  void do_weighted_outer(const Vector& gamma, Matrix& out) const override;
  void do_columns(std::span<const Index> which, Matrix& out) const override;
  void do_keep(std::span<const Index> active) override;
  bool do_kept_products(Index k, const Vector& beta, Vector& out) const override;

 private:
  /// Zero for the rows that are not here.
  Vector spread(const Vector& x) const;
  /// Whether these are the row weights whose sums are known.
  bool known(const Vector& beta) const;

  std::shared_ptr<const DenseDesign> all_;
  std::shared_ptr<const std::vector<Index>> rows_;
  std::shared_ptr<FoldSums> sums_;  // or null
  Index without_ = FoldSums::kAllRows;
  Vector row_weights_;                      // of sums_, of these rows
  std::shared_ptr<const DenseDesign> own_;  // once columns were dropped
};

}  // namespace ardent
