// What chains say: inclusion probabilities with their Monte-Carlo error, and whether to believe it.
#pragma once

#include <string>

#include "ardent/inference/masks/chains.h"
#include "ardent/inference/masks/diagnostics.h"

namespace ardent::masks {

/// Sweeps after burn-in × chains.
struct MaskTraces {
  Matrix log_likelihood, features_on, basis_on, log_delta, log_xi, log_noise;
};

struct MaskSummary {
  std::vector<Estimate> features;  // inclusion probabilities, one a feature
  std::vector<Estimate> basis;     // one a candidate
  Estimate log_likelihood, features_on, basis_on, log_delta, log_xi, log_noise;
  MaskTraces traces;            // empty where too few sweeps were kept
  double feature_flips = 0;     // a sweep, mean over chains
  double basis_flips = 0;       // births and deaths a sweep
  double delta_acceptance = 0;  // of the proposals of δ
  std::vector<std::string> warnings;
};

/// R̂ above which chains are said to disagree.
inline constexpr double kLargestRHat = 1.1;

/// Of chains cut to the shortest one's length (they differ only where a run was stopped). Warns of
/// chains that disagree, of ones in which nothing flips, and of too few draws to tell.
MaskSummary summarise(const ChainsResult& result, Index features, Index candidates);

}  // namespace ardent::masks
