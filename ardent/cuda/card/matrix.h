// Dense matrices in a card's memory, column-major, and the products of cuBLAS with them.
#pragma once

#include "ardent/base/types.h"
#include "ardent/cuda/card/matrix_kernels.h"
#include "ardent/cuda/card/memory.h"

namespace ardent {

class CardMatrix {
 public:
  CardMatrix() = default;
  CardMatrix(Card& card, Index rows, Index cols)
      : values_(card, static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols)),
        rows_(rows),
        cols_(cols) {}
  CardMatrix(Card& card, const Matrix& values) : CardMatrix(card, values.rows(), values.cols()) {
    values_.upload({values.data(), static_cast<std::size_t>(values.size())});
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  CardBlock<double> block() { return {values_.data(), rows_, cols_, rows_}; }
  CardBlock<const double> block() const { return {values_.data(), rows_, cols_, rows_}; }
  /// Columns begin … end, of all rows.
  CardBlock<const double> columns(Index begin, Index end) const {
    return {values_.data() + begin * rows_, rows_, end - begin, rows_};
  }
  /// Rows begin … end, of all columns.
  CardBlock<const double> middle_rows(Index begin, Index end) const {
    return {values_.data() + begin, end - begin, cols_, rows_};
  }
  Matrix on_host() const;
  /// The diagonal of a square matrix.
  Vector diagonal_on_host(Card& card) const;
  CardArray<double>& values() { return values_; }
  const CardArray<double>& values() const { return values_; }

 private:
  CardArray<double> values_;
  Index rows_ = 0, cols_ = 0;
};

CardArray<double> on_card(Card& card, const Vector& v);
Vector on_host(const CardArray<double>& v);

/// out = a v, aᵀ v
void multiply(Card& card, CardBlock<const double> a, const double* v, double* out);
void multiply_transposed(Card& card, CardBlock<const double> a, const double* v, double* out);
/// out = aᵀ b
void product_transposed(Card& card, CardBlock<const double> a, CardBlock<const double> b,
                        CardBlock<double> out);
/// Lower triangle of out = aᵀa + kept · out, or a aᵀ + kept · out.
void add_gram(Card& card, CardBlock<const double> a, double kept, CardBlock<double> out);
void add_outer(Card& card, CardBlock<const double> a, double kept, CardBlock<double> out);

}  // namespace ardent
