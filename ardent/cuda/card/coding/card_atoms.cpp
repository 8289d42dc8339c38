#include "ardent/cuda/card/coding/card_atoms.h"

#include <mutex>
#include <span>

#include "ardent/cuda/card/coding/kernels.h"

namespace ardent {
namespace {

Matrix dense_atoms(const Dictionary& dictionary) {
  Matrix atoms(dictionary.rows(), dictionary.cols());
  Vector atom;
  for (Index j = 0; j < dictionary.cols(); ++j) {
    atom.setZero(dictionary.rows());
    dictionary.add_scaled(j, 1, atom);
    atoms.col(j) = atom;
  }
  return atoms;
}

std::span<const double> numbers(const Matrix& matrix) {
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}

}  // namespace

CardAtoms::CardAtoms(Card& card, const Dictionary& dictionary)
    : card_(card), rows_(dictionary.rows()), cols_(dictionary.cols()) {
  const std::lock_guard turn(card_.turn());
  atoms_ = CardArray<double>(card, numbers(dense_atoms(dictionary)));
  norms_ = CardArray<double>(card, numbers(dictionary.norms()));
  gram_ = CardArray<double>(card, static_cast<std::size_t>(cols_) * cols_);
  const auto n = static_cast<int>(cols_);
  coding::multiply(card, atoms(), n, atoms(), n, static_cast<int>(rows_), gram_.data());
}

}  // namespace ardent
