#include <gtest/gtest.h>

#include "ardent/inference/doubly_sparse/chains.h"
#include "base/temporary_files.h"
#include "enumerated_posterior.h"
#include "problems/thread_farm.h"
#include "same_chains.h"

namespace ardent::doubly_sparse {
namespace {

const ChainOptions kShortRun{.chains = 3, .burn_in = 8, .sweeps = 12, .draws = 12};

TEST(ChainsOfSeveralProcesses, AreThoseOfOne) {
  const KernelProblem problem = brute_force::tiny_problem(40, 5, 40, Likelihood::bernoulli, 6);
  ChainOptions options = kShortRun;
  options.until_agreement = true;
  options.sweeps = 400;
  const ChainsResult alone = run_chains(problem, {}, options);
  const auto shared = problems::ThreadFarm::run_in(2, [&](TaskFarm* farm) {
    ChainOptions own = options;
    own.farm = farm;
    return run_chains(problem, {}, own);
  });
  for (const ChainsResult& result : shared) {
    expect_same(alone, result);
    EXPECT_EQ(result.ending, alone.ending);
  }
}

TEST(ChainsOfSeveralProcesses, GoOnFromACheckpoint) {
  TemporaryFiles files;
  const KernelProblem problem = brute_force::tiny_problem(40, 5, 40, Likelihood::bernoulli, 6);
  ChainOptions options = kShortRun;
  const ChainsResult alone = run_chains(problem, {}, options);
  options.checkpoint = files.path("run.checkpoint");
  const auto run = [&](TaskFarm* farm) {
    ChainOptions own = options;
    own.farm = farm;
    return run_chains(problem, {}, own);
  };
  problems::ThreadFarm::run_in(2, run);
  for (const ChainsResult& result : problems::ThreadFarm::run_in(3, run)) {
    EXPECT_EQ(result.resumed, 3 * 20);
    expect_same(alone, result);
  }
}

}  // namespace
}  // namespace ardent::doubly_sparse
