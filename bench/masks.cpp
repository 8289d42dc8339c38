// masks sweep ROWS FEATURES CANDIDATES SWEEPS: seconds of a collapsed sweep, on one thread.
// masks parts ROWS FEATURES CANDIDATES SWEEPS: the same, with features visited as they are in
// doubt, and
//   what each step of it takes: where the time goes.
// masks chains ROWS FEATURES CANDIDATES CHAINS THREADS: seconds of 200 + 300 sweeps of each chain.
// masks paper ROWS FEATURES REPEATS: seconds of a published feature sweep, on one thread.
// Data: standard normal features, class by the sign of x_1·x_2 + x_3.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>

#include "ardent/base/parallel.h"
#include "ardent/inference/doubly_sparse/polya_gamma.h"
#include "ardent/inference/doubly_sparse/summary.h"
#include "ardent/published/paper_sampler.h"

namespace {

using namespace ardent;
using namespace ardent::doubly_sparse;

KernelProblem xor_problem(Index rows, Index features, Index candidates) {
  Random random(1);
  KernelProblem problem;
  problem.rows.resize(rows, features);
  for (Index k = 0; k < features; ++k) {
    for (Index i = 0; i < rows; ++i) problem.rows(i, k) = random.normal();
  }
  const auto& x = problem.rows;
  problem.t = (x.col(0).array() * x.col(1).array() + x.col(2).array() > 0).cast<double>();
  problem.centres = x.topRows(candidates);
  return problem;
}

/// CPU seconds of this process: on one thread what a quiet machine's clock would show.
double cpu() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

void time_collapsed(Index rows, Index features, Index candidates, Index sweeps) {
  const KernelProblem problem = xor_problem(rows, features, candidates);
  CollapsedSampler sampler(problem, {});
  Random random(2);
  KernelState state = sampler.start(1, random);
  double step = 1, active = 0, on = 0;
  for (Index s = 0; s < sweeps / 4; ++s) sampler.sweep(state, step, true, random);
  const double start = cpu();
  for (Index s = 0; s < sweeps; ++s) {
    sampler.sweep(state, step, false, random);
    active += static_cast<double>(state.basis_on()) / static_cast<double>(sweeps);
    on += static_cast<double>(state.features_on()) / static_cast<double>(sweeps);
  }
  const double seconds = (cpu() - start) / static_cast<double>(sweeps);
  fmt::print("{{\"seconds\": {}, \"active_columns\": {}, \"active_features\": {}}}\n", seconds,
             active, on);
}

/// Milliseconds of one call, of the fastest of some.
template <class Step>
double milliseconds(Step&& step) {
  double best = 1e300;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const double start = cpu();
    for (int call = 0; call < 4; ++call) step();
    best = std::min(best, (cpu() - start) / 4);
  }
  return 1000 * best;
}

void time_parts(Index rows, Index features, Index candidates, Index sweeps) {
  const KernelProblem problem = xor_problem(rows, features, candidates);
  CollapsedSampler sampler(problem, {});
  Random random(2);
  KernelState state = sampler.start(2, random);
  double step = 1;
  Vector inclusion = Vector::Constant(features, 0.5);
  double start = cpu();
  for (Index s = 0; s < sweeps; ++s) {
    sampler.sweep(state, step, true, random);
    inclusion += sampler.conditional();
  }
  const double burning = (cpu() - start) / static_cast<double>(sweeps);
  sampler.set_inclusion(inclusion / (1 + static_cast<double>(sweeps)));
  start = cpu();
  for (Index s = 0; s < sweeps; ++s) sampler.sweep(state, step, false, random);
  const double kept = (cpu() - start) / static_cast<double>(sweeps);
  CollapsedColumns columns(problem, true);
  columns.start(state);
  Vector omega(rows);
  const double gamma = milliseconds([&] {
    for (Index i = 0; i < rows; ++i) omega[i] = draw_polya_gamma(0.5, random);
  });
  const double weights =
      milliseconds([&] { columns.set_weights_and_target(omega, problem.t.array() - 0.5); });
  Index off = 0;
  while (std::ranges::count(state.basis, off) > 0) ++off;
  fmt::print(
      "{{\"burn_in_sweep_ms\": {:.1f}, \"kept_sweep_ms\": {:.1f}, \"active_columns\": {}, "
      "\"active_features\": {}, \"try_feature_ms\": {:.3f}, \"try_birth_ms\": {:.3f}, "
      "\"try_delta_ms\": {:.3f}, \"row_weights_ms\": {:.3f}, \"evidence_ms\": {:.3f}, "
      "\"distances_ms\": {:.3f}}}\n",
      1000 * burning, 1000 * kept, state.basis_on(), state.features_on(),
      milliseconds([&] { columns.try_feature(features - 1); }),
      milliseconds([&] { columns.try_birth(off); }),
      milliseconds([&] { columns.try_delta(1.1 * state.delta); }), gamma, weights,
      milliseconds([&] { columns.start(state); }));
}

void time_chains(Index rows, Index features, Index candidates, Index chains, int threads) {
  const ThreadScope scope(threads);
  const KernelProblem problem = xor_problem(rows, features, candidates);
  const double start = now();
  const ChainsResult result = run_chains(problem, {}, {.chains = chains, .sweeps = 300});
  const double seconds = now() - start;
  const ChainsSummary summary = summarise(result, features, candidates);
  fmt::print(
      "{{\"seconds\": {}, \"cpu_seconds\": {}, \"active_columns\": {}, \"active_features\": "
      "{}}}\n",
      seconds, cpu(), summary.basis_on.mean, summary.features_on.mean);
}

void time_paper(Index rows, Index features, Index repeats) {
  const KernelProblem problem = xor_problem(rows, features, rows);
  Random random(2);
  PaperChain chain(problem, {.vb_steps = 1}, random);
  double best = 1e300;
  for (Index r = 0; r < repeats; ++r) {
    const double start = cpu();
    for (Index k = 0; k < features; ++k) chain.feature_log_odds(k);
    best = std::min(best, cpu() - start);
  }
  fmt::print("{{\"seconds\": {}}}\n", best);
}

}  // namespace

int main(int argc, char** argv) {
  const ThreadScope one(1);
  const std::string what = argc > 1 ? argv[1] : "";
  const auto number = [&](int i) { return static_cast<Index>(std::atoll(argv[i])); };
  if (what == "sweep" && argc == 6) {
    time_collapsed(number(2), number(3), number(4), number(5));
  } else if (what == "parts" && argc == 6) {
    time_parts(number(2), number(3), number(4), number(5));
  } else if (what == "chains" && argc == 7) {
    time_chains(number(2), number(3), number(4), number(5), std::atoi(argv[6]));
  } else if (what == "paper" && argc == 5) {
    time_paper(number(2), number(3), number(4));
  } else {
    fmt::print(
        stderr,
        "masks sweep|parts ROWS FEATURES CANDIDATES SWEEPS | chains ROWS FEATURES CANDIDATES "
        "CHAINS THREADS | paper ROWS FEATURES REPEATS\n");
    return 2;
  }
  return 0;
}
