// A design in a card's memory: the active columns, and a column of ones for the bias after them.
#pragma once

#include <memory>

#include "ardent/cuda/card/memory.h"
#include "ardent/design/design.h"
#include "ardent/inference/posterior.h"

namespace ardent {

/// Which columns are kept, on the card.
struct KeptColumns {
  const std::uint32_t* positions;  // ascending, `count` of them, the bias not among them
  std::size_t count;
  const std::uint32_t* new_number;  // of every column; SparseRowsOnCard::kDropped: it goes
};

class DesignOnCard {
 public:
  virtual ~DesignOnCard() = default;

  std::size_t rows() const { return rows_; }
  /// Columns, and one more with the bias: the length of vectors of weights.
  std::size_t weights() const { return columns_ + (has_bias_ ? 1 : 0); }
  /// Products with Phi or Phiᵀ so far.
  const Passes& passes() const { return passes_; }

  /// out = (Phi w) ∘ multiplier; null: Phi w
  void multiply(const double* w, const double* multiplier, double* out);
  /// out = factor Phiᵀ r + alpha ∘ v
  void multiply_transposed(const double* r, double factor, const double* alpha, const double* v,
                           double* out);
  /// out_k = Σ_i beta_i phi_ik² + alpha_k
  void weighted_square_norms(const double* beta, const double* alpha, double* out);
  void keep(const KeptColumns& kept);

 protected:
  DesignOnCard(Card& card, std::size_t rows, std::size_t columns, bool has_bias);
  std::size_t columns() const { return columns_; }

  // The same of the columns that are not the bias's; `constant` (one number, or null) is added to
  // Phi w.
  virtual void do_multiply(const double* w, const double* constant, const double* multiplier,
                           double* out) = 0;
  virtual void do_multiply_transposed(const double* r, double factor, const double* alpha,
                                      const double* v, double* out) = 0;
  virtual void do_weighted_square_norms(const double* beta, const double* alpha, double* out) = 0;
  virtual void do_keep(const KeptColumns& kept) = 0;
  virtual std::size_t values() const = 0;  // that a product reads

  Card& card_;

 private:
  void count_pass();

  std::size_t rows_, columns_;
  bool has_bias_;
  Passes passes_;
};

/// A copy of the design, which may be WithBias; sparse where it is a SparseDesign. InputError where
/// several processes share the rows.
std::unique_ptr<DesignOnCard> design_on_card(Card& card, const Design& phi);

}  // namespace ardent
