#include "ardent/cuda/card/coding/card_dictionary.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/cuda/card/coding/card_batch.h"
#include "ardent/cuda/card/coding/kernels.h"

namespace ardent {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;
constexpr double kShareOfDictionary = 0.8;
constexpr double kShareOfBatch = 0.5;  // of the free memory; working sets take some of the rest
constexpr Index kMostSignals = 16384;

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

CardDictionary::CardDictionary(Card& card, const Dictionary& dictionary)
    : card_(card), rows_(dictionary.rows()), cols_(dictionary.cols()) {
  const std::lock_guard turn(card_.turn());
  atoms_ = CardArray<double>(card, numbers(dense_atoms(dictionary)));
  norms_ = CardArray<double>(card, numbers(dictionary.norms()));
  gram_ = CardArray<double>(card, static_cast<std::size_t>(cols_) * cols_);
  const auto n = static_cast<int>(cols_);
  coding::multiply(card, atoms(), n, atoms(), n, static_cast<int>(rows_), gram_.data());
}

Index CardDictionary::most_signals() const {
  const double each = static_cast<double>(CardBatch::bytes_per_signal(rows_, cols_));
  const double there = kShareOfBatch * static_cast<double>(card_.free_bytes());
  return std::clamp<Index>(static_cast<Index>(there / each), 1, kMostSignals);
}

std::unique_ptr<SignalBatch> CardDictionary::batch(const Matrix& signals, const BatchLasso& lasso) {
  return std::make_unique<CardBatch>(*this, signals, lasso);
}

std::unique_ptr<DeviceDictionary> take_card_dictionary(Card& card, const Dictionary& dictionary,
                                                       std::string& refusal) {
  const Index rows = dictionary.rows(), cols = dictionary.cols();
  const double numbers = static_cast<double>(rows + cols + 1) * static_cast<double>(cols);
  const double needed = sizeof(double) * numbers / kGiB;
  const double there = static_cast<double>(card.free_bytes()) / kGiB;
  if (needed <= kShareOfDictionary * there) {
    return std::make_unique<CardDictionary>(card, dictionary);
  }
  refusal = fmt::format(
      "{} atoms of length {} and their products with each other take {:.1f} GiB, and the card has "
      "{:.1f} GiB free: take fewer atoms",
      cols, rows, needed, there);
  return nullptr;
}

}  // namespace ardent
