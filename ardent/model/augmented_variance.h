// The predictive variance of a relevance vector machine away from its data.
//
// Kernels that are kept say nothing of where they are all 0: there φᵀΣφ falls to the variance of
// the bias, and a model is surest where it knows least. So every training row, and the row that is
// predicted, is given its kernel back: the Gaussian process of kernel_process.h, with the model's
// width and noise. Its mean is another than the few kernels': between the data they can be far
// apart. The variance is therefore what the process expects of the square error of the model's own
// mean m(x*), which stays as it is:
//
//   E (f(x*) − m(x*))² = process variance at x* + (process mean at x* − m(x*))²
//
// Rasmussen and Quiñonero-Candela (2005, "Healing the relevance vector machine through
// augmentation") give a kernel to the predicted row alone. That is not enough: rows at the edges of
// a gap fix its weight, and 95% intervals in the gap of a wave cover from 9 to 60%
// (docs/algorithms.md). Costs the training rows in the model file, and N² multiplications for each
// row that is predicted.
#pragma once

#include <memory>

#include "ardent/inference/evidence/kernel_process.h"
#include "ardent/inference/posterior.h"
#include "ardent/maps/feature_map.h"

namespace ardent {

class Container;
class ContainerWriter;

/// What a model's mean is off by, squared, on new rows: as the process expects it. `kernels`: N×T,
/// between the process's rows and the new ones; `model_mean`: T.
Vector expected_square_error(const KernelProcess& process, const ProcessMean& mean,
                             double amplitude, const Matrix& kernels, const Vector& model_mean);

/// The training rows of an rbf regression, kept with its model.
class Augmentation {
 public:
  /// `kernels`: rbf, with a centre on each training row; `counts`: how often each counts.
  Augmentation(MapPointer kernels, Vector counts, ProcessMean mean, const ProcessPrior& prior);

  Index size() const { return kernels_->size(); }
  const ProcessPrior& prior() const { return prior_; }
  const ProcessMean& mean() const { return mean_; }
  const KernelProcess& process() const { return process_; }
  /// Scaled.
  const Features& training_rows() const;
  /// Of f at these rows, where the model's mean is `model_mean`.
  Vector variance(const Features& scaled, const Vector& model_mean) const;

  void save(ContainerWriter& file) const;
  /// Null where the file has none; InputError where it contradicts itself.
  static std::shared_ptr<const Augmentation> load(const Container& file, const FeatureMap& map,
                                                  const Posterior& posterior, Index inputs);

 private:
  MapPointer kernels_;
  Vector counts_;
  ProcessMean mean_;
  ProcessPrior prior_;
  KernelProcess process_;
};

/// Of at most 1,000 training rows, evenly spaced: then each counts for those left out, too. Null
/// unless `map` is rbf and the posterior has its covariance. `weights`: of the rows; empty: all 1.
std::shared_ptr<const Augmentation> make_augmentation(const FeatureMap& map,
                                                      const Posterior& posterior,
                                                      const Features& scaled, const Vector& target,
                                                      const Vector& weights);

}  // namespace ardent
