// The predictive variance of a relevance vector machine away from its data: one more basis function
// at the row that is predicted (Rasmussen and Quiñonero-Candela 2005, "Healing the relevance vector
// machine through augmentation").
//
// Kernels that are kept say nothing of where they are all 0: there φᵀΣφ falls to the variance of
// the bias, and a model is surest where it knows least. So the row x* that is predicted gets a
// kernel of its own, φ*(x) = k(x, x*), with weight w* ~ N(0, 1/α*), and the posterior of the wider
// model is asked. With B the precisions of the N training rows, Φ the kernels kept (and 1 for the
// bias), Σ their posterior covariance, φ* the new kernel on the training rows:
//
//   p = ΦᵀBφ*,  c = α* + φ*ᵀBφ* − pᵀΣp,  e = φ*(x*) − φ(x*)ᵀΣp,
//   variance of f(x*) = φ(x*)ᵀΣφ(x*) + e²/c
//
// On a training row that the kernels explain e²/c is small; far from all rows it is 1/α*, the
// variance of the training target. The mean stays that of the model. Costs the training rows in the
// model file, and N (inputs + m) multiplications for each row that is predicted.
#pragma once

#include <memory>

#include "ardent/inference/posterior.h"
#include "ardent/maps/feature_map.h"

namespace ardent {

class ArrayFile;
class ArrayFileWriter;

/// e²/c for each column of `kernels`. N training rows, T rows that are predicted, m kernels kept.
struct AugmentedRows {
  Matrix phi;                  // N×m: the kernels kept, on the training rows
  Vector precisions;           // N: B
  double prior_precision = 1;  // α*

  /// `kernels`: N×T, the kernel of each predicted row on the training rows; `phi_new`: T×m, the
  /// kernels kept on the predicted rows. The posterior must have its covariance.
  Vector extra_variance(const Posterior& posterior, const Matrix& kernels,
                        const Matrix& phi_new) const;
};

/// The training rows of an rbf regression, kept with its model.
class Augmentation {
 public:
  /// `kernels`: rbf, with a centre on each training row; `counts`: how often each counts; `map`:
  /// rbf, of the posterior's basis functions.
  Augmentation(MapPointer kernels, Vector counts, double prior_variance, const FeatureMap& map,
               const Posterior& posterior);

  Index size() const { return kernels_->size(); }
  /// e²/c of each of these rows; `phi`: the posterior's basis functions on them.
  Vector extra_variance(const Posterior& posterior, const Features& scaled,
                        const Matrix& phi) const;

  void save(ArrayFileWriter& file) const;
  /// Null where the file has none; InputError where it contradicts itself.
  static std::shared_ptr<const Augmentation> load(const ArrayFile& file, const FeatureMap& map,
                                                  const Posterior& posterior, Index inputs);

 private:
  MapPointer kernels_;
  Vector counts_;
  double prior_variance_;
  AugmentedRows rows_;
};

/// Of at most 2,000 training rows, evenly spaced: then each counts for those left out, too. Null
/// unless `map` is rbf and the posterior has its covariance. `weights`: of the rows; empty: all 1.
std::shared_ptr<const Augmentation> make_augmentation(const FeatureMap& map,
                                                      const Posterior& posterior,
                                                      const Features& scaled, const Vector& target,
                                                      const Vector& weights);

}  // namespace ardent
