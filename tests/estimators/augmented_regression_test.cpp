// The variance with a kernel of its own on each predicted row: against the wider model itself.
#include "ardent/model/augmented_variance.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "ardent/base/random.h"
#include "ardent/estimators/trainer.h"
#include "ardent/maps/rbf.h"
#include "ardent/model/model_file.h"
#include "ardent/model/predict.h"

namespace ardent {
namespace {

double truth(double x) {
  return std::sin(x) + 0.3 * x;
}

/// x in [−4, 4] but not within `gap` of 0, t = truth + noise of standard deviation 0.1.
Dataset with_gap(Index rows, std::uint64_t seed, double gap = 1) {
  Random random(seed);
  Buffer<double> values = Buffer<double>::allocate(rows);
  std::vector<double> targets;
  for (Index i = 0; i < rows; ++i) {
    const double x = (i % 2 == 0 ? 1 : -1) * (gap + (4 - gap) * random.uniform());
    values.mutable_data()[i] = x;
    targets.push_back(truth(x) + 0.1 * random.normal());
  }
  Dataset data;
  data.features = DenseRows{rows, 1, values};
  data.labels = make_labels(std::move(targets));
  data.source = "with_gap";
  return data;
}

Dataset places(const std::vector<double>& x) {
  Dataset data;
  data.features = DenseRows{std::ssize(x), 1, Buffer<double>::copy_of(x)};
  return data;
}

TrainOptions kernels(const std::string& variance = "augmented", double sigma = 1) {
  return {
      .task = "regression", .map = "rbf", .scale = "none", .sigma = sigma, .variance = variance};
}

double kernel(double x, double z) {
  return std::exp(-(x - z) * (x - z));
}

/// The variance of f at x in the model that has a kernel at x beside its own, and all of its
/// weights: from the posterior precision of all of them.
double variance_of_wider_model(const Model& model, const Dataset& data, double x) {
  const auto& map = static_cast<const RbfMap&>(*std::get<EvidenceModel>(model.kind).map);
  const auto& rows = std::get<DenseRows>(data.features);
  const auto& centres = std::get<DenseRows>(map.centres());
  const Posterior& posterior = model.parts[0].posterior;
  const Index m = centres.rows, n = rows.rows;
  const Eigen::Map<const Vector> t(data.labels.numbers.data(), n);
  const double target_variance = (t.array() - t.mean()).square().mean();
  Matrix phi(n, m + 2);
  Vector at(m + 2), prior(m + 2);
  for (Index k = 0; k < m; ++k) {
    for (Index i = 0; i < n; ++i) phi(i, k) = kernel(rows.values[i], centres.values[k]);
    at[k] = kernel(x, centres.values[k]);
    prior[k] = posterior.alpha[k];
  }
  phi.col(m).setOnes();
  at[m] = 1;
  prior[m] = EngineOptions{}.bias_precision / target_variance;
  for (Index i = 0; i < n; ++i) phi(i, m + 1) = kernel(rows.values[i], x);
  at[m + 1] = 1;
  prior[m + 1] = 1 / target_variance;
  Matrix precision = phi.transpose() * phi / posterior.noise_variance;
  precision.diagonal() += prior;
  return at.dot(precision.partialPivLu().solve(at));
}

TEST(AugmentedVariance, IsThatOfTheModelWithTheKernelAdded) {
  const Dataset data = with_gap(60, 1);
  const Model model = train(data, kernels());
  ASSERT_GE(model.parts[0].posterior.active.size(), 3u);
  const std::vector<double> x{-3, -1.2, -0.5, 0, 0.7, 2, 5, 9};
  const Prediction prediction = predict(model, places(x));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double wanted = variance_of_wider_model(model, data, x[i]);
    EXPECT_NEAR(prediction.variance[i] - model.parts[0].posterior.noise_variance, wanted,
                1e-6 * wanted)
        << x[i];
  }
}

TEST(AugmentedVariance, GrowsAwayFromTheDataAndLeavesTheMeanAlone) {
  const Dataset data = with_gap(100, 2, 2);
  const Model augmented = train(data, kernels()), plain = train(data, kernels("posterior"));
  const Dataset rows = places({3, 0, 100});
  const Prediction wide = predict(augmented, rows), narrow = predict(plain, rows);
  EXPECT_EQ(wide.mean, narrow.mean);
  EXPECT_GT(wide.variance[1], 4 * wide.variance[0]);
  const Eigen::Map<const Vector> t(data.labels.numbers.data(), 100);
  const double variance = (t.array() - t.mean()).square().mean();
  EXPECT_GT(wide.variance[2] - narrow.variance[2], 0.9 * variance);
  EXPECT_TRUE((wide.variance.array() >= narrow.variance.array()).all());
  EXPECT_LT(wide.variance[0], 1.3 * narrow.variance[0]) << "among the data little changes";
}

TEST(AugmentedVariance, CoversWhatLiesInAGap) {
  const auto coverage = [](const std::string& variance) {
    Index inside = 0, count = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Model model = train(with_gap(100, 10 + seed, 1.5), kernels(variance, 0));
      std::vector<double> x;
      for (double at = -1.45; at < 1.5; at += 0.1) x.push_back(at);
      const Prediction prediction = predict(model, places(x));
      Random random(seed);
      for (std::size_t i = 0; i < x.size(); ++i, ++count) {
        const double t = truth(x[i]) + 0.1 * random.normal();
        if (std::abs(t - prediction.mean[i]) < 1.96 * std::sqrt(prediction.variance[i])) ++inside;
      }
    }
    return static_cast<double>(inside) / static_cast<double>(count);
  };
  EXPECT_GE(coverage("augmented"), 0.85);
  EXPECT_LT(coverage("posterior"), coverage("augmented") - 0.03);
}

TEST(AugmentedVariance, IsTheSameFromTheModelFile) {
  const Model model = train(with_gap(70, 3), kernels());
  const Model loaded = model_from_bytes(model_bytes(model));
  ASSERT_TRUE(std::get<EvidenceModel>(loaded.kind).augmentation);
  const Dataset rows = places({-2.5, 0, 0.3, 8});
  EXPECT_EQ(predict(model, rows).variance, predict(loaded, rows).variance);
  EXPECT_EQ(model_bytes(loaded), model_bytes(model));
  EXPECT_FALSE(
      std::get<EvidenceModel>(train(with_gap(70, 3), kernels("posterior")).kind).augmentation);
}

TEST(AugmentedVariance, OfManyRowsSomeStandForAll) {
  const Dataset data = with_gap(2500, 4);
  const Model model = train(data, kernels());
  EXPECT_EQ(std::get<EvidenceModel>(model.kind).augmentation->size(), 2000);
  const Prediction prediction = predict(model, places({0, 2}));
  for (const Index i : {0, 1}) {
    const double wanted = variance_of_wider_model(model, data, i == 0 ? 0 : 2);
    EXPECT_NEAR(prediction.variance[i] - model.parts[0].posterior.noise_variance, wanted,
                0.5 * wanted);
  }
}

}  // namespace
}  // namespace ardent
