#include "ardent/inference/doubly_sparse/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"

namespace ardent::doubly_sparse {
namespace {

constexpr double kFarFromCentre = 2.5;  // prior standard deviations of log ξ

/// Draws × chains of a scalar.
template <class Value>
Matrix gather(const std::vector<ChainTrace>& chains, Index draws, Value&& value) {
  Matrix result(draws, std::ssize(chains));
  for (Index c = 0; c < result.cols(); ++c) {
    for (Index s = 0; s < draws; ++s) {
      result(s, c) = value(chains[c], s);
    }
  }
  return result;
}

ChainsTraces traces_of(const std::vector<ChainTrace>& chains, Index draws) {
  const auto trace = [&](auto&& value) { return gather(chains, draws, value); };
  const auto count = [](std::size_t n) { return static_cast<double>(n); };
  ChainsTraces traces;
  traces.log_likelihood =
      trace([](const ChainTrace& c, std::size_t s) { return c.log_likelihood[s]; });
  traces.features_on =
      trace([&](const ChainTrace& c, std::size_t s) { return count(c.features[s].size()); });
  traces.basis_on =
      trace([&](const ChainTrace& c, std::size_t s) { return count(c.basis[s].size()); });
  traces.log_delta = trace([](const ChainTrace& c, std::size_t s) { return c.log_delta[s]; });
  traces.log_xi =
      trace([](const ChainTrace& c, std::size_t s) { return elementary::log(c.xi[s]); });
  traces.log_noise = trace(
      [](const ChainTrace& c, std::size_t s) { return elementary::log(c.noise_variance[s]); });
  for (const ChainTrace& chain : chains) {
    for (Index s = 0; s < draws; ++s) {
      traces.features.insert(traces.features.end(), chain.features[s].begin(),
                             chain.features[s].end());
    }
  }
  return traces;
}

using ActiveLists = std::vector<std::vector<std::uint32_t>>;

/// Inclusion probabilities of all elements, from the lists of those that were on.
std::vector<Estimate> inclusion(const std::vector<ChainTrace>& chains, Index draws, Index elements,
                                ActiveLists ChainTrace::*lists) {
  // For each element the places (draw, chain) where it was on: most are on rarely.
  const auto count = std::ssize(chains);
  std::vector<std::vector<std::pair<Index, Index>>> places(elements);
  for (Index c = 0; c < count; ++c) {
    const ActiveLists& active = chains[c].*lists;
    for (Index s = 0; s < draws; ++s) {
      for (const std::uint32_t e : active[s]) {
        places[e].emplace_back(s, c);
      }
    }
  }
  std::vector<Estimate> estimates;
  Matrix bits = Matrix::Zero(draws, count);
  for (const auto& on : places) {
    for (const auto& [s, c] : on) bits(s, c) = 1;
    estimates.push_back(estimate_probability(bits));
    for (const auto& [s, c] : on) bits(s, c) = 0;
  }
  return estimates;
}

void warn_of_disagreement(const ChainsSummary& summary, std::vector<std::string>& warnings) {
  const auto check = [&](const char* what, const Estimate& estimate) {
    if (estimate.r_hat <= kLargestRHat) return;
    warnings.push_back(
        fmt::format("the chains do not agree on {} (R-hat {:.2f}, above {}): run more sweeps, and "
                    "do not trust the inclusion probabilities beyond their spread",
                    what, estimate.r_hat, kLargestRHat));
  };
  check("the log likelihood", summary.log_likelihood);
  check("the number of features", summary.features_on);
  check("the number of basis points", summary.basis_on);
  check("delta", summary.log_delta);
  const auto disagreeing =
      std::count_if(summary.features.begin(), summary.features.end(),
                    [](const Estimate& estimate) { return estimate.r_hat > kLargestRHat; });
  if (disagreeing > 0) {
    warnings.push_back(fmt::format("the chains do not agree on {} of {} features (R-hat above {})",
                                   disagreeing, summary.features.size(), kLargestRHat));
  }
}

/// What the prior of the weights' scale has to do with it, where it has.
void warn_of_scale(const ChainsResult& result, ChainsSummary& summary) {
  const CollapsedOptions& options = result.options;
  if (result.likelihood != Likelihood::bernoulli || !options.sample_xi) return;
  if (summary.log_likelihood.r_hat <= kLargestRHat) return;
  const double from_centre = (summary.log_xi.mean - elementary::log(options.xi)) / options.xi_sd;
  if (options.xi_prior == ScalePriorKind::gamma) {
    summary.warnings.emplace_back(
        "the prior of xi lets weights grow without end where classes separate, and chains wander: "
        "xi-prior log-normal lets them agree");
  } else if (from_centre < -kFarFromCentre) {
    summary.warnings.push_back(
        fmt::format("the data want larger weights than the prior of xi (log xi {:.1f}, {:.1f} "
                    "standard deviations below its centre): a smaller xi, or a larger xi-sd, "
                    "lets them have these",
                    summary.log_xi.mean, -from_centre));
  } else {
    summary.warnings.push_back(fmt::format(
        "a smaller xi-sd than {:g} holds the scale of the weights and lets chains agree "
        "sooner",
        options.xi_sd));
  }
}

}  // namespace

ChainsSummary summarise(const ChainsResult& result, Index features, Index candidates) {
  const std::vector<ChainTrace>& chains = result.chains;
  Index draws = chains.front().kept();
  for (const ChainTrace& chain : chains) draws = std::min(draws, chain.kept());
  ChainsSummary summary;
  summary.ending = result.ending;
  summary.agreement = result.agreement;
  if (draws < 4) {
    summary.features.resize(features);
    summary.basis.resize(candidates);
    summary.warnings.push_back(
        fmt::format("only {} sweeps were kept: too few for inclusion probabilities", draws));
    return summary;
  }
  summary.features = inclusion(chains, draws, features, &ChainTrace::features);
  summary.basis = inclusion(chains, draws, candidates, &ChainTrace::basis);
  summary.traces = traces_of(chains, draws);
  summary.log_likelihood = estimate(summary.traces.log_likelihood);
  summary.features_on = estimate(summary.traces.features_on);
  summary.basis_on = estimate(summary.traces.basis_on);
  summary.log_delta = estimate(summary.traces.log_delta);
  summary.log_xi = estimate(summary.traces.log_xi);
  summary.log_noise = estimate(summary.traces.log_noise);
  double kept = 0;
  for (const ChainTrace& chain : chains) {
    kept += static_cast<double>(chain.kept());
    summary.feature_flips += static_cast<double>(chain.feature_flips);
    summary.basis_flips += static_cast<double>(chain.basis_flips);
    summary.delta_acceptance += static_cast<double>(chain.delta_accepted);
  }
  summary.feature_flips /= kept;
  summary.basis_flips /= kept;
  const Index delta_moves = result.options.delta_moves * (1 + result.options.refreshes);
  summary.delta_acceptance /= kept * std::max(1.0, static_cast<double>(delta_moves));
  warn_of_disagreement(summary, summary.warnings);
  warn_of_scale(result, summary);
  for (std::size_t c = 0; c < chains.size(); ++c) {
    const bool features_frozen = result.options.select_features && chains[c].feature_flips == 0;
    if (!features_frozen && chains[c].basis_flips > 0) continue;
    summary.warnings.push_back(fmt::format("chain {} is frozen: no {} changed in {} sweeps", c + 1,
                                           chains[c].basis_flips > 0 ? "feature" : "basis point",
                                           chains[c].kept()));
  }
  return summary;
}

}  // namespace ardent::doubly_sparse
