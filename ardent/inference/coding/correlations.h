// Where the solver gets c = Φᵀr and the Gram matrix of its working set from. Two ways:
//
//   residual   c = Φ_Aᵀr over the atoms A that are still possible and may violate their constraint:
//              N·|A| operations a time. Cheapest for one dense signal, as A shrinks fast.
//   rows       c = ρ − Σ_j θ_j Φᵀφ_j: |S|·|A| operations, whatever N, once the Gram rows of the
//              working set are there. Cheapest when signals or reweightings share the rows, and for
//              sparse atoms.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "ardent/inference/coding/gram_rows.h"
#include "ardent/inference/coding/lasso_problem.h"

namespace ardent {

class Correlations {
 public:
  virtual ~Correlations() = default;
  /// From now on only these atoms (ascending, a subset of those before) are asked for.
  virtual void restrict_to(std::span<const Index> atoms) = 0;
  /// c at the atoms last restricted to; elsewhere it stays as it was.
  virtual void update(const SparseCode& code, const Vector& residual, Vector& c) = 0;
  /// φ_iᵀφ_j for the atoms i of `all` and the last `fresh` of them (columns).
  virtual Matrix gram(std::span<const Index> all, Index fresh) = 0;
};

/// φ_iᵀφ_j for the atoms i of `all` and the last `fresh` of them (columns), from the atoms
/// themselves.
Matrix gram_of(const Dictionary& dictionary, std::span<const Index> all, Index fresh);

/// An atom is looked at only if it may violate its constraint: with c' = φᵀr' known of an earlier
/// residual r',   |φᵀr| ≤ |α c'| + ‖φ‖·‖r − αr'‖,   and where that is below w it stands for |φᵀr|.
/// It is larger, so that what is feasible or rejected by it is so for certain.
class ResidualCorrelations final : public Correlations {
 public:
  explicit ResidualCorrelations(const LassoProblem& problem);
  void restrict_to(std::span<const Index> atoms) override;
  void update(const SparseCode& code, const Vector& residual, Vector& c) override;
  Matrix gram(std::span<const Index> all, Index fresh) override;

  /// An update in two steps, for solves that go together: c of the atoms that need no look, and
  /// those that do; then their products with the residual.
  const std::vector<Index>& find_unsure(const Vector& residual, Vector& c);
  void accept(const Vector& products, const Vector& residual, Vector& c);

 private:
  const LassoProblem& problem_;
  std::vector<Index> unsure_;
  std::vector<Index> atoms_;
  std::vector<Vector> residuals_;  // of earlier updates; the first is the signal
  Vector known_;                   // φᵀr' of each atom
  std::vector<std::size_t> when_;  // which r' that was
};

class RowCorrelations final : public Correlations {
 public:
  RowCorrelations(GramRows& rows, const Vector& rho) : rows_(rows), rho_(rho) {}
  void restrict_to(std::span<const Index> atoms) override;
  void update(const SparseCode& code, const Vector& residual, Vector& c) override;
  Matrix gram(std::span<const Index> all, Index fresh) override;

  /// Holds these rows from now on, so that they are computed together.
  void fetch(std::span<const Index> atoms);
  const Vector& row(Index atom) const { return *held_.at(atom); }

 private:
  GramRows& rows_;
  const Vector& rho_;
  std::vector<Index> atoms_;
  bool everything_ = true;
  std::unordered_map<Index, GramRows::Row> held_;
};

}  // namespace ardent
