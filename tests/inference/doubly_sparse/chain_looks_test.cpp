// Chains that run until they agree.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "ardent/base/parallel.h"
#include "ardent/inference/doubly_sparse/chains.h"
#include "ardent/inference/doubly_sparse/summary.h"
#include "base/temporary_files.h"
#include "enumerated_posterior.h"
#include "same_chains.h"

namespace ardent::doubly_sparse {
namespace {

/// Few rows and features: chains that agree soon.
KernelProblem easy_problem() {
  return brute_force::tiny_problem(12, 2, 4, Likelihood::gaussian, 6);
}

ChainOptions until_agreement() {
  return {.chains = 3, .burn_in = 50, .sweeps = 20000, .until_agreement = true, .draws = 30};
}

TEST(Chains, RunUntilTheyAgree) {
  const auto run = [&](int threads) {
    const ThreadScope scope(threads);
    return run_chains(easy_problem(), {}, until_agreement());
  };
  const ChainsResult result = run(1);
  EXPECT_EQ(result.ending, Ending::agreement);
  EXPECT_TRUE(result.agreement.reached());
  const Index kept = result.chains[0].kept();
  EXPECT_GE(kept, kFirstLook);
  EXPECT_LT(kept, 20000);
  for (const ChainTrace& chain : result.chains) {
    EXPECT_EQ(chain.kept(), kept);
    EXPECT_EQ(chain.draws.size(), 10u);
  }
  EXPECT_EQ(summarise(result, 2, 4).ending, Ending::agreement);
  // Not a look earlier.
  Index before = kFirstLook;
  while (before + (before + 1) / 2 < kept) before += (before + 1) / 2;
  if (before < kept) {
    EXPECT_FALSE(agreement(result.chains, before, 2).reached());
  }
  expect_same(result, run(3));
}

TEST(Chains, SaySoWhereTheyEndBeforeTheyAgree) {
  ChainOptions options = until_agreement();
  options.sweeps = 40;
  const ChainsResult few = run_chains(easy_problem(), {}, options);
  EXPECT_EQ(few.ending, Ending::sweeps);
  EXPECT_EQ(few.chains[0].kept(), 40);
  EXPECT_FALSE(few.agreement.reached());
  options = until_agreement();
  options.chains = 1;
  options.seconds = 1e-9;
  const ChainsResult hurried = run_chains(easy_problem(), {}, options);
  EXPECT_EQ(hurried.ending, Ending::time);
  EXPECT_EQ(hurried.chains[0].kept(), kFirstLook);
  EXPECT_EQ(std::string(ending_name(Ending::time)), "time");
}

TEST(Chains, ShowHowFarTheyAgreeAsTheyRun) {
  ChainOptions options = until_agreement();
  options.chains = 1;
  options.sweeps = 310;
  std::string first, last;
  run_chains(easy_problem(), {}, options, [&](const ProgressEvent& event) {
    if (first.empty()) first = event.task;
    last = event.task;
    return true;
  });
  EXPECT_EQ(first.find("R-hat"), std::string::npos);
  EXPECT_NE(last.find("R-hat"), std::string::npos);
  EXPECT_NE(last.find("effective"), std::string::npos);
}

class ChainLooksTest : public testing::Test {
 protected:
  std::string path() const { return files_.path("looks.checkpoint"); }

  TemporaryFiles files_;
};

TEST_F(ChainLooksTest, ChainsThatRunUntilTheyAgreeResumeToTheSameBits) {
  ChainOptions options = until_agreement();
  const ChainsResult whole = run_chains(easy_problem(), {}, options);
  options.checkpoint = path();
  const Index total = 3 * (options.burn_in + whole.chains[0].kept());
  for (const Index stop_at : {Index{100}, total / 2, total - 5}) {
    std::filesystem::remove(path());
    const ChainsResult part =
        run_chains(easy_problem(), {}, options,
                   [&](const ProgressEvent& event) { return event.done < stop_at; });
    EXPECT_EQ(part.ending, Ending::stopped);
    expect_same(whole, run_chains(easy_problem(), {}, options));
  }
}

}  // namespace
}  // namespace ardent::doubly_sparse
