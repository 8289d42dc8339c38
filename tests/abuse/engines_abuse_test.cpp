// Every engine on nasty designs: the posterior is finite and proper, or the design is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "abuse/abuse_run.h"
#include "abuse/nasty_problem.h"
#include "ardent/design/dense.h"
#include "ardent/estimators/engine_by_name.h"

namespace ardent {
namespace {

void expect_proper_posterior(const Posterior& posterior, Likelihood likelihood,
                             const std::string& story) {
  EXPECT_TRUE(posterior.mean.allFinite()) << story;
  EXPECT_TRUE(posterior.alpha.allFinite() && (posterior.alpha.array() > 0).all()) << story;
  EXPECT_TRUE(posterior.covariance.allFinite()) << story;
  EXPECT_TRUE(posterior.variance.allFinite() && (posterior.variance.array() >= 0).all()) << story;
  EXPECT_TRUE((posterior.gamma.array() >= 0).all() && (posterior.gamma.array() <= 1).all())
      << story << "\n  " << posterior.gamma.transpose();
  EXPECT_TRUE(std::isfinite(posterior.bias)) << story;
  EXPECT_TRUE(std::isfinite(posterior.log_evidence)) << story;
  if (likelihood == Likelihood::gaussian) {
    EXPECT_TRUE(std::isfinite(posterior.noise_variance) && posterior.noise_variance > 0)
        << story << "\n  noise variance " << posterior.noise_variance;
  }
}

void expect_proper_report(const Report& report, const std::string& story) {
  EXPECT_NE(report.status, Status::stopped) << story;
  for (const Stage& stage : report.stages) {
    EXPECT_TRUE(std::isfinite(stage.log_evidence)) << story;
    EXPECT_TRUE(std::isfinite(stage.change)) << story;
  }
  for (const PathPoint& point : report.path) {
    EXPECT_TRUE(point.mean.allFinite() && std::isfinite(point.bias)) << story;
  }
}

EngineOptions nasty_engine_options(Random& random) {
  EngineOptions options;
  options.bias = random.below(4) != 0;
  options.keep_stages = random.below(4) == 0;
  options.covariance = random.below(4) != 0;
  if (random.below(3) == 0) options.support_prior = SupportChoice::beta_binomial;
  if (random.below(8) == 0) options.alpha_init = abuse::pick(random, std::array{1e-12, 1.0, 1e5});
  if (random.below(8) == 0) options.alpha_max = abuse::pick(random, std::array{1e7, 1e12, 1e300});
  if (random.below(8) == 0) options.size = 1;
  return options;
}

class EngineAbuse : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Engines, EngineAbuse, ::testing::ValuesIn(engine_names()),
                         [](const auto& engine) { return engine.param; });

TEST_P(EngineAbuse, GivesFiniteResultsOrAClearError) {
  const bool slow = GetParam() == "path" || GetParam() == "probes";
  // 1007553: a precision of 0 under the engine sequential.
  abuse::run_abuse(
      GetParam().c_str(), slow ? 150 : 550,
      [&](std::uint64_t seed, std::string& story) {
        const abuse::NastyProblem problem = abuse::nasty_problem(seed);
        Random random(seed, 1);
        const bool regression = random.below(2) == 0;
        const EngineOptions options = nasty_engine_options(random);
        story = fmt::format("{} {}, {}", GetParam(), regression ? "regression" : "classification",
                            problem.story);
        const Likelihood likelihood = regression ? Likelihood::gaussian : Likelihood::bernoulli;
        const Target target{likelihood, regression ? problem.numbers : problem.classes,
                            problem.weights};
        const Fit fit =
            engine_by_name(GetParam())(DenseDesign(problem.x), target, options, abuse::patience());
        expect_proper_posterior(fit.posterior, likelihood, story);
        expect_proper_report(fit.report, story);
      },
      {1007553});
}

}  // namespace
}  // namespace ardent
