// A batch of signals on a card.
#pragma once

#include "ardent/cuda/card/coding/card_atoms.h"
#include "ardent/cuda/card/coding/kernels.h"
#include "ardent/inference/coding/signal_batch.h"

namespace ardent {

class CardBatch final : public SignalBatch {
 public:
  CardBatch(const CardAtoms& dictionary, const Matrix& signals, const BatchLasso& lasso);

  std::vector<Signal> signals() const override;
  void clear_codes(List which) override;
  void set_weights(List which, std::span<const double> lambdas, bool ones) override;
  std::vector<SolvedLasso> solve(List which) override;
  std::vector<double> find_posteriors(List which, bool reweight) override;
  std::vector<LeastSquaresFit> fit_least_squares(List which) override;
  std::vector<Code> codes(List which) const override;

  static std::size_t bytes_per_signal(Index rows, Index cols);

 private:
  coding::Batch view();
  coding::Signals listed(List which);
  coding::Scratch scratch(std::size_t per_block, int most_blocks);
  /// Φᵀ(y − Φθ) and the certificates of these signals.
  void certify(List which);
  std::size_t largest_set(List which) const;

  const CardAtoms& dictionary_;
  Card& card_;
  BatchLasso lasso_;
  Index count_;
  CardArray<double> y_, rho_, weights_, lambda_, theta_, variance_;
  CardArray<unsigned char> in_set_;
  CardArray<int> set_, set_size_, which_, next_;
  CardArray<coding::Signal> signal_;
  CardArray<coding::Solve> solve_;
  CardArray<coding::Evidence> evidence_;
  CardArray<double> residuals_, products_, scores_, scratch_;
};

}  // namespace ardent
