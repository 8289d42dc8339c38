#include "ardent/estimators/design_training.h"

#include <gmock/gmock.h>

#include "ardent/base/error.h"
#include "ardent/design/callback.h"
#include "ardent/design/dense.h"
#include "ardent/estimators/trainer.h"
#include "tests/problems/random_matrix.h"

namespace ardent {
namespace {

using testing::HasSubstr;

struct Planted {
  Matrix x;
  Vector f;
};

Planted planted(Index rows, Index cols) {
  Planted problem{problems::random_matrix(rows, cols, 1), {}};
  problem.f =
      2 * problem.x.col(0) - 1.5 * problem.x.col(3) + 0.3 * problems::random_vector(rows, 2);
  return problem;
}

Features features_of(const Matrix& x) {
  const RowMatrix rows = x;
  return DenseRows{x.rows(), x.cols(),
                   Buffer<double>::copy_of(std::span(rows.data(), std::size_t(rows.size())))};
}

std::shared_ptr<const Design> callbacks_of(const Matrix& x) {
  return std::make_shared<CallbackDesign>(
      x.rows(), x.cols(),
      DesignProducts{
          .multiply = [x](const RowMatrix& w, RowMatrix& out) { out = x * w; },
          .multiply_transposed = [x](const RowMatrix& r,
                                     RowMatrix& out) { out = x.transpose() * r; },
          .weighted_square_norms = [x](const Vector& beta,
                                       Vector& out) { out = x.cwiseAbs2().transpose() * beta; }});
}

Labels labels_of(const Vector& values) {
  return make_labels(std::vector<double>(values.begin(), values.end()));
}

/// The same options, on rows that are here.
Model in_memory(const Planted& problem, const Labels& labels, TrainOptions options,
                const std::vector<double>& weights = {}) {
  options.engine = "diagonal";
  options.scale = "none";
  return train({.features = features_of(problem.x),
                .labels = labels,
                .weights = weights,
                .feature_names = {},
                .source = "x",
                .layout = {}},
               options);
}

void expect_same(const Model& found, const Model& wanted) {
  ASSERT_EQ(found.parts.size(), wanted.parts.size());
  EXPECT_EQ(found.inputs, wanted.inputs);
  for (std::size_t p = 0; p < found.parts.size(); ++p) {
    const Posterior& a = found.parts[p].posterior;
    const Posterior& b = wanted.parts[p].posterior;
    EXPECT_EQ(found.parts[p].positive, wanted.parts[p].positive);
    ASSERT_EQ(a.active, b.active);
    EXPECT_TRUE(a.mean.isApprox(b.mean, 1e-9)) << a.mean.transpose() << "\n" << b.mean.transpose();
    EXPECT_TRUE(a.covariance.isApprox(b.covariance, 1e-9));
    EXPECT_NEAR(a.bias, b.bias, 1e-9);
    EXPECT_NEAR(a.noise_variance, b.noise_variance, 1e-9);
  }
}

TEST(DesignTraining, ARegressionIsThatOfItsRows) {
  const Planted problem = planted(300, 20);
  const Labels labels = labels_of(problem.f);
  const TrainOptions options{.task = "regression"};
  expect_same(train_on_design({.design = callbacks_of(problem.x), .labels = labels}, options),
              in_memory(problem, labels, options));
}

TEST(DesignTraining, PairsOfThreeClassesWithWeightsAreThoseOfTheirRows) {
  const Planted problem = planted(300, 12);
  const Vector classes = problem.f.unaryExpr([](double f) { return f < -1 ? 0.0 : f < 1 ? 1 : 2; });
  std::vector<double> weights(300, 1);
  for (std::size_t i = 0; i < weights.size(); i += 7) weights[i] = 2.5;
  const Labels labels = labels_of(classes);
  for (const std::string multiclass : {"ovo", "ovr"}) {
    const TrainOptions options{
        .task = "classification", .multiclass = multiclass, .class_weight = "balanced"};
    expect_same(
        train_on_design({.design = callbacks_of(problem.x), .labels = labels, .weights = weights},
                        options),
        in_memory(problem, labels, options, weights));
  }
}

TEST(DesignTraining, WhatNeedsRowsIsRefusedWithAWayOut) {
  const Planted problem = planted(50, 5);
  const DesignData data{.design = callbacks_of(problem.x), .labels = labels_of(problem.f)};
  const auto message = [&](const TrainOptions& options) -> std::string {
    try {
      train_on_design(data, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no InputError";
  };
  EXPECT_THAT(message({.engine = "exact"}), HasSubstr("use the engine diagonal, probes or dqn"));
  EXPECT_THAT(message({.engine = "path"}), HasSubstr("has products alone"));
  EXPECT_THAT(message({.scale = "minmax"}), HasSubstr("use auto or none"));
  EXPECT_THAT(message({.early_stop = "cv"}), HasSubstr("early_stop"));
  EXPECT_THAT(message({.refit = true}), HasSubstr("refit"));
  DesignData short_labels = data;
  short_labels.labels = labels_of(problem.f.head(49));
  EXPECT_THROW(train_on_design(short_labels, {}), InputError);
}

}  // namespace
}  // namespace ardent
