// Compressed rows in a card's memory, and their products with vectors.
//
// Values are float32, column numbers 32 bits and sums doubles, as in a SparseDesign. A row is
// summed by a few lanes of a warp, as many as its mean length suggests; a row of more than 1,024
// entries in pieces of 4,096, block by block, whose sums are then added in order. The order of a
// sum depends on the matrix alone: the same bits from run to run.
#pragma once

#include <cstdint>

#include "ardent/cuda/card/memory.h"

namespace ardent {

/// out_i = factor · scale_i · Σ + addend, of a row's sum Σ; pointers may be null, and stand for 1
/// or 0.
struct RowSumUse {
  double* out = nullptr;
  double factor = 1;
  const double* scale = nullptr;       // per row
  const double* multiplier = nullptr;  // per row: Σ ← (Σ + *constant) · multiplier
  const double* constant = nullptr;    // one number
  const double* alpha = nullptr;       // per row: the addend is alpha_i v_i, or alpha_i without v
  const double* v = nullptr;
  bool squared = false;  // Σ is of value² x, and scale counts twice
};

/// A row that is summed in pieces, and one of these.
struct LongRow {
  std::uint64_t begin, end;  // of its entries
  std::uint32_t row;
  std::uint32_t first_piece;
};
struct RowPiece {
  std::uint64_t begin, end;
};

class SparseRowsOnCard {
 public:
  SparseRowsOnCard() = default;
  /// The host's arrays, copied; offsets: rows + 1.
  SparseRowsOnCard(Card& card, std::span<const std::uint64_t> offsets,
                   std::span<const std::uint32_t> columns, std::span<const float> values);

  std::size_t rows() const { return offsets_.size() - 1; }
  std::size_t entries() const { return values_.size(); }

  /// Σ_e value_e x[column_e] for every row, used as `use` says.
  void sum_rows(Card& card, const double* x, const RowSumUse& use) const;

  /// The rows at `kept` (ascending, `count` of them), and no others.
  SparseRowsOnCard with_rows(Card& card, const std::uint32_t* kept, std::size_t count) const;
  /// The columns whose new number is not kDropped, and no others.
  SparseRowsOnCard with_columns(Card& card, const std::uint32_t* new_number) const;
  static constexpr std::uint32_t kDropped = ~std::uint32_t{0};

 private:
  /// Plans the sums: lanes, and the pieces of long rows.
  void plan(Card& card);

  CardArray<std::uint64_t> offsets_;
  CardArray<std::uint32_t> columns_;
  CardArray<float> values_;
  int lanes_ = 32;
  CardArray<LongRow> long_rows_;
  CardArray<RowPiece> pieces_;
};

}  // namespace ardent
