// What a chain leaves behind: its present state, and what it passed through after burn-in.
#pragma once

#include <limits>

#include "ardent/inference/doubly_sparse/collapsed_sampler.h"

namespace ardent::doubly_sparse {

/// Where a chain is, of the posterior or of one with its likelihood raised to a power.
struct Rung {
  KernelState state;
  double delta_step = 0.5;
  std::vector<double> inclusion;  // sums of conditional inclusion probabilities in the burn-in
};

struct ChainTrace {
  // Where the next sweep goes on.
  Index done = 0;                   // sweeps, burn-in included
  Index burn_from = 0, burned = 0;  // the burn-in begins there, and ends where sweeps are kept
  KernelState state;
  double delta_step = 0.5;
  std::vector<double> inclusion;  // as of a rung
  std::vector<Rung> hot;          // tempered companions, the coldest first; see tempering.h
  Index exchanges = 0;            // of the state with the coldest of them, after burn-in

  // One entry for each sweep after burn-in.
  std::vector<double> log_likelihood;
  std::vector<double> log_delta;
  std::vector<double> xi;
  std::vector<double> noise_variance;
  std::vector<std::vector<std::uint32_t>> features;  // those that were on
  std::vector<std::vector<std::uint32_t>> basis;

  Index feature_flips = 0;  // after burn-in
  Index basis_flips = 0;    // births and deaths after burn-in
  Index delta_accepted = 0;

  std::vector<KernelState> draws;  // states kept for prediction, evenly spread
  KernelState best;
  double best_log_joint = -std::numeric_limits<double>::infinity();

  Index kept() const { return std::ssize(log_likelihood); }
};

}  // namespace ardent::doubly_sparse
