// A dense design in a card's memory: what the exact engine works on there. Vectors come from the
// host and go back to it; matrices stay. As long as it or a copy of it lives it is its thread's
// turn with the card: fits come one after the other, each with all of the memory.
#pragma once

#include <memory>
#include <mutex>

#include "ardent/cuda/card/matrix.h"
#include "ardent/design/design.h"

namespace ardent {

class CardDesign : public Design {
 public:
  using Turn = std::lock_guard<std::recursive_mutex>;

  CardDesign(Card& card, std::shared_ptr<const Turn> turn, std::shared_ptr<const CardMatrix> phi);

  std::unique_ptr<Design> clone() const override;

  /// The numbers without their columns' factors (column_factors()).
  const CardMatrix& unscaled() const { return *phi_; }
  Card& card() const { return card_; }

  /// [Phi 1]ᵀ diag(beta) [Phi 1], without factors, both triangles; the last row is of the ones,
  /// where there is a `border`.
  CardMatrix gram(const Vector& beta, bool border) const;
  /// The same, kept for whoever asks again, here or of what is kept of this design.
  std::shared_ptr<const CardMatrix> kept_gram(const Vector& beta, bool border) const;
  /// Phi diag(gamma) Phiᵀ, without factors, both triangles.
  CardMatrix outer(const Vector& gamma) const;

 protected:
  void do_multiply(const Eigen::Ref<const Vector>& w, Vector& out) const override;
  void do_multiply_transposed(const Vector& r, Vector& out) const override;
  void do_weighted_square_norms(const Vector& beta, Vector& out) const override;
  void do_weighted_gram(const Vector& beta, Matrix& out) const override;
  void do_weighted_outer(const Vector& gamma, Matrix& out) const override;
  void do_columns(std::span<const Index> which, Matrix& out) const override;
  void do_keep(std::span<const Index> active) override;

 private:
  /// A Gram matrix of some row weights.
  struct KeptGram {
    Vector beta;
    bool border;
    CardMatrix values;
  };

  Card& card_;
  std::shared_ptr<const Turn> turn_;
  std::shared_ptr<const CardMatrix> phi_;         // shared between copies until one is pruned
  mutable std::shared_ptr<const KeptGram> gram_;  // null: not asked for yet
};

/// The design on the card: formed there of its points if it knows them, else brought there a panel
/// of columns at a time. InputError where an exact fit of it needs more memory than is free.
std::unique_ptr<CardDesign> make_card_design(Card& card, const Design& design);

}  // namespace ardent
