#include "ardent/estimators/inner_folds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/estimators/evaluation.h"
#include "ardent/estimators/trainer.h"
#include "ardent/model/model_file.h"
#include "ardent/model/predict.h"
#include "problems/labelled.h"

namespace ardent {
namespace {

using problems::line;
using problems::three_classes;
using problems::two_classes;

/// Held-out log-likelihood of each stage, summed over folds that are fitted one by one through the
/// trainer, on data that need no scaling.
std::vector<double> scores_by_hand(const Dataset& data, const TrainOptions& options) {
  const ClassTable classes = make_classes(data.labels);
  const auto class_of = encode(data.labels, classes);
  std::vector<std::uint32_t> positive;
  for (const auto c : class_of) positive.push_back(c == classes.positive ? 1 : 0);
  std::vector<std::vector<double>> folds;
  std::size_t longest = 0;
  for (const Split& split : stratified_folds(positive, 5, options.seed)) {
    TrainOptions keep = options;
    keep.engine_options.keep_stages = true;
    const Model model = train(select_rows(data, split.train), keep);
    const DenseRows x = std::get<DenseRows>(data.features);
    auto& scores = folds.emplace_back();
    for (const PathPoint& stage : model.parts[0].report.path) {
      double sum = 0;
      for (const Index i : split.test) {
        double f = stage.bias;
        for (std::size_t k = 0; k < stage.active.size(); ++k) {
          const Index column = model.inputs[stage.active[k]];
          f += stage.mean[k] * x.values[i * x.cols + column];
        }
        sum -= std::log1p(std::exp(positive[i] ? -f : f));
      }
      scores.push_back(sum);
    }
    longest = std::max(longest, scores.size());
  }
  std::vector<double> total(longest, 0);
  for (const auto& scores : folds) {
    for (std::size_t s = 0; s < longest; ++s) total[s] += scores[std::min(s, scores.size() - 1)];
  }
  return total;
}

TEST(EarlyStop, ChoosesTheStageThatDoesBestOnHeldOutRows) {
  const Dataset data = two_classes(120, 60, 3);
  for (const char* engine : {"exact", "diagonal", "sequential"}) {
    TrainOptions options{.engine = engine, .scale = "none", .support_prior = "none"};
    options.engine_options.max_stages = 25;
    const std::vector<double> scores = scores_by_hand(data, options);
    const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin() + 1;
    options.early_stop = "cv";
    const Model chosen = train(data, options);
    const auto& stages = chosen.parts[0].report.stages;
    EXPECT_EQ(std::ssize(stages), best) << engine;
    EXPECT_LT(best, std::ssize(scores)) << engine << ": the last stage is no choice";

    options.early_stop = "none";
    options.engine_options.max_stages = best;
    const Model stopped = train(data, options);
    EXPECT_EQ(chosen.parts[0].posterior.mean, stopped.parts[0].posterior.mean) << engine;
    EXPECT_EQ(chosen.parts[0].report.status, Status::chosen_stage);
  }
}

TEST(EarlyStop, HelpsWhereTheEvidenceOverfits) {
  // 80 rows and 400 columns: converged ARD finds columns that explain every label.
  const Dataset train_rows = two_classes(80, 400, 11), test_rows = two_classes(1000, 400, 12);
  TrainOptions options{.engine = "diagonal"};
  const double converged = evaluate(train(train_rows, options), test_rows).classification.log_loss;
  options.early_stop = "cv";
  const double chosen = evaluate(train(train_rows, options), test_rows).classification.log_loss;
  EXPECT_LT(chosen, converged);
}

/// alpha_k/h_k^p is the same for all columns, for one of the powers that are tried: how far from
/// it.
double least_spread(const DenseRows& x, const Model& model) {
  const Vector& alpha = model.parts[0].posterior.alpha;
  double least = INFINITY;
  for (const double power : {0.0, 0.5, 1.0}) {
    Vector ratio(alpha.size());
    for (Index k = 0; k < ratio.size(); ++k) {
      double h = 0;
      const Index column = model.inputs[k];
      for (Index i = 0; i < x.rows; ++i) {
        h += std::pow(x.values[i * x.cols + column], 2) / 4;
      }
      ratio[k] = alpha[k] / std::pow(h, power);
    }
    least = std::min(least, ratio.maxCoeff() / ratio.minCoeff() - 1);
  }
  return least;
}

TEST(Refit, KeepsTheChosenColumnsUnderOnePooledPrior) {
  std::size_t refits = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Dataset data = two_classes(60, 10, seed);
    TrainOptions options{.engine = "diagonal", .scale = "none"};
    const Model selected = train(data, options);
    options.refit = true;
    const Model refitted = train(data, options);
    ASSERT_EQ(refitted.inputs, selected.inputs);
    if (refitted.parts[0].report.notes.back().starts_with("refit: off")) continue;
    if (refitted.inputs.size() < 2) continue;  // no spread
    ++refits;
    EXPECT_LT(least_spread(std::get<DenseRows>(data.features), refitted), 1e-9);
    EXPECT_NE(refitted.parts[0].posterior.mean, selected.parts[0].posterior.mean);
  }
  EXPECT_GT(refits, 0u);
}

/// Beyond 2,000 weights no covariance is formed: what folds tuned without one predicts without one.
TEST(Refit, ProbabilitiesAreThoseThatWereTuned) {
  for (const Index columns : {30, 2100}) {
    const Dataset data = two_classes(60, columns, 5);
    TrainOptions options{.engine = "diagonal", .early_stop = "cv", .refit = true};
    options.engine_options.max_stages = 1;
    const Model model = model_from_bytes(model_bytes(train(data, options)));
    const Posterior& posterior = model.parts[0].posterior;
    EXPECT_EQ(posterior.covariance.size() > 0, columns < 2000);
    EXPECT_TRUE(posterior.plug_in);
    EXPECT_EQ(predict(model, data).probabilities,
              predict(model, data, {.plug_in = true}).probabilities);
  }
}

TEST(Refit, IsLeftAloneWhereHeldOutRowsDoNotGain) {
  std::size_t on = 0, off = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Dataset data = two_classes(60, 10, seed);
    TrainOptions options{.engine = "diagonal", .scale = "none"};
    const Model selected = train(data, options);
    options.refit = true;
    const Part part = train(data, options).parts.at(0);
    const bool same = part.posterior.mean == selected.parts[0].posterior.mean;
    const std::string& note = part.report.notes.back();
    ASSERT_THAT(note, ::testing::StartsWith(same ? "refit: off" : "refit: on"));
    const double with = std::stod(note.substr(note.find("rows: ") + 6));
    const double without = std::stod(note.substr(note.find("it, ") + 4));
    EXPECT_EQ(with < without, !same);
    ++(same ? off : on);
  }
  EXPECT_GT(on, 0u);
  EXPECT_GT(off, 0u);
}

TEST(Refit, WorksForRegressionForManyClassesAndForKernels) {
  TrainOptions options{.early_stop = "cv", .refit = true};
  const Model numbers = train(line(100, 6, 2), options);
  EXPECT_NEAR(numbers.parts[0].posterior.noise_variance, 0.01, 0.004);
  options.map = "rbf";
  const Dataset three = three_classes(90, 3, 4);
  const Model classes = train(three, options);
  EXPECT_EQ(classes.parts.size(), 3u);
  EXPECT_GT(evaluate(classes, three).classification.accuracy, 0.95);
}

TEST(InnerFolds, SameBitsForAnyNumberOfThreads) {
  const Dataset data = three_classes(120, 20, 6);
  const TrainOptions options{.engine = "diagonal", .early_stop = "cv", .refit = true};
  const auto fit = [&](int threads) {
    const ThreadScope scope(threads);
    return train(data, options);
  };
  const Model one = fit(1), four = fit(4);
  for (std::size_t p = 0; p < one.parts.size(); ++p) {
    EXPECT_EQ(one.parts[p].posterior.mean, four.parts[p].posterior.mean);
    EXPECT_EQ(one.parts[p].posterior.alpha, four.parts[p].posterior.alpha);
  }
}

TEST(InnerFolds, ClassWithOneRowIsRefusedWithTheWayOut) {
  Dataset data = two_classes(30, 3, 8);
  std::vector<std::string_view> labels(30, "no");
  labels[4] = "yes";
  data.labels = make_labels(labels);
  try {
    train(data, {.early_stop = "cv"});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("train without what they choose (early-stop"));
  }
}

}  // namespace
}  // namespace ardent
