// What you ask of a doubly sparse kernel model.
#pragma once

#include <string>

#include "ardent/base/option_schema.h"
#include "ardent/inference/doubly_sparse/chains.h"
#include "ardent/inference/doubly_sparse/collapsed_sampler.h"

namespace ardent {

struct DoublySparseOptions {
  std::string sampler = "collapsed";
  std::string prior = "independent";
  double expected_features =
      doubly_sparse::CollapsedOptions{}.feature_a;                    // a_ζ; 0: a quarter of them
  double expected_basis = doubly_sparse::CollapsedOptions{}.basis_a;  // a_z
  double delta = doubly_sparse::CollapsedOptions{}.delta;             // 0: automatic
  bool sample_delta = doubly_sparse::CollapsedOptions{}.sample_delta;
  double width_sd = doubly_sparse::CollapsedOptions{}.width_sd;
  double xi = 0;  // 0: automatic
  std::string xi_prior = "auto";
  double xi_sd = doubly_sparse::CollapsedOptions{}.xi_sd;
  bool sample_xi = doubly_sparse::CollapsedOptions{}.sample_xi;
  Index chains = doubly_sparse::ChainOptions{}.chains;
  Index burn_in = doubly_sparse::ChainOptions{}.burn_in;
  Index sweeps = 0;  // 0: until the chains agree
  Index max_sweeps = 2000;
  double time = 0;  // seconds; 0: no limit
  bool tempering = doubly_sparse::ChainOptions{}.tempering;
  Index draws = doubly_sparse::ChainOptions{}.draws;
  Index landmarks = 0;  // 0: automatic
  bool point_estimate = false;
};

/// How long chains run and what is kept of them.
inline void add_chain_options(Schema& schema, DoublySparseOptions& options,
                              const Condition& collapsed) {
  schema.add("chains", options.chains, "chains from spread-out starts, run in parallel", 1)
      .needing(collapsed);
  schema.add("burn-in", options.burn_in, "sweeps of each chain that are thrown away", 0)
      .needing(collapsed);
  schema
      .add("sweeps", options.sweeps,
           "sweeps of each chain that are kept; 0: until the chains agree (rank-normalised R-hat "
           "below 1.01, more than 400 effective draws of the log likelihood, delta and every "
           "feature "
           "with a probability between 0.05 and 0.95), max-sweeps at most",
           0)
      .needing(collapsed);
  schema
      .add("max-sweeps", options.max_sweeps,
           "sweeps of each chain that are kept at most, where sweeps is 0", 1)
      .needing(where("sweeps", {"0"}))
      .needing(collapsed);
  schema
      .add("time", options.time,
           "seconds after which chains that do not agree yet are ended, where sweeps is 0; 0: no "
           "limit. Results then depend on the machine",
           at_least(0))
      .needing(where("sweeps", {"0"}))
      .needing(collapsed);
  schema
      .add("tempering", options.tempering,
           "chains that disagree after 300 sweeps (R-hat above 1.2), where sweeps is 0, "
           "begin again with tempered companions: a sweep then takes about three times as long")
      .needing(where("sweeps", {"0"}))
      .needing(unless("xi-prior", {"gamma"}))
      .needing(collapsed);
  schema
      .add("draws", options.draws,
           "states, of all chains together, that the model keeps and averages over, at most", 1)
      .needing(collapsed);
  schema
      .add("landmarks", options.landmarks,
           "basis points are chosen from so many random training rows; 0: all of them up to "
           "2,000, beyond that 300",
           0)
      .needing(collapsed);
  schema
      .add("point-estimate", options.point_estimate,
           "keep only the most probable single state instead of an average over draws")
      .needing(collapsed);
}

inline Schema schema(DoublySparseOptions& options) {
  Schema schema;
  const Condition collapsed = where("sampler", {"collapsed"});
  schema
      .add("sampler", options.sampler,
           "collapsed: Polya-Gamma Gibbs with the weights integrated out; paper: the published "
           "FS-SKLR-SaVB (two classes, 40 sweeps of features, then 40 of basis points, best state "
           "kept); paper-basis: the published SKLR-SaVB (basis points only)",
           {"collapsed", "paper", "paper-basis"})
      .also_in("published");
  schema.add("mask-prior", options.prior,
             "prior of a mask of M elements, n on: independent, each on with odds a/M; shared, one "
             "Beta(a, 1) for all, odds (n + a)/(M - n); paper-count, odds (n + a)/(n + 1), which "
             "is not sparse",
             {"independent", "shared", "paper-count"});
  schema
      .add("expected-features", options.expected_features,
           "a of the features: how many are expected on before the data; auto: a quarter of them "
           "(an eighth selects more strictly)",
           above(0), "auto")
      .needing(unless("sampler", {"paper-basis"}));
  schema.add("expected-basis", options.expected_basis,
             "a of the basis points: how many are expected on before the data", above(0));
  schema.add("delta", options.delta,
             "kernel exp(-delta*d^2): delta, or where it is sampled the median of its log-normal "
             "prior; auto: 1/median squared distance between training rows",
             above(0), "auto");
  schema.add("xi", options.xi,
             "precision of the weights, or where it is sampled the median of its log-normal prior "
             "or its start; auto: 0.01 with the log-normal prior, else 1",
             above(0), "auto");
  schema
      .add("sample-delta", options.sample_delta,
           "sample delta (log-normal prior, standard deviation 1)")
      .needing(collapsed);
  schema
      .add("width-sd", options.width_sd,
           "a width of its own for each feature that is on: it counts s times in the distance, and "
           "log s is normal with this standard deviation; 0: one width for all",
           at_least(0))
      .needing(collapsed);
  schema.add("sample-xi", options.sample_xi, "sample the precision of the weights")
      .needing(collapsed);
  schema
      .add("xi-prior", options.xi_prior,
           "prior of the precision of the weights: log-normal; gamma, Gamma(1, 1), sampled as in "
           "version 0.1; auto: log-normal for classes, and for regression Gamma(1, 1) with the "
           "moves of now",
           {"auto", "log-normal", "gamma"})
      .needing(collapsed);
  schema
      .add("xi-sd", options.xi_sd,
           "standard deviation of the logarithm of xi in its log-normal prior", above(0))
      .needing(unless("xi-prior", {"gamma"}))
      .needing(collapsed);
  add_chain_options(schema, options, collapsed);
  return schema;
}

}  // namespace ardent
