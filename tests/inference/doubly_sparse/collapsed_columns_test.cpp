#include "ardent/inference/doubly_sparse/collapsed_columns.h"

#include <gtest/gtest.h>

#include <cmath>

#include "enumerated_posterior.h"
#include "problems/random_matrix.h"

namespace ardent::doubly_sparse {
namespace {

std::vector<std::uint8_t> basis_mask(const std::vector<Index>& basis, Index candidates) {
  std::vector<std::uint8_t> mask(candidates, 0);
  for (const Index c : basis) mask[c] = 1;
  return mask;
}

class CollapsedColumnsTest : public testing::TestWithParam<bool> {
 protected:
  bool bias() const { return GetParam(); }
  double direct(const std::vector<std::uint8_t>& zeta, const std::vector<Index>& basis,
                double delta) const {
    const Matrix k = brute_force::kernel_columns(
        problem_, zeta, basis_mask(basis, problem_.candidates()), delta, bias());
    return brute_force::collapsed_evidence(k, brute_force::precisions(k.cols(), xi_, bias()),
                                           omega_, kappa_);
  }
  double direct(const CollapsedColumns& columns) const {
    return direct(columns.features(), columns.basis(), columns.delta());
  }

  KernelProblem problem_ = brute_force::tiny_problem(12, 5, 7, Likelihood::bernoulli, 2);
  double xi_ = 0.7;
  Vector omega_ = problems::random_vector(12, 4).cwiseAbs();
  Vector kappa_ = problem_.t.array() - 0.5;
  KernelState state_{.features = {1, 0, 1, 1, 0},
                     .basis = {4, 1, 6},
                     .alpha = Vector::Zero(3),
                     .delta = 0.4,
                     .xi = 0.7};
};

TEST_P(CollapsedColumnsTest, EveryConditionalAgreesWithTheEvidenceFromScratch) {
  CollapsedColumns columns(problem_, bias());
  columns.start(state_);
  columns.set_weights_and_target(omega_, kappa_);
  EXPECT_NEAR(columns.evidence().value(), direct(columns), 1e-10);
  Random random(3);
  for (int step = 0; step < 300; ++step) {
    const double before = direct(columns);
    auto zeta = columns.features();
    auto basis = columns.basis();
    const auto active = std::ssize(basis);
    switch (random.below(5)) {
      case 0: {
        const Index k = random.below(5);
        zeta[k] ^= 1;
        EXPECT_NEAR(columns.try_feature(k), direct(zeta, basis, columns.delta()) - before, 1e-10);
        if (random.uniform() < 0.5) columns.accept_trial();
        break;
      }
      case 4: {
        const Index in = random.below(5), out = random.below(5);
        if (zeta[in] || !zeta[out]) break;
        std::swap(zeta[in], zeta[out]);
        EXPECT_NEAR(columns.try_swap(in, out), direct(zeta, basis, columns.delta()) - before,
                    1e-10);
        if (random.uniform() < 0.5) columns.accept_trial();
        break;
      }
      case 1: {
        const double delta = std::exp(random.normal());
        EXPECT_NEAR(columns.try_delta(delta), direct(zeta, basis, delta) - before, 1e-10);
        if (random.uniform() < 0.5) columns.accept_trial();
        break;
      }
      case 2: {
        const Index c = random.below(7);
        if (std::find(basis.begin(), basis.end(), c) != basis.end()) break;
        basis.push_back(c);
        EXPECT_NEAR(columns.try_birth(c), direct(zeta, basis, columns.delta()) - before, 1e-10);
        if (random.uniform() < 0.7) columns.accept_birth();
        break;
      }
      default: {
        if (active == 0) break;
        const Index j = random.below(active);
        basis.erase(basis.begin() + j);
        EXPECT_NEAR(columns.change_by_death(j), direct(zeta, basis, columns.delta()) - before,
                    1e-10);
        if (random.uniform() < 0.7) columns.remove(j);
      }
    }
    EXPECT_NEAR(columns.evidence().value(), direct(columns), 1e-10) << "after step " << step;
  }
}

TEST_P(CollapsedColumnsTest, FeaturesWithWidthsOfTheirOwnAgreeWithTheEvidenceFromScratch) {
  CollapsedColumns columns(problem_, bias());
  Random random(5);
  state_.scales = problems::random_vector(5, 7).array().exp();
  columns.start(state_);
  columns.set_weights_and_target(omega_, kappa_);
  const auto from_scratch = [&](const auto& zeta, const Vector& scales, double delta) {
    const auto z = basis_mask(columns.basis(), 7);
    const Matrix k = brute_force::kernel_columns(problem_, zeta, z, delta, bias(), scales);
    return brute_force::collapsed_evidence(k, brute_force::precisions(k.cols(), xi_, bias()),
                                           omega_, kappa_);
  };
  for (int step = 0; step < 200; ++step) {
    auto zeta = columns.features();
    Vector scales = columns.scales();
    double delta = columns.delta(), change = 0;
    const double before = from_scratch(zeta, scales, delta);
    EXPECT_NEAR(columns.evidence().value(), before, 1e-10);
    const Index k = random.below(5), other = random.below(5);
    const int move = static_cast<int>(random.below(3));
    if (move == 0) {  // toggled, or with another width, and δ moved
      zeta[k] = random.uniform() < 0.5 ? 1 : 0;
      scales[k] = std::exp(random.normal());
      delta *= std::exp(0.3 * random.normal());
      change = columns.try_features({{k, zeta[k] != 0, scales[k]}}, delta);
    } else if (move == 1 && zeta[k] && !zeta[other]) {
      std::swap(zeta[k], zeta[other]);
      std::swap(scales[k], scales[other]);
      change = columns.try_swap(other, k);
    } else {
      const double shift = 0.5 * random.normal();
      columns.shift_width(shift);
      for (Index f = 0; f < 5; ++f) scales[f] *= zeta[f] ? std::exp(-shift) : 1;
      EXPECT_NEAR(from_scratch(zeta, scales, columns.delta()), before, 1e-10);
      EXPECT_LT((columns.scales() - scales).norm(), 1e-12);
      continue;
    }
    EXPECT_NEAR(change, from_scratch(zeta, scales, delta) - before, 1e-10) << "step " << step;
    if (random.uniform() < 0.7) columns.accept_trial();
  }
  const Index birth = columns.basis().front() == 0 ? 2 : 0;
  const double before = columns.evidence().value();
  const double change = columns.try_birth(birth);
  columns.accept_birth();
  EXPECT_NEAR(before + change, from_scratch(columns.features(), columns.scales(), columns.delta()),
              1e-10);
}

TEST_P(CollapsedColumnsTest, EmptyMasksAreStatesLikeOthers) {
  CollapsedColumns columns(problem_, bias());
  state_.features.assign(5, 0);
  state_.basis.clear();
  state_.alpha.resize(0);
  columns.start(state_);
  columns.set_weights_and_target(omega_, kappa_);
  EXPECT_NEAR(columns.evidence().value(), direct(columns), 1e-12);
  EXPECT_NEAR(columns.try_feature(2), 0, 1e-12);  // no column depends on it
  columns.accept_trial();
  EXPECT_EQ(columns.features_on(), 1);
  EXPECT_NEAR(columns.try_birth(3), direct({0, 0, 1, 0, 0}, {3}, columns.delta()) - direct(columns),
              1e-12);
  const Vector weights = Vector::Constant(bias() ? 1 : 0, 2.0);
  EXPECT_EQ(columns.predictor(weights), Vector::Constant(12, bias() ? 2.0 : 0.0));
}

TEST_P(CollapsedColumnsTest, PredictorIsThatOfTheState) {
  CollapsedColumns columns(problem_, bias());
  state_.alpha = Eigen::Vector3d(1, -2, 0.5);
  state_.bias = bias() ? 0.3 : 0;
  columns.start(state_);
  Vector weights(bias() ? 4 : 3);
  weights.tail(3) = state_.alpha;
  if (bias()) weights[0] = 0.3;
  const Vector direct_f = predictor(problem_.rows, problem_.centres, state_);
  EXPECT_LT((columns.predictor(weights) - direct_f).cwiseAbs().maxCoeff(), 1e-14);
}

// Rows are taken in blocks of 1,024, and room is made for 64 columns at first.
TEST_P(CollapsedColumnsTest, MoreRowsThanABlockAndMoreColumnsThanThereWasRoomFor) {
  problem_ = brute_force::tiny_problem(1100, 5, 70, Likelihood::bernoulli, 5);
  omega_ = problems::random_vector(1100, 6).cwiseAbs();
  kappa_ = problem_.t.array() - 0.5;
  state_.basis.clear();
  for (Index c = 69; c >= 8; --c) state_.basis.push_back(c);
  state_.alpha = Vector::Zero(std::ssize(state_.basis));
  CollapsedColumns columns(problem_, bias());
  columns.start(state_);
  columns.set_weights_and_target(omega_, kappa_);
  double value = direct(columns);
  const double rounding = 1e-11 * std::abs(value);
  EXPECT_NEAR(columns.evidence().value(), value, rounding);
  for (Index c = 0; c < 5; ++c) {
    const double change = columns.try_birth(c);
    columns.accept_birth();
    const double after = direct(columns);
    EXPECT_NEAR(change, after - value, 10 * rounding);
    EXPECT_NEAR(columns.evidence().value(), after, 10 * rounding);
    value = after;
  }
  const double change = columns.try_feature(1);
  columns.accept_trial();
  EXPECT_EQ(columns.features()[1], 1);
  EXPECT_NEAR(change, direct(columns) - value, 10 * rounding);
  const Vector weights = problems::random_vector(67 + (bias() ? 1 : 0), 7);
  const Matrix k = brute_force::kernel_columns(
      problem_, columns.features(), std::vector<std::uint8_t>(70, 1), columns.delta(), bias());
  Vector expected = bias() ? Vector::Constant(1100, weights[0]) : Vector::Zero(1100);
  for (Index j = 0; j < 67; ++j) {
    const Index first = bias() ? 1 : 0;
    expected += weights[first + j] * k.col(first + columns.basis()[j]);
  }
  EXPECT_LT((columns.predictor(weights) - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_P(CollapsedColumnsTest, AnotherPrecisionOfTheWeightsIsAnotherEvidence) {
  CollapsedColumns columns(problem_, bias());
  columns.start(state_);
  columns.set_weights_and_target(omega_, kappa_);
  const double before = columns.evidence().value();
  const double there = columns.evidence_at(2.5).value();
  EXPECT_EQ(columns.evidence().value(), before);
  columns.set_xi(2.5);
  xi_ = 2.5;
  EXPECT_EQ(columns.xi(), 2.5);
  EXPECT_EQ(columns.evidence().value(), there);
  EXPECT_NEAR(there, direct(columns), 1e-10);
  EXPECT_NEAR(columns.try_birth(2),
              direct(columns.features(), {4, 1, 6, 2}, columns.delta()) - there, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Bias, CollapsedColumnsTest, testing::Bool());

}  // namespace
}  // namespace ardent::doubly_sparse
