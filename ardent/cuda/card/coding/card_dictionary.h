// A dictionary on a card, and batches of signals over it.
#pragma once

#include "ardent/cuda/card/memory.h"
#include "ardent/inference/coding/dictionary.h"
#include "ardent/inference/coding/signal_batch.h"

namespace ardent {

/// The atoms, dense, and their Gram matrix ΦᵀΦ, which is computed once.
class CardDictionary final : public DeviceDictionary {
 public:
  CardDictionary(Card& card, const Dictionary& dictionary);

  Index most_signals() const override;
  std::unique_ptr<SignalBatch> batch(const Matrix& signals, const BatchLasso& lasso) override;

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  const double* atoms() const { return atoms_.data(); }
  const double* gram() const { return gram_.data(); }
  const double* norms() const { return norms_.data(); }
  Card& card() const { return card_; }

 private:
  Card& card_;
  Index rows_, cols_;
  CardArray<double> atoms_, gram_, norms_;
};

/// Null, and why, where the card has not the memory.
std::unique_ptr<DeviceDictionary> take_card_dictionary(Card& card, const Dictionary& dictionary,
                                                       std::string& refusal);

}  // namespace ardent
