// The kernel columns of the active basis points, with the evidence that they have: what the moves
// of the collapsed sampler ask of and change.
//
// Only active columns exist: N×m distances and kernel values. A trial (a feature toggled, another
// δ) is computed beside the current columns in one pass over blocks of rows that stay in cache:
// O(N m) distances, O(N m) exponentials, O(N m²) for Q; to accept it is to exchange the two.
#pragma once

#include "ardent/inference/doubly_sparse/collapsed_evidence.h"
#include "ardent/inference/doubly_sparse/problem.h"

namespace ardent::doubly_sparse {

/// Prior precision of the bias column: a standard deviation of 10, wide on the scale of log odds.
inline constexpr double kBiasPrecision = 0.01;

class CollapsedColumns {
 public:
  /// For a problem, which must outlive it. With a bias, column 0 is constant 1.
  CollapsedColumns(const KernelProblem& problem, bool bias);

  /// Takes the state's masks, s, δ and ξ, and computes distances and kernel values from scratch.
  void start(const KernelState& state);
  /// Row precisions and pseudo-targets (see CollapsedEvidence); computes the evidence from scratch.
  void set_weights_and_target(Vector omega, Vector kappa);

  const std::vector<Index>& basis() const { return basis_; }
  const std::vector<std::uint8_t>& features() const { return features_; }
  Index features_on() const { return features_on_; }
  double delta() const { return delta_; }
  const Vector& scales() const { return scales_; }
  double scale(Index k) const { return scales_.size() == 0 ? 1 : scales_[k]; }
  double xi() const { return xi_; }
  const CollapsedEvidence& evidence() const { return evidence_; }

  /// f = K w, the weights in the order of the columns (the bias, where there is one, first).
  Vector predictor(const Vector& weights) const;

  /// What becomes of a feature: whether it is on, and with which s.
  struct FeatureChange {
    Index feature = 0;
    bool on = false;
    double scale = 1;
  };
  /// Change of the evidence if these features became what they say and δ became `delta`;
  /// accept_trial() then makes it so. Any other change in between forgets the trial.
  double try_features(const std::vector<FeatureChange>& changes, double delta);
  /// The same if feature k is toggled, feature `in` comes for `out` and takes its s, or δ becomes
  /// `delta`.
  double try_feature(Index k) { return try_features({{k, features_[k] == 0, scale(k)}}, delta_); }
  double try_swap(Index in, Index out);
  double try_delta(double delta) { return try_features({}, delta); }
  void accept_trial();
  /// δ and s of all features on exp(shift) times and exp(−shift) times what they are: the columns
  /// stay.
  void shift_width(double shift);

  /// The evidence if ξ were `xi`; set_xi() makes it so.
  CollapsedEvidence evidence_at(double xi) const;
  void set_xi(double xi);

  /// Change of the evidence if candidate c (not active) is added; accept_birth() then adds it.
  double try_birth(Index c);
  void accept_birth();
  /// Change if the basis point at position j of basis() is taken out; remove() does.
  double change_by_death(Index j) const;
  void remove(Index j);

 private:
  Index offset() const { return bias_ ? 1 : 0; }
  Index columns() const { return offset() + std::ssize(basis_); }
  void reserve(Index columns);
  Vector prior_precision(double xi) const;
  /// Kernel values of `distances` at `delta`, with Q and v of all columns.
  template <class Distances>
  CollapsedEvidence evaluate(double delta, Matrix& kernel, Distances&& distances_of_rows) const;

  const KernelProblem& problem_;
  bool bias_;
  std::vector<std::uint8_t> features_;
  Vector scales_;
  Index features_on_ = 0;
  std::vector<Index> basis_;
  double delta_ = 1;
  double xi_ = 1;
  Vector omega_, kappa_;
  Matrix distances_, kernel_;  // N × capacity; kernel_ has the bias column first
  CollapsedEvidence evidence_;

  Matrix trial_distances_, trial_kernel_;
  CollapsedEvidence trial_;
  std::vector<FeatureChange> trial_features_;
  double trial_delta_ = 1;

  Vector birth_distance_, birth_kernel_;
  ColumnProducts birth_products_;
  Index birth_ = -1;
};

}  // namespace ardent::doubly_sparse
