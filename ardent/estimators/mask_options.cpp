#include "ardent/estimators/mask_options.h"

namespace ardent {

void add_mask_options(OptionTable& table, MaskOptions& options) {
  table.add("sampler", options.sampler,
            "map doubly-sparse: collapsed, Polya-Gamma Gibbs with the weights integrated out; "
            "paper, the published FS-SKLR-SaVB (two classes, 40 sweeps of features, then 40 of "
            "basis points, best state kept); paper-basis, the published SKLR-SaVB (basis points "
            "only)",
            {"collapsed", "paper", "paper-basis"});
  table.add("mask-prior", options.prior,
            "prior of a mask of M elements, n on: independent, each on with odds a/M; shared, one "
            "Beta(a, 1) for all, odds (n + a)/(M - n); paper-count, odds (n + a)/(n + 1), which is "
            "not sparse",
            {"independent", "shared", "paper-count"});
  table.add("expected-features", options.expected_features,
            "a of the features: how many are expected on before the data; auto: a quarter of them "
            "(an eighth selects more strictly)",
            0, "auto");
  table.add("expected-basis", options.expected_basis,
            "a of the basis points: how many are expected on before the data", 0);
  table.add("delta", options.delta,
            "kernel exp(-delta*d^2): delta, or where it is sampled the median of its log-normal "
            "prior; auto: 1/median squared distance between training rows",
            0, "auto");
  table.add("sample-delta", options.sample_delta,
            "sample delta (log-normal prior, standard deviation 1); collapsed only");
  table.add("xi", options.xi, "precision of the weights, or where it is sampled its start", 0);
  table.add("sample-xi", options.sample_xi,
            "sample the precision of the weights (prior Gamma(1, 1)); collapsed only");
  table.add("chains", options.chains, "chains from spread-out starts, run in parallel", 1);
  table.add("burn-in", options.burn_in, "sweeps of each chain that are thrown away", 0);
  table.add("sweeps", options.sweeps, "sweeps of each chain that are kept", 1);
  table.add("draws", options.draws,
            "states, of all chains together, that the model keeps and averages over, at most", 1);
  table.add("landmarks", options.landmarks,
            "basis points are chosen from so many random training rows; 0: all of them up to "
            "2,000, beyond that 300",
            0);
  table.add("point-estimate", options.point_estimate,
            "keep only the most probable single state instead of an average over draws");
}

}  // namespace ardent
