#include "ardent/estimators/support_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "ardent/estimators/trainer.h"
#include "ardent/model/model_file.h"
#include "ardent/model/predict.h"
#include "problems/labelled.h"

namespace ardent {
namespace {

using problems::line;
using problems::two_classes;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const Part& only_part(const Model& model) {
  return model.parts.at(0);
}

TEST(SupportChoice, ARegressionIsDecidedByHeldOutRows) {
  const Dataset data = line(60, 80, 1);
  const Model chosen = train(data, {.task = "regression"});
  EXPECT_THAT(only_part(chosen).report.notes,
              Contains(HasSubstr("squared error of held-out rows")));
  EXPECT_LE(chosen.inputs.size(), 6u);
  const Model priced = train(data, {.task = "regression", .support_prior = "beta-binomial"});
  EXPECT_EQ(priced.inputs, (std::vector<Index>{0, 2}));
  EXPECT_EQ(only_part(priced).report.candidates, 80);
  EXPECT_THAT(only_part(priced).report.notes, IsEmpty());
  const Model alone = train(data, {.task = "regression", .support_prior = "none"});
  EXPECT_GT(alone.inputs.size(), chosen.inputs.size());
  EXPECT_EQ(only_part(alone).report.candidates, 0);
}

TEST(SupportChoice, ClassesAreDecidedByHeldOutRows) {
  const Dataset data = two_classes(80, 60, 2);
  const Model chosen = train(data, {});
  EXPECT_THAT(only_part(chosen).report.notes, Contains(HasSubstr("log loss of held-out rows")));
  const Model priced = train(data, {.engine = "sequential", .support_prior = "beta-binomial"});
  const Model alone = train(data, {.support_prior = "none"});
  EXPECT_LT(priced.inputs.size(), alone.inputs.size());
  const Model path =
      train(data, {.engine = "path", .engine_options = {.rule = PathRule::one_standard_error}});
  EXPECT_THAT(only_part(chosen).report.notes, Contains(HasSubstr("averaged")));
  const auto weight = [](const Model& model, Index column) {
    const auto at = std::ranges::find(model.inputs, column) - model.inputs.begin();
    return at < std::ssize(model.inputs) ? only_part(model).posterior.mean[at] : 0;
  };
  const Model exact = train(data, {.support_prior = "beta-binomial"});
  for (Index k = 0; k < 60; ++k) {
    const double mean = (weight(exact, k) + weight(path, k)) / 2;
    EXPECT_NEAR(weight(chosen, k), mean, 1e-9) << "column " << k;
  }
}

// Folds of the price would cost five fits more: the path's are enough.
TEST(SupportChoice, ClassesFitThePriceOnce) {
  std::vector<std::string> tasks;
  const Model chosen = train(two_classes(120, 60, 2), {}, [&](const ProgressEvent& event) {
    tasks.push_back(event.task);
    return true;
  });
  EXPECT_THAT(tasks, Contains(HasSubstr("fold 5/5"))) << "the path's";
  EXPECT_THAT(only_part(chosen).report.notes, Contains(HasSubstr("path: lambda")));
  EXPECT_TRUE(only_part(chosen).posterior.plug_in);
}

/// Where columns have one factor in common ℓ1 is asked first, and the evidence alone as well.
TEST(SupportChoice, CorrelatedColumnsOfClassesAskThePathFirst) {
  Dataset data = two_classes(80, 60, 2);
  const auto notes = [&] { return only_part(train(data, {})).report.notes; };
  EXPECT_THAT(notes(), Contains(HasSubstr("beta-binomial and the path, averaged")));
  EXPECT_THAT(notes(), Not(Contains(HasSubstr(", none "))));
  const auto& rows = std::get<DenseRows>(data.features);
  Buffer<double> values = Buffer<double>::allocate(80 * 60);
  Random random(5);
  for (Index i = 0; i < 80; ++i) {
    const double common = 3 * random.normal();
    for (Index k = 0; k < 60; ++k)
      values.mutable_data()[60 * i + k] = rows.values[60 * i + k] + common;
  }
  data.features = DenseRows{80, 60, values};
  EXPECT_THAT(notes(), Contains(HasSubstr("held-out rows: path")));
  EXPECT_THAT(notes(), Contains(HasSubstr(", none ")));
}

/// The noise of a regression whose columns were chosen is not what is left at the chosen columns.
TEST(SupportChoice, TheNoiseIsThatOfHeldOutRows) {
  double chosen = 0, priced = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Dataset data = line(40, 60, seed);
    Random random(100 + seed);
    std::vector<double> targets(40);
    for (std::size_t i = 0; i < 40; ++i) {
      const auto& x = std::get<DenseRows>(data.features);
      targets[i] = x.values[i * 60] - x.values[i * 60 + 1] + 2 * random.normal();
    }
    data.labels = make_labels(std::move(targets));
    TrainOptions options{.task = "regression", .engine = "exact"};
    chosen += only_part(train(data, options)).posterior.noise_variance / 10;
    options.support_prior = "beta-binomial";
    priced += only_part(train(data, options)).posterior.noise_variance / 10;
  }
  EXPECT_GT(chosen, priced);
  EXPECT_NEAR(chosen, 4, 1.2);
}

TEST(SupportChoice, PureNoiseLeavesTheBiasAlone) {
  std::size_t kept = 0, alone = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Dataset data = line(50, 100, seed);
    Random random(100 + seed);
    std::vector<double> targets(50);
    for (double& t : targets) t = random.normal();
    data.labels = make_labels(std::move(targets));
    const Model model = model_from_bytes(model_bytes(train(data, {.task = "regression"})));
    kept += only_part(model).posterior.active.size();
    if (only_part(model).posterior.active.empty()) {
      ++alone;
      EXPECT_THAT(only_part(model).report.warnings, Contains(HasSubstr("worth its price")));
      const Prediction prediction = predict(model, data);
      EXPECT_EQ(prediction.mean.maxCoeff(), prediction.mean.minCoeff());
      const std::vector<double>& t = data.labels.numbers;
      const double mean = std::accumulate(t.begin(), t.end(), 0.0) / 50;
      EXPECT_NEAR(prediction.mean[0], mean, 1e-12);
    }
  }
  EXPECT_LE(kept, 30u);
  EXPECT_GE(alone, 15u);
}

TEST(SupportChoice, ManyRowsAndFewColumnsNeedNoFolds) {
  const Model many = train(two_classes(300, 30, 3), {});
  EXPECT_THAT(only_part(many).report.notes,
              Contains(HasSubstr("beta-binomial (rows are many against columns)")));
  EXPECT_EQ(only_part(many).report.candidates, 30);
  const Dataset few = two_classes(200, 8, 3);
  const Model chosen = train(few, {}), alone = train(few, {.support_prior = "none"});
  EXPECT_THAT(only_part(chosen).report.notes, Contains(HasSubstr("none (few columns)")));
  EXPECT_EQ(only_part(chosen).posterior.mean, only_part(alone).posterior.mean);
}

/// Standard normal columns, weights, and a target of noise 1, or classes.
Dataset planted(Index rows, const Vector& w, bool classes, std::uint64_t seed) {
  Random random(seed);
  Buffer<double> values = Buffer<double>::allocate(rows * w.size());
  std::vector<double> targets;
  for (Index i = 0; i < rows; ++i) {
    double f = 0;
    for (Index k = 0; k < w.size(); ++k) {
      const double x = random.normal();
      values.mutable_data()[i * w.size() + k] = x;
      f += w[k] * x;
    }
    const double chance = random.uniform();
    targets.push_back(classes ? (chance < 1 / (1 + std::exp(-f)) ? 1.0 : 0.0)
                              : f + random.normal());
  }
  Dataset data;
  data.features = DenseRows{rows, w.size(), values};
  data.labels = make_labels(std::move(targets));
  return data;
}

/// Columns of few rows that are too weak one by one: the evidence alone, at a price for all
/// together, left the bias alone in most of these.
TEST(SupportChoice, WeakColumnsOfFewRowsAreTheMeanOfAllSubsets) {
  int without = 0;
  std::size_t noise = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Vector w = Vector::Zero(8);
    noise += train(planted(100, w, seed % 2 == 0, seed), {}).inputs.size();
    w[1] = 0.6;
    w[4] = -0.6;
    const Model model = train(planted(60, w, true, seed), {});
    without += model.inputs.empty();
    EXPECT_THAT(only_part(model).report.notes, Contains(HasSubstr("mean of all subsets")));
  }
  EXPECT_LE(without, 6);
  EXPECT_LE(noise, 20u);
}

/// All columns matter a little: no selection predicts as well as one precision for all of them.
TEST(SupportChoice, ADenseTruthIsShrunkAndASparseOneIsNot) {
  for (const bool classes : {false, true}) {
    int dense = 0, sparse = 0;
    const TrainOptions options{.task = classes ? "classification" : "regression"};
    const auto is_shrunk = [&](const Model& model) {
      const auto& notes = only_part(model).report.notes;
      return std::ranges::any_of(notes, [](const std::string& note) {
        return note.find("one precision for all columns") != note.npos;
      });
    };
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Random random(200 + seed);
      Vector w(60);
      for (double& value : w) value = (classes ? 0.4 : 0.25) * random.normal();
      const Model shrunk = train(planted(150, w, classes, seed), options);
      dense += is_shrunk(shrunk);
      if (is_shrunk(shrunk)) {
        EXPECT_EQ(shrunk.inputs.size(), 60u);
      }
      w.setZero();
      w[3] = 1.5;
      w[30] = -1.5;
      sparse += is_shrunk(train(planted(150, w, classes, seed), options));
    }
    EXPECT_GE(dense, 4) << "classes: " << classes;
    EXPECT_EQ(sparse, 0) << "classes: " << classes;
  }
}

/// Columns that have no price one by one: the evidence alone keeps every third of pure noise.
TEST(SupportChoice, FewColumnsThatSayNothingLeaveTheBiasAlone) {
  for (const Index columns : {3, 9}) {
    std::size_t kept = 0, without = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Dataset data = line(300, columns, seed);
      Random random(100 + seed);
      const bool classes = seed % 2 == 0;
      std::vector<double> targets(300);
      for (double& t : targets) t = classes ? random.normal() > 0 : random.normal();
      data.labels = make_labels(std::move(targets));
      const std::string task = classes ? "classification" : "regression";
      const Model model = train(data, {.task = task});
      kept += model.inputs.size();
      without += train(data, {.task = task, .support_prior = "none"}).inputs.size();
      const auto& warnings = only_part(model).report.warnings;
      if (model.inputs.empty()) {
        EXPECT_THAT(warnings, Contains(HasSubstr("worth its price")));
      }
    }
    EXPECT_LE(kept, 8u) << columns << " columns";
    EXPECT_GE(without, 20u) << columns << " columns";
  }
}

TEST(SupportChoice, FewColumnsThatSaySomethingStay) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Dataset data = line(100, 3, seed);
    Random random(100 + seed);
    const auto& x = std::get<DenseRows>(data.features);
    std::vector<double> targets(100);
    for (std::size_t i = 0; i < 100; ++i) targets[i] = 0.6 * x.values[3 * i] + random.normal();
    data.labels = make_labels(std::move(targets));
    const Model model = train(data, {.task = "regression"});
    EXPECT_THAT(model.inputs, Contains(0));
    const Model alone = train(data, {.task = "regression", .support_prior = "none"});
    EXPECT_EQ(only_part(model).posterior.mean, only_part(alone).posterior.mean);
    EXPECT_THAT(only_part(model).report.warnings, Not(Contains(HasSubstr("worth its price"))));
  }
}

/// Engines without a Hessian, too, would take the noise of a regression away, and say nothing.
TEST(SupportChoice, ARegressionOfManyColumnsIsPricedByTheLargeEngines) {
  const Dataset data = line(1000, 4000, 3);
  const Model chosen = train(data, {.task = "regression", .engine = "diagonal"});
  EXPECT_LE(chosen.inputs.size(), 10u);
  EXPECT_THAT(only_part(chosen).report.notes,
              Contains(HasSubstr("beta-binomial (columns are many")));
  EXPECT_THAT(only_part(chosen).report.warnings, Not(Contains(HasSubstr("use up"))));
  const Model alone = train(data, {.task = "regression",
                                   .engine = "diagonal",
                                   .support_prior = "none",
                                   .engine_options = {.max_stages = 10}});
  ASSERT_GT(alone.inputs.size(), 2000u) << "no covariance is formed";
  EXPECT_THAT(only_part(alone).report.warnings, Contains(HasSubstr("use up the data")));
}

}  // namespace
}  // namespace ardent
