// The two engines with an exact evidence on a dense design, by likelihood.
#pragma once

#include "ardent/design/dense.h"
#include "ardent/inference/engines/exact.h"
#include "ardent/inference/sequential/sequential.h"

namespace ardent {

inline Fit exact_classify(const Matrix& phi, const Vector& t, const EngineOptions& options = {}) {
  return fit_exact(DenseDesign(phi), {Likelihood::bernoulli, t}, options);
}

inline Fit exact_regress(const Matrix& phi, const Vector& t, const EngineOptions& options = {}) {
  return fit_exact(DenseDesign(phi), {Likelihood::gaussian, t}, options);
}

inline Fit sequential_classify(const Matrix& phi, const Vector& t,
                               const EngineOptions& options = {}) {
  return fit_sequential(DenseDesign(phi), {Likelihood::bernoulli, t}, options);
}

inline Fit sequential_regress(const Matrix& phi, const Vector& t,
                              const EngineOptions& options = {}) {
  return fit_sequential(DenseDesign(phi), {Likelihood::gaussian, t}, options);
}

}  // namespace ardent
