#include "ardent/inference/doubly_sparse/mask_prior.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"

namespace ardent::doubly_sparse {
namespace {

constexpr MaskPriorKind kKinds[] = {MaskPriorKind::independent, MaskPriorKind::shared,
                                    MaskPriorKind::paper_count};

TEST(MaskPrior, OddsAreDifferencesOfLogProbabilities) {
  for (const auto kind : kKinds) {
    const MaskPrior prior{kind, 2.5, 9};
    for (Index n = 0; n < 9; ++n) {
      EXPECT_NEAR(prior.log_odds(n), prior.log_probability(n + 1) - prior.log_probability(n), 1e-12)
          << "prior " << static_cast<int>(kind) << ", n = " << n;
    }
  }
}

// One η for all elements, integrated numerically: ∫ η^n (1−η)^(M−n) a η^(a−1) dη.
TEST(MaskPrior, SharedIsTheBetaIntegral) {
  const double a = 1.7;
  const Index m = 6;
  const auto integral = [&](Index n) {
    double sum = 0;
    constexpr int kPoints = 200000;
    for (int i = 0; i < kPoints; ++i) {
      const double eta = (i + 0.5) / kPoints;
      sum += std::pow(eta, static_cast<double>(n) + a - 1) *
             std::pow(1 - eta, static_cast<double>(m - n)) / kPoints;
    }
    return sum;
  };
  const MaskPrior prior{MaskPriorKind::shared, a, m};
  for (Index n = 0; n < m; ++n) {
    EXPECT_NEAR(prior.log_odds(n), std::log(integral(n + 1) / integral(n)), 1e-4) << "n = " << n;
  }
}

// Beta(a/M, 1) has mean (a/M)/(a/M + 1): the number on tends to Poisson(a) as M grows.
TEST(MaskPrior, IndependentHasThePoissonLimit) {
  const double a = 3;
  const MaskPrior prior{MaskPriorKind::independent, a, 1000000};
  const double p = 1 / (1 + std::exp(-prior.log_odds(5)));
  EXPECT_NEAR(1e6 * p, a, 1e-4);
  EXPECT_EQ(prior.log_odds(0), prior.log_odds(7));
}

// The count's distribution, (21), summed over the masks with that count.
TEST(MaskPrior, PaperCountIsTheCountsDistributionTakenForTheMasks) {
  const double a = 2;
  const Index m = 5;
  const MaskPrior shared{MaskPriorKind::shared, a, m}, count{MaskPriorKind::paper_count, a, m};
  double binomial = 1;
  for (Index n = 0; n <= m; ++n) {
    EXPECT_NEAR(count.log_probability(n) - count.log_probability(0),
                shared.log_probability(n) - shared.log_probability(0) + std::log(binomial), 1e-12);
    binomial *= static_cast<double>(m - n) / static_cast<double>(n + 1);
  }
}

TEST(MaskPrior, NamesAreReadBackAndOthersRefused) {
  EXPECT_EQ(parse_prior("independent"), MaskPriorKind::independent);
  EXPECT_EQ(parse_prior("shared"), MaskPriorKind::shared);
  EXPECT_EQ(parse_prior("paper-count"), MaskPriorKind::paper_count);
  EXPECT_THROW(parse_prior("poisson"), InputError);
}

}  // namespace
}  // namespace ardent::doubly_sparse
