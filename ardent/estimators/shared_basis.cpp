#include "ardent/estimators/shared_basis.h"

namespace ardent {
namespace {

/// Every active set of a fit: the posterior's, and those of the stages on its path.
template <class Visit>
void visit_active(Fit& fit, const Visit& visit) {
  visit(fit.posterior.active);
  for (PathPoint& stage : fit.report.path) visit(stage.active);
}

}  // namespace

std::vector<Index> share_basis(Index candidates, std::vector<Fit>& fits) {
  std::vector<Index> place(candidates, -1), kept;
  for (Fit& fit : fits) {
    visit_active(fit, [&](std::vector<Index>& active) {
      for (const Index k : active) place[k] = 0;
    });
  }
  for (std::size_t k = 0; k < place.size(); ++k) {
    if (place[k] < 0) continue;
    place[k] = std::ssize(kept);
    kept.push_back(k);
  }
  for (Fit& fit : fits) {
    visit_active(fit, [&](std::vector<Index>& active) {
      for (Index& k : active) k = place[k];
    });
  }
  return kept;
}

}  // namespace ardent
