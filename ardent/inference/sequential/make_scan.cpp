#include "ardent/inference/sequential/make_scan.h"

#include "ardent/inference/sequential/bernoulli_scan.h"
#include "ardent/inference/sequential/gaussian_scan.h"

namespace ardent {

std::unique_ptr<BasisScan> make_basis_scan(const ActiveProblem& candidates) {
  if (candidates.likelihood == Likelihood::gaussian) {
    return std::make_unique<GaussianScan>(candidates);
  }
  return std::make_unique<BernoulliScan>(candidates);
}

}  // namespace ardent
