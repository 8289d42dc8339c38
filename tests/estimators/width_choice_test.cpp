// The width of the rbf map by folds: what it chooses, and that it says so.
#include "ardent/estimators/width_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/parallel.h"
#include "ardent/estimators/evaluation.h"
#include "ardent/estimators/trainer.h"
#include "ardent/maps/rbf.h"
#include "ardent/model/model_file.h"
#include "problems/labelled.h"

namespace ardent {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// t = sin(frequency x) + noise of standard deviation 0.1, x even in [0, 1]; or its sign.
Dataset wave(Index rows, double frequency, bool classes, std::uint64_t seed) {
  Random random(seed);
  Buffer<double> values = Buffer<double>::allocate(rows);
  std::vector<double> targets;
  std::vector<std::string_view> tokens;
  for (Index i = 0; i < rows; ++i) {
    const double x = random.uniform();
    values.mutable_data()[i] = x;
    targets.push_back(std::sin(frequency * x) + 0.1 * random.normal());
    tokens.push_back(targets.back() > 0 ? "up" : "down");
  }
  Dataset data;
  data.features = DenseRows{rows, 1, values};
  data.labels = classes ? make_labels(tokens) : make_labels(std::move(targets));
  data.source = "wave";
  return data;
}

TrainOptions rbf_options(double sigma = 0, const std::string& task = "auto") {
  return {.task = task, .map = "rbf", .sigma = sigma};
}

double sigma_of(const Model& model) {
  return map_parameters(model).at(0).second;
}

/// Of the rows' distances, as the map sees them.
double median_distance(const Dataset& data, const TrainOptions& options) {
  return automatic_sigma(make_training_set(data, options).scaled) / 2;
}

TEST(WidthChoice, IsNarrowWhereTheTargetWindsAndWideWhereItDoesNot) {
  for (const bool classes : {false, true}) {
    const TrainOptions options = rbf_options(0, classes ? "classification" : "regression");
    const Dataset winding = wave(300, 40, classes, 1), calm = wave(300, 3.5, classes, 2);
    EXPECT_LE(sigma_of(train(winding, options)), 0.5 * median_distance(winding, options) + 1e-9);
    EXPECT_GE(sigma_of(train(calm, options)), 0.5 * median_distance(calm, options) - 1e-9);
    EXPECT_GT(sigma_of(train(calm, options)), sigma_of(train(winding, options)));
  }
}

TEST(WidthChoice, PredictsFreshRowsNearlyAsWellAsTheBestOfTheFiveWidths) {
  for (const double frequency : {4.0, 15.0, 40.0}) {
    const Dataset data = wave(200, frequency, false, 3), fresh = wave(500, frequency, false, 4);
    const TrainOptions options = rbf_options(0, "regression");
    const double median = median_distance(data, options);
    double best = 1e300;
    for (const double factor : {0.25, 0.5, 1.0, 2.0, 4.0}) {
      const Model fixed = train(data, rbf_options(factor * median, "regression"));
      best = std::min(best, evaluate(fixed, fresh).regression.nlpd);
    }
    EXPECT_LT(evaluate(train(data, options), fresh).regression.nlpd, best + 0.1) << frequency;
  }
}

TEST(WidthChoice, IsReportedWithTheScoresOfTheFolds) {
  const Model model = train(wave(120, 10, false, 5), rbf_options(0, "regression"));
  EXPECT_THAT(model.parts[0].report.notes, Contains(HasSubstr("per held-out row of 12 folds: ")));
  EXPECT_THAT(model.parts[0].report.notes,
              Contains(HasSubstr(fmt::format("sigma: {:.6g}, ", sigma_of(model)))));
}

TEST(WidthChoice, AWidthThatIsGivenStays) {
  const Model model = train(wave(60, 10, false, 6), rbf_options(0.3, "regression"));
  EXPECT_EQ(sigma_of(model), 0.3);
  EXPECT_THAT(model.parts[0].report.notes, testing::Not(Contains(HasSubstr("sigma"))));
}

TEST(WidthChoice, IsTwiceTheMedianDistanceWhereRowsAreTooFewForFolds) {
  const Dataset few = wave(6, 10, false, 7);
  const TrainOptions options = rbf_options(0, "regression");
  const Model model = train(few, options);
  EXPECT_NEAR(sigma_of(model), 2 * median_distance(few, options), 1e-12);
  EXPECT_THAT(model.parts[0].report.notes, Contains(HasSubstr("too few rows")));
}

TEST(WidthChoice, FewerCentresThanRowsAreReported) {
  TrainOptions options = rbf_options(0.3, "regression");
  const Dataset data = wave(120, 10, false, 6), fresh = wave(200, 10, false, 7);
  const Model all = train(data, options);
  options.centres = 30;
  const Model some = train(data, options);
  EXPECT_THAT(some.parts[0].report.notes,
              Contains(HasSubstr("centres: 30 candidates of up to 120 rows")));
  EXPECT_THAT(all.parts[0].report.notes, testing::Not(Contains(HasSubstr("centres"))));
  EXPECT_LT(evaluate(some, fresh).regression.rmse, 1.2 * evaluate(all, fresh).regression.rmse);
}

TEST(WidthChoice, DoesNotDependOnTheNumberOfThreads) {
  const auto bytes = [](const Dataset& data, int threads) {
    const ThreadScope scope(threads);
    return model_bytes(train(data, rbf_options()));
  };
  const Dataset classes = problems::three_classes(90, 2, 8), numbers = wave(100, 10, false, 9);
  EXPECT_EQ(bytes(classes, 1), bytes(classes, 2));
  EXPECT_EQ(bytes(numbers, 1), bytes(numbers, 2));
}

}  // namespace
}  // namespace ardent
