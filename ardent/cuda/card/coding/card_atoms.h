// The atoms of a dictionary on a card.
#pragma once

#include "ardent/cuda/card/memory.h"
#include "ardent/inference/coding/dictionary.h"

namespace ardent {

/// Dense, with their Gram matrix ΦᵀΦ, which is computed once.
class CardAtoms {
 public:
  CardAtoms(Card& card, const Dictionary& dictionary);

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

}  // namespace ardent
