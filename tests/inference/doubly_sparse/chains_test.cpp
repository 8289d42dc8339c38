#include "ardent/inference/doubly_sparse/chains.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "ardent/base/container.h"
#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/inference/doubly_sparse/summary.h"
#include "base/container_bytes.h"
#include "base/temporary_files.h"
#include "enumerated_posterior.h"
#include "same_chains.h"

namespace ardent::doubly_sparse {
namespace {

KernelProblem small_problem(Likelihood likelihood = Likelihood::bernoulli) {
  return brute_force::tiny_problem(40, 5, 40, likelihood, 6);
}

ChainOptions short_run() {
  return {.chains = 3, .burn_in = 8, .sweeps = 12, .draws = 12};
}

class ChainsFileTest : public testing::Test {
 protected:
  std::string path() const { return files_.path("run.checkpoint"); }

  TemporaryFiles files_;
};

TEST(Chains, SameSeedSameBitsWhateverTheThreads) {
  const KernelProblem problem = small_problem();
  const auto run = [&](int threads) {
    const ThreadScope scope(threads);
    return run_chains(problem, {}, short_run());
  };
  const ChainsResult one = run(1);
  expect_same(one, run(2));
  expect_same(one, run(8));
  ChainOptions other = short_run();
  other.seed = 2;
  EXPECT_NE(one.chains[0].log_likelihood, run_chains(problem, {}, other).chains[0].log_likelihood);
  EXPECT_NE(one.chains[0].log_likelihood, one.chains[1].log_likelihood);
}

TEST(Chains, RowBlocksAndThreadsDoNotChangeTheBits) {
  // More than one block of rows, so that partial sums are added.
  const KernelProblem problem = brute_force::tiny_problem(2600, 3, 30, Likelihood::gaussian, 6);
  const ChainOptions options{.chains = 1, .burn_in = 1, .sweeps = 2};
  const auto run = [&](int threads) {
    const ThreadScope scope(threads);
    return run_chains(problem, {.basis_moves = 20}, options);
  };
  expect_same(run(1), run(4));
}

TEST(Chains, DrawsAreSpreadEvenlyAndBounded) {
  const ChainsResult result = run_chains(small_problem(), {}, short_run());
  for (const ChainTrace& chain : result.chains) {
    EXPECT_EQ(chain.draws.size(), 4u);  // 12 draws in all, 3 chains
    EXPECT_EQ(chain.kept(), 12);
    EXPECT_EQ(chain.draws.back().alpha, chain.state.alpha);
  }
}

TEST_F(ChainsFileTest, StoppedAndResumedEqualsUninterrupted) {
  const KernelProblem problem = small_problem();
  const ChainsResult whole = run_chains(problem, {}, short_run());
  for (const Index stop_at : {1, 9, 25, 47}) {
    ChainOptions options = short_run();
    options.checkpoint = path();
    options.checkpoint_seconds = 0;
    std::filesystem::remove(path());
    const ChainsResult part = run_chains(
        problem, {}, options, [&](const ProgressEvent& event) { return event.done < stop_at; });
    EXPECT_TRUE(part.stopped);
    const ChainsResult rest = run_chains(problem, {}, options);
    EXPECT_GE(rest.resumed, stop_at);
    EXPECT_LT(rest.resumed, 60);
    expect_same(whole, rest);
  }
}

TEST_F(ChainsFileTest, KilledAndResumedEqualsUninterrupted) {
  const KernelProblem problem = small_problem(Likelihood::gaussian);
  const CollapsedOptions sampler{.width_sd = 0.8, .rescaled_flips = true};
  const ChainsResult whole = run_chains(problem, sampler, short_run());
  ChainOptions options = short_run();
  options.checkpoint = path();
  options.checkpoint_seconds = 0;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const ThreadScope one(1);  // a forked child has none of its parent's threads
    run_chains(problem, sampler, options, [&](const ProgressEvent& event) {
      if (event.done == 31) kill(getpid(), SIGKILL);
      return true;
    });
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  const ChainsResult rest = run_chains(problem, sampler, options);
  EXPECT_EQ(rest.resumed, 31);
  expect_same(whole, rest);
}

TEST_F(ChainsFileTest, RowSubsetBurnInResumesToTheSameBits) {
  const KernelProblem problem = small_problem();
  ChainOptions options = short_run();
  options.burn_in_rows = 25;
  const ChainsResult whole = run_chains(problem, {}, options);
  EXPECT_NE(whole.chains[0].log_likelihood,
            run_chains(problem, {}, short_run()).chains[0].log_likelihood);
  options.checkpoint = path();
  options.checkpoint_seconds = 0;
  for (const Index stop_at : {2, 5, 6, 7}) {  // burn-in of 8: 6 sweeps on the subset
    std::filesystem::remove(path());
    const ThreadScope one(1);
    run_chains(problem, {}, options,
               [&](const ProgressEvent& event) { return event.done < stop_at; });
    expect_same(whole, run_chains(problem, {}, options));
  }
}

TEST_F(ChainsFileTest, AFinishedRunIsReadBack) {
  const KernelProblem problem = small_problem();
  ChainOptions options = short_run();
  options.checkpoint = path();
  const ChainsResult first = run_chains(problem, {}, options);
  const ChainsResult again = run_chains(problem, {}, options);
  EXPECT_EQ(first.resumed, 0);
  EXPECT_EQ(again.resumed, 60);
  expect_same(first, again);
}

TEST_F(ChainsFileTest, CheckpointsOfOtherRunsAndDamagedOnesAreRefused) {
  const KernelProblem problem = small_problem();
  ChainOptions options = short_run();
  options.checkpoint = path();
  run_chains(problem, {}, options);
  KernelProblem other = problem;
  other.rows(3, 2) += 1e-9;
  EXPECT_THROW(run_chains(other, {}, options), InputError);
  EXPECT_THROW(run_chains(problem, {.basis_a = 19}, options), InputError);
  ChainOptions reseeded = options;
  reseeded.seed = 9;
  EXPECT_THROW(run_chains(problem, {}, reseeded), InputError);

  std::ifstream in(path(), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  in.close();
  const auto write = [&](const std::string& text) {
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << text;
  };
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{5}, std::size_t{20}, bytes.size() / 2, bytes.size() - 1}) {
    write(bytes.substr(0, length));
    EXPECT_THROW(run_chains(problem, {}, options), InputError) << length << " bytes";
  }
  std::string damaged = bytes;
  damaged[bytes.size() / 2] = static_cast<char>(damaged[bytes.size() / 2] ^ 1);
  write(damaged);
  EXPECT_THROW(run_chains(problem, {}, options), InputError);
  write(bytes + "x");
  EXPECT_THROW(run_chains(problem, {}, options), InputError);
  write(bytes);
  EXPECT_NO_THROW(run_chains(problem, {}, options));
}

TEST_F(ChainsFileTest, AnyByteChangedIsRefused) {
  const KernelProblem problem = brute_force::tiny_problem(12, 3, 6, Likelihood::gaussian, 6);
  ChainOptions options{.chains = 2, .burn_in = 1, .sweeps = 2, .draws = 2};
  options.checkpoint = path();
  run_chains(problem, {}, options);
  const std::string bytes = contents_of_file(path());
  EXPECT_EQ(container_kind(bytes), "checkpoint");
  EXPECT_EQ(run_chains(problem, {}, options).resumed, 6);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    // Over the file that is there: emptying it first makes some file systems wait for the disk.
    std::fstream(path(), std::ios::binary | std::ios::in | std::ios::out) << changed;
    ASSERT_THROW(run_chains(problem, {}, options), InputError) << "byte " << at;
  }
}

TEST(Chains, OptionsOutOfRangeAreRefused) {
  EXPECT_THROW(validate(ChainOptions{.chains = 0}), InputError);
  EXPECT_THROW(validate(ChainOptions{.burn_in = -1}), InputError);
  EXPECT_THROW(validate(ChainOptions{.sweeps = 0}), InputError);
  EXPECT_THROW(validate(ChainOptions{.seconds = -1}), InputError);
  EXPECT_THROW(validate(ChainOptions{.draws = 0}), InputError);
  EXPECT_THROW(validate(ChainOptions{.checkpoint_seconds = -1}), InputError);
}

TEST(ChainsSummary, InclusionProbabilitiesAreSharesOfTheSweeps) {
  const ChainsResult result = run_chains(small_problem(), {}, short_run());
  const ChainsSummary summary = summarise(result, 5, 40);
  for (Index k = 0; k < 5; ++k) {
    double on = 0;
    for (const ChainTrace& chain : result.chains) {
      for (const auto& list : chain.features) on += std::count(list.begin(), list.end(), k);
    }
    EXPECT_NEAR(summary.features[k].mean, on / 36, 1e-14);
  }
  double expected = 0;
  for (const Estimate& e : summary.basis) expected += e.mean;
  EXPECT_NEAR(expected, summary.basis_on.mean, 1e-12);
  EXPECT_GT(summary.basis_flips, 0);
}

TEST(ChainsSummary, TracesAreTheSweepsOfEachChain) {
  const ChainsResult result = run_chains(small_problem(), {}, short_run());
  const ChainsTraces traces = summarise(result, 5, 40).traces;
  ASSERT_EQ(traces.log_likelihood.rows(), 12);
  ASSERT_EQ(traces.log_likelihood.cols(), 3);
  const ChainTrace& last = result.chains[2];
  EXPECT_EQ(traces.log_likelihood(11, 2), last.log_likelihood[11]);
  EXPECT_EQ(traces.features_on(11, 2), static_cast<double>(last.features[11].size()));
  EXPECT_EQ(traces.basis_on(4, 2), static_cast<double>(last.basis[4].size()));
  EXPECT_EQ(traces.log_delta(4, 2), last.log_delta[4]);
  EXPECT_EQ(traces.log_xi(4, 2), elementary::log(last.xi[4]));
  EXPECT_EQ(static_cast<double>(traces.features.size()), traces.features_on.sum());
  for (std::size_t e = 0; e < last.features[11].size(); ++e) {
    const std::size_t place = traces.features.size() - last.features[11].size() + e;
    EXPECT_EQ(traces.features[place], last.features[11][e]);
  }
}

ChainsResult made_up(double second_level, Index flips) {
  ChainsResult result;
  for (int c = 0; c < 2; ++c) {
    ChainTrace trace;
    for (int s = 0; s < 20; ++s) {
      trace.log_likelihood.push_back((c == 1 ? second_level : 0) + (s % 3));
      trace.log_delta.push_back(s % 2);
      trace.xi.push_back(1);
      trace.noise_variance.push_back(1);
      trace.features.push_back({static_cast<std::uint32_t>(s % 2)});
      trace.basis.push_back({static_cast<std::uint32_t>(s % 2)});
    }
    trace.feature_flips = flips;
    trace.basis_flips = 10;
    result.chains.push_back(trace);
  }
  return result;
}

TEST(ChainsSummary, WarnsOfChainsThatDisagreeAndOfFrozenOnes) {
  EXPECT_TRUE(summarise(made_up(0, 5), 2, 2).warnings.empty());
  const auto disagree = summarise(made_up(30, 5), 2, 2).warnings;
  ASSERT_EQ(disagree.size(), 2u);
  EXPECT_NE(disagree[0].find("log likelihood"), std::string::npos);
  EXPECT_NE(disagree[1].find("a smaller xi-sd"), std::string::npos) << disagree[1];
  const auto frozen = summarise(made_up(0, 0), 2, 2).warnings;
  ASSERT_EQ(frozen.size(), 2u);
  EXPECT_NE(frozen[0].find("frozen"), std::string::npos);
}

TEST(ChainsSummary, SaysWhichPriorOfTheScaleWouldHelp) {
  ChainsResult result = made_up(30, 5);
  result.options.xi = 100;  // the chains are far below
  for (ChainTrace& chain : result.chains) chain.xi.assign(chain.xi.size(), 1);
  std::string said = summarise(result, 2, 2).warnings.back();
  EXPECT_NE(said.find("larger weights than the prior of xi (log xi 0.0, 4.6 standard"),
            std::string::npos)
      << said;
  result.options.xi_prior = ScalePriorKind::gamma;
  said = summarise(result, 2, 2).warnings.back();
  EXPECT_NE(said.find("xi-prior log-normal"), std::string::npos) << said;
  result.likelihood = Likelihood::gaussian;  // a regression has no such runaway
  EXPECT_EQ(summarise(result, 2, 2).warnings.size(), 1u);
}

TEST(ChainsSummary, TooFewSweepsAreSaidToBeSo) {
  ChainsResult result = made_up(0, 5);
  for (ChainTrace& chain : result.chains) chain.log_likelihood.resize(2);
  const ChainsSummary summary = summarise(result, 2, 2);
  ASSERT_EQ(summary.warnings.size(), 1u);
  EXPECT_EQ(summary.features.size(), 2u);
}

}  // namespace
}  // namespace ardent::doubly_sparse
