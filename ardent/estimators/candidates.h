// The basis functions offered to the evidence, before it prunes them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ardent/design/design.h"
#include "ardent/estimators/shared_distances.h"
#include "ardent/estimators/train_options.h"
#include "ardent/model/model.h"

namespace ardent {

/// The training rows after scaling, under the feature map that the options ask for.
class Candidates {
 public:
  /// `scaled`: the scaled inputs of all training rows. `distances` (may be null, must outlive this)
  /// holds distances among them for trainings that differ in sigma.
  Candidates(Features scaled, const TrainOptions& options, SharedDistances* distances = nullptr);

  /// The design of these training rows. For the rbf map its columns are these rows, each once
  /// however often it is given; for the others all features or hidden nodes.
  std::unique_ptr<Design> design(std::span<const Index> rows) const;
  /// The design of other rows over the columns of design(of).
  std::unique_ptr<Design> design(std::span<const Index> rows, std::span<const Index> of) const;
  /// rbf: which training rows the columns of design(rows) are.
  std::vector<Index> centres(std::span<const Index> rows) const;
  /// The basis made of these candidates (ascending); for the linear map they become the inputs.
  Basis basis(std::span<const Index> kept) const;
  /// How many candidates there are in all.
  Index size() const;
  MapKind kind() const { return kind_; }

 private:
  std::unique_ptr<Design> kernel_design(std::span<const Index> rows) const;
  /// Positions among `rows` of those that are not copies of an earlier one.
  std::vector<Index> distinct(std::span<const Index> rows) const;

  MapKind kind_;
  Features scaled_;
  std::vector<Index> first_copy_;  // rbf: of each row; empty: no row is given twice
  double sigma_ = 1;
  SharedDistances* distances_;
  DenseRows hidden_weights_;
  std::vector<double> hidden_biases_;
};

/// Twice the median distance between distinct rows, from at most 1,000 evenly spaced ones; 1 if
/// that is 0.
double automatic_sigma(const Features& rows);

}  // namespace ardent
