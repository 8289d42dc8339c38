// The variance of the process with a kernel on every row: against the process solved the long way.
#include "ardent/model/augmented_variance.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <iterator>

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
Dataset with_gap(Index rows, std::uint64_t seed, double gap = 1, double (*f)(double) = truth) {
  Random random(seed);
  Buffer<double> values = Buffer<double>::allocate(rows);
  std::vector<double> targets;
  for (Index i = 0; i < rows; ++i) {
    const double x = (i % 2 == 0 ? 1 : -1) * (gap + (4 - gap) * random.uniform());
    values.mutable_data()[i] = x;
    targets.push_back(f(x) + 0.1 * random.normal());
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

/// Variance of the process with a kernel on every row, and the square of what its mean and the
/// model's are apart: from the joint Gaussian of the rows and x.
double square_error_expected(const Model& model, const Dataset& data, double x, double mean) {
  const auto& rows = std::get<DenseRows>(data.features);
  const Index n = rows.rows;
  const ProcessPrior prior = std::get<EvidenceModel>(model.kind).augmentation->prior();
  const Eigen::Map<const Vector> t(data.labels.numbers.data(), n);
  constexpr double kBiasVariance = 1e5;
  Matrix covariance(n, n);
  Vector cross(n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      covariance(i, j) = prior.amplitude * kernel(rows.values[i], rows.values[j]) + kBiasVariance;
    }
    covariance(i, i) += model.parts[0].posterior.noise_variance;
    cross[i] = prior.amplitude * kernel(rows.values[i], x) + kBiasVariance;
  }
  const Vector solved = covariance.fullPivLu().solve(cross);
  const double variance = prior.amplitude + kBiasVariance - cross.dot(solved);
  const double apart = solved.dot(t) - mean;
  return variance + apart * apart;
}

TEST(AugmentedVariance, IsTheSquareErrorThatTheProcessExpects) {
  const Dataset data = with_gap(60, 1);
  const Model model = train(data, kernels());
  ASSERT_GE(model.parts[0].posterior.active.size(), 3u);
  const std::vector<double> x{-3, -1.2, -0.5, 0, 0.7, 2, 5, 9};
  const Prediction prediction = predict(model, places(x));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double wanted = square_error_expected(model, data, x[i], prediction.mean[i]);
    EXPECT_NEAR(prediction.variance[i] - model.parts[0].posterior.noise_variance, wanted,
                1e-3 * wanted)
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
  const ProcessPrior prior = std::get<EvidenceModel>(augmented.kind).augmentation->prior();
  EXPECT_GT(wide.variance[2], prior.amplitude + prior.noise_variance) << "far away, the prior's";
  EXPECT_GT(wide.variance[1], narrow.variance[1]);
  EXPECT_LT(wide.variance[0], 1.3 * narrow.variance[0]) << "among the data little changes";
}

TEST(AugmentedVariance, CoversWhatLiesInAGap) {
  using Truth = double (*)(double);
  const Truth truths[] = {truth, [](double x) { return std::sin(2 * x); },
                          [](double x) { return std::cos(3 * x); }};
  const auto coverage = [](const std::string& variance, Truth f, double gap) {
    Index inside = 0, count = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const Model model = train(with_gap(100, 10 + seed, gap, f), kernels(variance, 0));
      std::vector<double> x;
      for (double at = 0.05 - gap; at < gap; at += 0.1) x.push_back(at);
      const Prediction prediction = predict(model, places(x));
      Random random(seed);
      for (std::size_t i = 0; i < x.size(); ++i, ++count) {
        const double t = f(x[i]) + 0.1 * random.normal();
        if (std::abs(t - prediction.mean[i]) < 1.96 * std::sqrt(prediction.variance[i])) ++inside;
      }
    }
    return static_cast<double>(inside) / static_cast<double>(count);
  };
  for (std::size_t f = 0; f < std::size(truths); ++f) {
    for (const double gap : {0.7, 1.0, 1.5}) {
      EXPECT_GE(coverage("augmented", truths[f], gap), 0.85) << f << ", gap " << gap;
    }
  }
  EXPECT_LT(coverage("posterior", truths[1], 1), 0.85) << "or the test says nothing";
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
  const Dataset data = with_gap(1500, 4);
  const Model model = train(data, kernels());
  EXPECT_EQ(std::get<EvidenceModel>(model.kind).augmentation->size(), 1000);
  const Prediction prediction = predict(model, places({0, 2}));
  for (const Index i : {0, 1}) {
    const double wanted = square_error_expected(model, data, i == 0 ? 0 : 2, prediction.mean[i]);
    const double noise = model.parts[0].posterior.noise_variance;
    EXPECT_NEAR(prediction.variance[i], wanted + noise, 0.5 * wanted + 0.05 * noise);
  }
}

}  // namespace
}  // namespace ardent
