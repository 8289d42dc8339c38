// A dictionary on a card, and batches of signals over it.
#pragma once

#include "ardent/cuda/card/coding/card_atoms.h"
#include "ardent/inference/coding/signal_batch.h"

namespace ardent {

class CardDictionary final : public DeviceDictionary {
 public:
  CardDictionary(Card& card, const Dictionary& dictionary) : atoms_(card, dictionary) {}

  Index most_signals() const override;
  std::unique_ptr<SignalBatch> batch(const Matrix& signals, const BatchLasso& lasso) override;

 private:
  CardAtoms atoms_;
};

/// Null, and why, where the card has not the memory.
std::unique_ptr<DeviceDictionary> take_card_dictionary(Card& card, const Dictionary& dictionary,
                                                       std::string& refusal);

}  // namespace ardent
