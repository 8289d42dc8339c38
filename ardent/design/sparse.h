// A sparse design in memory: the rows (CSR) for Phi w and the columns (CSC) for Phiᵀ r.
//
// Both are kept because a dot per output needs no scattered writes and no buffer per thread; the
// products are bound by the bytes moved, so values are float32 and indices 32 bits, and every sum
// is a double.
//
// Under a limit of memory (base/memory_limit.h) columns that are dropped stay where they are, and
// count nothing, until what is left fits into memory or is less than a quarter: reading a mapped
// file once more costs less than writing most of it anew. Products have the same bits either way,
// since a weight of 0 adds 0. Streamed rows (data/matrix.h) stay as they are stored, too: blocks of
// entries are scaled, to the float32 that a copy would hold, just before they are multiplied.
#pragma once

#include "ardent/data/sparse_selection.h"
#include "ardent/design/design.h"

namespace ardent {

class SparseDesign : public Design {
 public:
  /// Shares the buffers of `rows`, and of its transpose where that is available.
  explicit SparseDesign(SparseRows rows);
  explicit SparseDesign(StreamedRows rows);

  std::unique_ptr<Design> clone() const override;

  Index nonzeros() const { return by_row_.nonzeros(); }
  /// Drops the entries of columns that are not kept any more, if they are still there, and scales
  /// those that are stored without their scale.
  void compact();
  /// The transpose: its row k has the entries of column k as they were given, without the factors
  /// of scale_columns. Of a design that is compact.
  const SparseRows& entries_by_column() const { return by_column_; }
  const SparseRows& entries_by_row() const { return by_row_; }
  /// Whether these are all that counts, as it counts.
  bool is_compact() const { return !masked() && !scale_; }

 protected:
  void do_multiply(const Eigen::Ref<const Vector>& w, Vector& out) const override;
  void do_multiply_transposed(const Vector& r, Vector& out) const override;
  void do_multiply_many(const RowMatrix& w, RowMatrix& out) const override;
  void do_multiply_transposed_many(const RowMatrix& r, RowMatrix& out) const override;
  void do_weighted_square_norms(const Vector& beta, Vector& out) const override;
  void do_weighted_gram(const Vector& beta, Matrix& out) const override;
  void do_weighted_outer(const Vector& gamma, Matrix& out) const override;
  void do_columns(std::span<const Index> which, Matrix& out) const override;
  void do_keep(std::span<const Index> active) override;

 private:
  ReadEntries rows_as_read() const { return {by_row_, scale_.get()}; }
  ReadEntries columns_as_read() const { return {by_column_, scale_.get(), true}; }
  void find_blocks();
  bool masked() const { return !kept_.empty(); }
  /// These columns of all that are there, and no others.
  void select(std::span<const Index> columns);
  /// Would a copy of these columns be a good deal smaller, or fit into limited memory?
  bool worth_compacting(std::span<const Index> columns) const;

  SparseRows by_row_;                              // N×M
  SparseRows by_column_;                           // M×N, the transpose
  std::shared_ptr<const EntryScale> scale_;        // null: values are as they are stored
  std::vector<Index> row_bounds_, column_bounds_;  // blocks of about equal work
  std::vector<Index> kept_;  // where other columns are still there: those that count; else empty
};

}  // namespace ardent
