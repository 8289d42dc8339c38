// What chains say: inclusion probabilities with their Monte-Carlo error, and whether to believe it.
#pragma once

#include <string>

#include "ardent/inference/doubly_sparse/chains.h"
#include "ardent/inference/doubly_sparse/diagnostics.h"

namespace ardent::doubly_sparse {

/// Sweeps after burn-in × chains.
struct ChainsTraces {
  Matrix log_likelihood, features_on, basis_on, log_delta, log_xi, log_noise;
  /// Features that were on, chain by chain and sweep by sweep: features_on says how many in each.
  std::vector<Index> features;
};

struct ChainsSummary {
  std::vector<Estimate> features;  // inclusion probabilities, one per feature
  std::vector<Estimate> basis;     // one a candidate
  Estimate log_likelihood, features_on, basis_on, log_delta, log_xi, log_noise;
  ChainsTraces traces;          // empty where too few sweeps were kept
  double feature_flips = 0;     // a sweep, mean over chains
  double basis_flips = 0;       // births and deaths a sweep
  double delta_acceptance = 0;  // of the proposals of δ
  Ending ending = Ending::sweeps;
  Agreement agreement;  // at the last look, where the chains ran until they agree
  std::vector<std::string> warnings;
};

/// R̂ above which chains are said to disagree.
inline constexpr double kLargestRHat = 1.1;

/// Of chains cut to the shortest one's length (they differ only where a run was stopped). Warns of
/// chains that disagree, of ones in which nothing flips, and of too few draws to know.
ChainsSummary summarise(const ChainsResult& result, Index features, Index candidates);

}  // namespace ardent::doubly_sparse
