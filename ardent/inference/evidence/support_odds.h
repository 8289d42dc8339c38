// How likely each column that is kept belongs there, the others held as they are.
//
//   log odds_k = ½(w_k²/Σ_kk + log(alpha_k Σ_kk)) − cost(m − 1)
//
// what the evidence gains by having column k at its precision (sequential/actions.h, with
// alpha_k Σ_kk = 1 − γ_k) less its price (support_prior.h; 0 without a prior). The sum of the
// probabilities of not belonging is the expected number of false discoveries among those kept.
#pragma once

#include "ardent/inference/posterior.h"

namespace ardent {

struct SupportOdds {
  Vector log_odds;            // of each kept column
  double expected_false = 0;  // Σ 1/(1 + odds)
};

/// `candidates`: P of the prior on the support; 0: there is none.
SupportOdds support_odds(const Posterior& posterior, double candidates);

}  // namespace ardent
