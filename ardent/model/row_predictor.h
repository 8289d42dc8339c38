// Prediction of one row from a row model, without allocation: scratch is the caller's.
#pragma once

#include <span>

#include "ardent/model/row_model.h"

namespace ardent {

class RowPredictor {
 public:
  explicit RowPredictor(RowModel model);

  const RowModel& model() const { return model_; }
  /// Numbers of scratch that the functions below need.
  Index scratch() const { return scratch_; }

  /// Classes: their probabilities go to `p`; returns the most probable. InputError as Predictor.
  Index classify(std::span<const double> row, std::span<double> p, double* scratch) const;
  /// Regression.
  double mean(std::span<const double> row, double* scratch) const;
  /// `mean` is that of the row; noise included.
  double variance(std::span<const double> row, double mean, double* scratch) const;

 private:
  /// Scaled inputs, then basis functions behind them; returns the latter.
  const double* basis(std::span<const double> row, double* scratch) const;
  void scale_inputs(std::span<const double> row, double* z) const;
  double score(const RowPart& part, const double* phi) const;
  double part_variance(const RowPart& part, const double* phi, double* sums) const;
  double process_variance(const double* z, double mean, double* kernels) const;
  void combine_pairs(const double* r, double* p, double* scratch) const;
  void temper(double* p) const;

  RowModel model_;
  std::vector<double> by_input_;  // points, basis functions of an input side by side
  std::vector<double> rows_by_input_;
  std::vector<std::vector<double>> covariances_;  // of each part: columns of its lower triangle
  Index scratch_ = 0;
};

}  // namespace ardent
