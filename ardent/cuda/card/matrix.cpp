#include "ardent/cuda/card/matrix.h"

#include <cublas_v2.h>

namespace ardent {
namespace {

int as_int(Index n) {
  return static_cast<int>(n);
}

constexpr double kOne = 1, kZero = 0;
constexpr Index kNarrow = 512;

}  // namespace

Matrix CardMatrix::on_host() const {
  Matrix values(rows_, cols_);
  values_.download({values.data(), static_cast<std::size_t>(values.size())});
  return values;
}

Vector CardMatrix::diagonal_on_host(Card& card) const {
  CardArray<double> diagonal(card, static_cast<std::size_t>(rows_));
  take_diagonal(card, block(), diagonal.data());
  return ardent::on_host(diagonal);
}

CardArray<double> on_card(Card& card, const Vector& v) {
  CardArray<double> array(card, static_cast<std::size_t>(v.size()));
  if (v.size() > 0) {
    // Of memory that is not page-locked a copy is taken before the call returns.
    check(cudaMemcpyAsync(array.data(), v.data(), array.size() * sizeof(double),
                          cudaMemcpyHostToDevice, card.stream()));
  }
  return array;
}

Vector on_host(const CardArray<double>& v) {
  Vector values(static_cast<Index>(v.size()));
  v.download({values.data(), v.size()});
  return values;
}

void multiply(Card& card, CardBlock<const double> a, const double* v, double* out) {
  check(cublasDgemv(card.blas(), CUBLAS_OP_N, as_int(a.rows), as_int(a.cols), &kOne, a.data,
                    as_int(a.stride), v, 1, &kZero, out, 1));
}

void multiply_transposed(Card& card, CardBlock<const double> a, const double* v, double* out) {
  check(cublasDgemv(card.blas(), CUBLAS_OP_T, as_int(a.rows), as_int(a.cols), &kOne, a.data,
                    as_int(a.stride), v, 1, &kZero, out, 1));
}

void product_transposed(Card& card, CardBlock<const double> a, CardBlock<const double> b,
                        CardBlock<double> out) {
  check(cublasDgemm(card.blas(), CUBLAS_OP_T, CUBLAS_OP_N, as_int(a.cols), as_int(b.cols),
                    as_int(a.rows), &kOne, a.data, as_int(a.stride), b.data, as_int(b.stride),
                    &kZero, out.data, as_int(out.stride)));
}

void add_gram(Card& card, CardBlock<const double> a, double kept, CardBlock<double> out) {
  if (a.cols <= kNarrow) {
    // Half of it for nothing, but over many rows at once.
    check(cublasDgemm(card.blas(), CUBLAS_OP_T, CUBLAS_OP_N, as_int(a.cols), as_int(a.cols),
                      as_int(a.rows), &kOne, a.data, as_int(a.stride), a.data, as_int(a.stride),
                      &kept, out.data, as_int(out.stride)));
    return;
  }
  check(cublasDsyrk(card.blas(), CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, as_int(a.cols),
                    as_int(a.rows), &kOne, a.data, as_int(a.stride), &kept, out.data,
                    as_int(out.stride)));
}

void add_outer(Card& card, CardBlock<const double> a, double kept, CardBlock<double> out) {
  check(cublasDsyrk(card.blas(), CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, as_int(a.rows),
                    as_int(a.cols), &kOne, a.data, as_int(a.stride), &kept, out.data,
                    as_int(out.stride)));
}

}  // namespace ardent
