#include "ardent/estimators/doubly_sparse_training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/estimators/evaluation.h"
#include "ardent/model/predict.h"
#include "base/temporary_files.h"
#include "problems/labelled.h"
#include "problems/random_matrix.h"

namespace ardent {
namespace {

TrainOptions quick() {
  TrainOptions options;
  options.map = "doubly-sparse";
  options.doubly_sparse.burn_in = 40;
  options.doubly_sparse.sweeps = 60;
  options.doubly_sparse.chains = 2;
  return options;
}

double inclusion(const DoublySparseReport& fit, Index column) {
  const auto found = std::find(fit.columns.begin(), fit.columns.end(), column);
  return found == fit.columns.end() ? -1 : fit.summary.features[found - fit.columns.begin()].mean;
}

/// "yes" where x_1 · x_2 > 0: no feature tells anything alone. Six further columns are noise.
Dataset exclusive_or(Index rows, std::uint64_t seed) {
  const Matrix x = problems::random_matrix(rows, 8, seed);
  Dataset data;
  data.features = problems::dense_rows(x);
  std::vector<std::string_view> tokens;
  for (Index i = 0; i < rows; ++i) tokens.push_back(x(i, 0) * x(i, 1) > 0 ? "yes" : "no");
  data.labels = make_labels(tokens);
  data.source = "xor";
  return data;
}

/// Of the first part.
std::vector<KernelDraw> draws_of(const DoublySparseFit& fit) {
  return std::get<DoublySparseModel>(fit.model.kind).samples[0].draws;
}

TEST(DoublySparse, FindsTheFeaturesOfAnExclusiveOr) {
  const DoublySparseFit fit = fit_doubly_sparse(exclusive_or(200, 3), quick());
  ASSERT_EQ(fit.fits.size(), 1u);
  EXPECT_GT(inclusion(fit.fits[0], 0), 0.9);
  EXPECT_GT(inclusion(fit.fits[0], 1), 0.9);
  for (Index k = 2; k < 8; ++k) EXPECT_LT(inclusion(fit.fits[0], k), 0.5) << "feature " << k + 1;
  const Evaluation test = evaluate(fit.model, exclusive_or(400, 4));
  EXPECT_GT(test.classification.accuracy, 0.85);
}

TEST(DoublySparse, ModelAveragesTheChainsDraws) {
  TrainOptions options = quick();
  options.doubly_sparse.draws = 10;
  const DoublySparseFit fit = fit_doubly_sparse(exclusive_or(80, 3), options);
  const Part& part = fit.model.parts[0];
  EXPECT_EQ(draws_of(fit).size(), 10u);
  EXPECT_EQ(fit.model.total, 80);
  // The posterior's relevance is the share of draws that a centre is in.
  for (std::size_t a = 0; a < part.posterior.active.size(); ++a) {
    Index in = 0;
    for (const KernelDraw& draw : draws_of(fit)) {
      in += std::count(draw.centres.begin(), draw.centres.end(), part.posterior.active[a]);
    }
    EXPECT_NEAR(part.posterior.gamma[a], static_cast<double>(in) / 10, 1e-14);
  }
  options.doubly_sparse.point_estimate = true;
  EXPECT_EQ(draws_of(fit_doubly_sparse(exclusive_or(80, 3), options)).size(), 1u);
}

TEST(DoublySparse, TrainGivesTheSameModel) {
  const Dataset data = exclusive_or(60, 5);
  const Prediction a = predict(train(data, quick()), data),
                   b = predict(fit_doubly_sparse(data, quick()).model, data);
  EXPECT_EQ(a.probabilities, b.probabilities);
}

TEST(DoublySparse, SameBitsWhateverTheThreads) {
  const Dataset data = problems::three_classes(60, 3, 2);
  TrainOptions options = quick();
  options.doubly_sparse.sweeps = 10;
  const auto run = [&](int threads) {
    const ThreadScope scope(threads);
    return predict(fit_doubly_sparse(data, options).model, data).probabilities;
  };
  const Matrix one = run(1);
  EXPECT_EQ(one, run(2));
  EXPECT_EQ(one, run(8));
}

TEST(DoublySparse, MoreClassesAreCoupledPairs) {
  const DoublySparseFit fit = fit_doubly_sparse(problems::three_classes(90, 4, 1), quick());
  EXPECT_EQ(fit.fits.size(), 3u);
  const Dataset test = problems::three_classes(150, 4, 2);
  const Evaluation evaluation = evaluate(fit.model, test);
  EXPECT_GT(evaluation.classification.accuracy, 0.9);
  const Prediction prediction = predict(fit.model, test);
  EXPECT_LT((prediction.probabilities.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-12);
}

TEST(DoublySparse, OneAgainstTheRestHasAPartPerClass) {
  const Dataset data = problems::three_classes(60, 4, 1);
  TrainOptions options = quick();
  options.multiclass = "ovr";
  const DoublySparseFit fit = fit_doubly_sparse(data, options);
  ASSERT_EQ(fit.model.parts.size(), 3u);
  for (const DoublySparseReport& one : fit.fits) {
    EXPECT_EQ(one.negative, -1);
    EXPECT_EQ(std::ssize(one.candidates), 60);
  }
  const Prediction prediction = predict(fit.model, data);
  EXPECT_LT((prediction.probabilities.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-12);
  EXPECT_GT(evaluate(fit.model, data).classification.accuracy, 0.9);
}

TEST(DoublySparse, WeightsOfOneChangeNoBit) {
  Dataset data = exclusive_or(40, 5);
  const auto plain = draws_of(fit_doubly_sparse(data, quick()));
  data.weights.assign(40, 1.0);
  const auto weighted = draws_of(fit_doubly_sparse(data, quick()));
  ASSERT_EQ(plain.size(), weighted.size());
  for (std::size_t d = 0; d < plain.size(); ++d) {
    EXPECT_EQ(plain[d].weights, weighted[d].weights);
    EXPECT_EQ(plain[d].delta, weighted[d].delta);
  }
}

// Rows of class "yes" that count ten times move every probability towards it.
TEST(DoublySparse, RowAndClassWeightsAreTheSameThing) {
  Dataset data = exclusive_or(60, 5);
  TrainOptions by_class = quick();
  by_class.class_weight = "yes=10";
  const DoublySparseFit first = fit_doubly_sparse(data, by_class);
  const auto mean_yes = [&](const DoublySparseFit& fit) {
    const Index yes = fit.model.classes.positive;
    return predict(fit.model, data).probabilities.col(yes).mean();
  };
  EXPECT_GT(mean_yes(first), mean_yes(fit_doubly_sparse(data, quick())) + 0.05);
  const ClassTable classes = make_classes(data.labels);
  for (const std::uint32_t c : encode(data.labels, classes)) {
    data.weights.push_back(classes.names[c] == "yes" ? 10 : 1);
  }
  const auto one = draws_of(first), other = draws_of(fit_doubly_sparse(data, quick()));
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t d = 0; d < one.size(); ++d) EXPECT_EQ(one[d].weights, other[d].weights);
}

TEST(DoublySparse, EachPairHasACheckpointOfItsOwn) {
  const TemporaryFiles files;
  const std::string path = files.path("run.checkpoint");
  TrainOptions options = quick();
  options.doubly_sparse.burn_in = 2;
  options.doubly_sparse.sweeps = 5;
  const Dataset data = problems::three_classes(30, 3, 1);
  const DoublySparseFit first = fit_doubly_sparse(data, options, {.path = path});
  const DoublySparseFit again = fit_doubly_sparse(data, options, {.path = path});
  for (int p = 1; p <= 3; ++p) {
    EXPECT_TRUE(std::filesystem::exists(path + "." + std::to_string(p)));
  }
  for (std::size_t p = 0; p < 3; ++p) {
    EXPECT_EQ(first.fits[p].resumed, 0);
    EXPECT_EQ(again.fits[p].resumed, 2 * 7);  // two chains
  }
  EXPECT_EQ(predict(first.model, data).probabilities, predict(again.model, data).probabilities);
}

TEST(DoublySparse, RegressionIsInTheTargetsUnits) {
  TrainOptions options = quick();
  options.doubly_sparse.expected_features = 1;
  const DoublySparseFit fit = fit_doubly_sparse(problems::line(150, 5, 1), options);
  EXPECT_GT(inclusion(fit.fits[0], 0), 0.9);
  EXPECT_GT(inclusion(fit.fits[0], 2), 0.9);
  const Evaluation evaluation = evaluate(fit.model, problems::line(200, 5, 2));
  EXPECT_GT(evaluation.regression.r2, 0.95);
  // The noise of the problem is 0.1; a kernel model needs a little more.
  const double noise = std::sqrt(fit.model.parts[0].posterior.noise_variance);
  EXPECT_GT(noise, 0.05);
  EXPECT_LT(noise, 0.5);
}

/// A target multiplied by 1000 and shifted gives predictions that are so too.
TEST(DoublySparse, RegressionFollowsTheUnitsOfTheTarget) {
  Dataset data = problems::line(60, 3, 1);
  TrainOptions options = quick();
  options.doubly_sparse.sweeps = 10;
  const Prediction first = predict(fit_doubly_sparse(data, options).model, data);
  std::vector<double> t = data.labels.numbers;
  for (double& value : t) value = 1024 * value;  // a power of two: exact
  data.labels = make_labels(t);
  const Prediction second = predict(fit_doubly_sparse(data, options).model, data);
  EXPECT_LT((second.mean - 1024 * first.mean).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(DoublySparse, ConstantColumnsAreLeftOut) {
  Dataset data = exclusive_or(50, 5);
  Matrix x = problems::random_matrix(50, 3, 1);
  x.col(1).setConstant(7);
  data.features = problems::dense_rows(x);
  TrainOptions options = quick();
  options.doubly_sparse.sweeps = 5;
  const DoublySparseFit fit = fit_doubly_sparse(data, options);
  EXPECT_EQ(fit.fits[0].columns, (std::vector<Index>{0, 2}));
  x.setConstant(7);
  data.features = problems::dense_rows(x);
  EXPECT_THROW(fit_doubly_sparse(data, options), InputError);
}

TEST(DoublySparse, LandmarksBoundTheCandidates) {
  TrainOptions options = quick();
  options.doubly_sparse.sweeps = 5;
  options.doubly_sparse.landmarks = 15;
  const DoublySparseFit fit = fit_doubly_sparse(exclusive_or(60, 5), options);
  EXPECT_EQ(fit.fits[0].candidates.size(), 15u);
  EXPECT_EQ(fit.fits[0].summary.basis.size(), 15u);
  EXPECT_TRUE(std::is_sorted(fit.fits[0].candidates.begin(), fit.fits[0].candidates.end()));
  for (const KernelDraw& draw : draws_of(fit)) EXPECT_LE(draw.centres.size(), 15u);
}

TEST(DoublySparse, PublishedSamplersGiveTheirBestState) {
  TrainOptions options = quick();
  options.doubly_sparse.sampler = "paper";
  const Dataset data = problems::two_classes(60, 4, 1);
  const DoublySparseFit paper = fit_doubly_sparse(data, options);
  EXPECT_EQ(draws_of(paper).size(), 1u);
  EXPECT_GT(evaluate(paper.model, data).classification.accuracy, 0.8);
  options.doubly_sparse.sampler = "paper-basis";
  const DoublySparseFit basis = fit_doubly_sparse(data, options);
  EXPECT_EQ(draws_of(basis)[0].inputs.size(), 4u);
}

TEST(DoublySparse, WhatItCannotDoIsSaid) {
  Dataset data = exclusive_or(30, 5);
  TrainOptions options = quick();
  options.multiclass = "folds";
  EXPECT_THROW(fit_doubly_sparse(data, options), InputError);
  options = quick();
  options.doubly_sparse.sampler = "paper";
  options.class_weight = "balanced";
  EXPECT_THROW(fit_doubly_sparse(data, options), InputError);
  options.class_weight = "none";
  data.weights.assign(30, 1.0);
  EXPECT_THROW(fit_doubly_sparse(data, options), InputError);
  EXPECT_THROW(fit_doubly_sparse(problems::line(30, 3, 1), options), InputError);
  Dataset empty;
  EXPECT_THROW(fit_doubly_sparse(empty, quick()), InputError);
}

TEST(DoublySparse, NotANumberIsRefused) {
  Dataset data = exclusive_or(30, 5);
  Matrix x = problems::random_matrix(30, 3, 1);
  x(4, 1) = std::nan("");
  data.features = problems::dense_rows(x);
  EXPECT_THROW(fit_doubly_sparse(data, quick()), InputError);
}

}  // namespace
}  // namespace ardent
