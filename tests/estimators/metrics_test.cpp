#include "ardent/estimators/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ardent/base/error.h"
#include "ardent/base/random.h"

namespace ardent {
namespace {

using Ids = std::vector<std::uint32_t>;

TEST(Metrics, TinyTwoClassCaseByHand) {
  // Class 1 is positive. True 1 1 0 0; predicted 1 0 0 1.
  Matrix p(4, 2);
  p << 0.2, 0.8, 0.6, 0.4, 0.9, 0.1, 0.3, 0.7;
  const auto m = classification_metrics(Ids{1, 1, 0, 0}, Ids{1, 0, 0, 1}, p, 1);
  EXPECT_DOUBLE_EQ(m.accuracy, 0.5);
  EXPECT_DOUBLE_EQ(m.balanced_accuracy, 0.5);
  EXPECT_DOUBLE_EQ(m.f1, 0.5);
  EXPECT_DOUBLE_EQ(m.auc, 0.75);  // pairs (.8,.1) (.8,.7) (.4,.1) right, (.4,.7) wrong
  EXPECT_NEAR(m.log_loss, -(std::log(.8) + std::log(.4) + std::log(.9) + std::log(.3)) / 4, 1e-15);
  EXPECT_NEAR(m.brier, 2 * (.04 + .36 + .01 + .49) / 4, 1e-15);
  // Each confidence falls in a bin of its own: |1−.8|, |0−.6|, |1−.9|, |0−.7|.
  EXPECT_NEAR(m.ece, (.2 + .6 + .1 + .7) / 4, 1e-15);
  EXPECT_EQ(m.confusion(1, 0), 1);
  EXPECT_EQ(m.confusion(0, 1), 1);
}

TEST(Metrics, F1FollowsThePositiveClass) {
  Matrix p(4, 2);
  p << .9, .1, .9, .1, .9, .1, .1, .9;
  const Ids truth{0, 0, 0, 0}, predicted{0, 0, 0, 1};
  EXPECT_NEAR(classification_metrics(truth, predicted, p, 0).f1, 6.0 / 7, 1e-15);
  EXPECT_EQ(classification_metrics(truth, predicted, p, 1).f1, 0);
  EXPECT_TRUE(std::isnan(classification_metrics(truth, predicted, p, 1).auc));
}

TEST(Metrics, AucEqualsCountingPairsWithTies) {
  Random random(3);
  const Index n = 200;
  Ids truth, predicted;
  Matrix p(n, 2);
  for (Index i = 0; i < n; ++i) {
    truth.push_back(static_cast<std::uint32_t>(random.below(2)));
    const double score = static_cast<double>(random.below(10)) / 10;  // many ties
    p.row(i) << 1 - score, score;
    predicted.push_back(score >= 0.5);
  }
  double wins = 0, pairs = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (truth[i] != 1 || truth[j] != 0) {
        continue;
      }
      ++pairs;
      wins += p(i, 1) > p(j, 1) ? 1 : p(i, 1) == p(j, 1) ? 0.5 : 0;
    }
  }
  EXPECT_NEAR(classification_metrics(truth, predicted, p, 1).auc, wins / pairs, 1e-14);
}

TEST(Metrics, CertainAndWrongStaysFinite) {
  Matrix p(1, 2);
  p << 1, 0;
  EXPECT_NEAR(classification_metrics(Ids{1}, Ids{0}, p, 1).log_loss, -std::log(1e-15), 1e-9);
}

TEST(Metrics, ManyClassesAverageOverThoseThatOccur) {
  Matrix p = Matrix::Constant(3, 3, 0.1);
  p(0, 0) = p(1, 1) = p(2, 0) = 0.8;
  const auto m = classification_metrics(Ids{0, 1, 1}, Ids{0, 1, 0}, p, 0);
  EXPECT_DOUBLE_EQ(m.balanced_accuracy, 0.75);  // class 2 does not occur
  EXPECT_NEAR(m.f1, (2.0 / 3 + 2.0 / 3) / 2, 1e-15);
}

TEST(Metrics, RegressionByHand) {
  const std::vector<double> truth{1, 2, 3};
  const auto m = regression_metrics(truth, Vector{{1, 2, 4}}, Vector{{1, 1, 4}});
  EXPECT_NEAR(m.rmse, std::sqrt(1.0 / 3), 1e-15);
  EXPECT_NEAR(m.mae, 1.0 / 3, 1e-15);
  EXPECT_NEAR(m.r2, 0.5, 1e-15);
  const double log2pi = std::log(2 * std::numbers::pi);
  EXPECT_NEAR(m.nlpd, 0.5 * (3 * log2pi + std::log(4.0) + 0.25) / 3, 1e-14);
}

// Eigen begins some sums at an aligned address: where an array lies must not change the bits.
TEST(Metrics, RegressionDoesNotDependOnTheAddressOfTheTruth) {
  Random random(6);
  for (const std::size_t n : {37, 178, 1001}) {
    const auto count = static_cast<Index>(n);
    Vector values(count), mean(count);
    for (Index i = 0; i < count; ++i) values[i] = 1 + (mean[i] = random.normal());
    const auto at = [&](Index shift) {
      Vector memory = Vector::Zero(count + 8);
      memory.segment(shift, count) = values;
      return regression_metrics(std::span<const double>(memory.data() + shift, n), mean,
                                Vector::Ones(count));
    };
    for (Index shift = 1; shift < 8; ++shift) EXPECT_EQ(at(shift).r2, at(0).r2) << shift;
  }
}

TEST(Metrics, ConstantTruthHasADefinedR2) {
  const std::vector<double> truth{2, 2};
  EXPECT_EQ(regression_metrics(truth, Vector{{2, 2}}, Vector{{1, 1}}).r2, 1);
  EXPECT_EQ(regression_metrics(truth, Vector{{2, 3}}, Vector{{1, 1}}).r2, 0);
}

TEST(Metrics, NoRowsOrOtherShapesAreRefused) {
  EXPECT_THROW(classification_metrics({}, {}, Matrix(0, 2), 0), InputError);
  EXPECT_THROW(classification_metrics(Ids{0}, Ids{0, 1}, Matrix(1, 2), 0), InputError);
  EXPECT_THROW(regression_metrics(std::vector<double>{1}, Vector(2), Vector(2)), InputError);
}

}  // namespace
}  // namespace ardent
