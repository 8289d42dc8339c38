#include "ardent/cuda/card/coding/card_dictionary.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/cuda/card/coding/card_batch.h"

namespace ardent {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;
constexpr double kShareOfDictionary = 0.8;
constexpr double kShareOfBatch = 0.5;  // of the free memory; working sets take some of the rest
constexpr Index kMostSignals = 16384;

}  // namespace

Index CardDictionary::most_signals() const {
  const double each = static_cast<double>(CardBatch::bytes_per_signal(atoms_.rows(), atoms_.cols()));
  const double there = kShareOfBatch * static_cast<double>(atoms_.card().free_bytes());
  return std::clamp<Index>(static_cast<Index>(there / each), 1, kMostSignals);
}

std::unique_ptr<SignalBatch> CardDictionary::batch(const Matrix& signals, const BatchLasso& lasso) {
  return std::make_unique<CardBatch>(atoms_, signals, lasso);
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
