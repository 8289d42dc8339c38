#include "ardent/inference/evidence/support_odds.h"

#include <algorithm>
#include <limits>

#include "ardent/base/elementary.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/inference/evidence/support_prior.h"

namespace ardent {

SupportOdds support_odds(const Posterior& posterior, double candidates) {
  const Index m = posterior.mean.size();
  const double cost = m > 0 ? SupportPrior(candidates).cost(m - 1) : 0;
  SupportOdds result{Vector(m), 0};
  for (Index k = 0; k < m; ++k) {
    const double share = std::clamp(posterior.alpha[k] * posterior.variance[k],
                                    std::numeric_limits<double>::min(), 1.0);
    const double signal = posterior.mean[k] * (posterior.mean[k] / posterior.variance[k]);
    result.log_odds[k] = (signal + elementary::log(share)) / 2 - cost;
    result.expected_false += bernoulli::sigmoid(-result.log_odds[k]);
  }
  return result;
}

}  // namespace ardent
