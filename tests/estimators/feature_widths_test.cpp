// One width per feature: what is learnt where some features say nothing, and that it pays.
#include "ardent/estimators/feature_widths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/random.h"
#include "ardent/estimators/evaluation.h"
#include "ardent/estimators/grid_search.h"
#include "ardent/estimators/trainer.h"
#include "ardent/inference/evidence/feature_factors.h"
#include "ardent/model/model_file.h"
#include "ardent/model/predict.h"
#include "problems/labelled.h"

namespace ardent {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// Two of the features matter, one winds thrice as fast as the other; the rest say nothing.
Dataset winding(Index rows, Index features, std::uint64_t seed) {
  Random random(seed);
  Buffer<double> values = Buffer<double>::allocate(rows * features);
  std::vector<double> targets;
  for (Index i = 0; i < rows; ++i) {
    double* x = values.mutable_data() + i * features;
    for (Index j = 0; j < features; ++j) x[j] = 2 * random.uniform() - 1;
    targets.push_back(std::sin(4 * x[0]) + std::sin(1.3 * x[1]) + 0.1 * random.normal());
  }
  Dataset data;
  data.features = DenseRows{rows, features, values};
  data.labels = make_labels(std::move(targets));
  data.source = "winding";
  return data;
}

TrainOptions with_widths(const std::string& widths) {
  return {.task = "regression", .map = "rbf", .widths = widths};
}

Matrix matrix_of(const Dataset& data) {
  const auto& rows = std::get<DenseRows>(data.features);
  return Eigen::Map<const Matrix>(rows.values.data(), rows.cols, rows.rows).transpose();
}

TEST(FeatureWidths, LeaveOutWhatSaysNothing) {
  const Dataset data = winding(250, 8, 1);
  const Eigen::Map<const Vector> t(data.labels.numbers.data(), 250);
  const Vector factors = learn_feature_factors(matrix_of(data), t, Vector::Ones(250));
  EXPECT_EQ(factors[0], 1) << "the one that winds most";
  EXPECT_GT(factors[1], 0.1);
  EXPECT_LT(factors[1], 0.7);
  EXPECT_LT(factors.tail(6).maxCoeff(), 0.1);
}

TEST(FeatureWidths, DoNotDependOnTheUnitsOfAFeature) {
  const Dataset data = winding(120, 4, 2);
  const Eigen::Map<const Vector> t(data.labels.numbers.data(), 120);
  const Vector units = Vector{{1, 10, 0.1, 1}};
  const Matrix x = matrix_of(data);
  const Vector plain = learn_feature_factors(x, t, Vector::Ones(120));
  Vector scaled = learn_feature_factors(x * units.asDiagonal(), t, Vector::Ones(120));
  scaled.array() *= units.array();
  EXPECT_LT((scaled / scaled.maxCoeff() - plain).norm(), 1e-3);
}

TEST(FeatureWidths, PredictBetterWhereFeaturesSayNothing) {
  const Dataset data = winding(250, 10, 3), fresh = winding(500, 10, 4);
  const double common = evaluate(train(data, with_widths("common")), fresh).regression.rmse;
  const Model model = train(data, with_widths("per-feature"));
  EXPECT_LT(evaluate(model, fresh).regression.rmse, 0.7 * common);
  EXPECT_LT(evaluate(model, fresh).regression.rmse, 0.15) << "the noise is 0.1";
  EXPECT_THAT(model.parts[0].report.notes, Contains(HasSubstr("widths: factors per feature")));
}

TEST(FeatureWidths, AreTakenWhereHeldOutRowsSayThatTheyPay) {
  const Model model = train(winding(250, 10, 3), with_widths("auto"));
  EXPECT_THAT(model.parts[0].report.notes, Contains(HasSubstr("widths: per-feature (log pred")));
  const Model asked = train(winding(250, 10, 3), with_widths("per-feature"));
  EXPECT_EQ(model.parts[0].posterior.mean, asked.parts[0].posterior.mean);
}

TEST(FeatureWidths, OfTwoClassesFindWhatTheClassesTurnOn) {
  // The sign of a product of two features among ten: no feature says anything by itself.
  Dataset data = winding(300, 10, 11), fresh = winding(600, 10, 12);
  for (Dataset* rows : {&data, &fresh}) {
    const Matrix x = matrix_of(*rows);
    std::vector<double> labels;
    for (Index i = 0; i < x.rows(); ++i) labels.push_back(x(i, 0) * x(i, 1) > 0 ? 1 : -1);
    rows->labels = make_labels(std::move(labels));
  }
  TrainOptions options = with_widths("auto");
  options.task = "classification";
  const Model model = train(data, options);
  EXPECT_THAT(model.parts[0].report.notes, Contains(HasSubstr("widths: per-feature (log pred")));
  const double found = evaluate(model, fresh).classification.accuracy;
  options.widths = "common";
  EXPECT_GT(found, evaluate(train(data, options), fresh).classification.accuracy + 0.1);
  EXPECT_GT(found, 0.9);
}

TEST(FeatureWidths, AreNotTakenWhereTheySayNothing) {
  Dataset noise = winding(120, 12, 9);
  Random random(10);
  for (double& value : noise.labels.numbers) value = random.normal();
  const Model model = train(noise, with_widths("auto"));
  EXPECT_THAT(model.parts[0].report.notes, Contains(HasSubstr("widths: common (log pred")));
  const Model asked = train(noise, with_widths("common"));
  EXPECT_EQ(model.parts[0].posterior.mean, asked.parts[0].posterior.mean);
}

TEST(FeatureWidths, AreNotAskedForWhereTheWidthIsGivenOrRowsAreFew) {
  TrainOptions given = with_widths("auto");
  given.sigma = 2;
  EXPECT_THAT(train(winding(120, 4, 3), given).parts[0].report.notes,
              Not(Contains(HasSubstr("widths:"))));
  EXPECT_THAT(train(winding(40, 4, 3), with_widths("auto")).parts[0].report.notes,
              Not(Contains(HasSubstr("widths:"))));
}

TEST(FeatureWidths, OfAGridDoNotShareDistancesWithTheCommonWidth) {
  const Dataset data = winding(80, 4, 5);
  TrainOptions base = with_widths("common");
  const std::vector<std::string> axes{"widths=common,per-feature", "sigma=0.5,1"};
  const GridResult found = grid_search(data, Grid(axes), base, {.folds = 2});
  ASSERT_EQ(found.points.size(), 4u);
  for (const GridPoint& point : found.points) {
    base.widths = point.values[0];
    base.sigma = std::stod(point.values[1]);
    const std::vector<Evaluation> alone = cross_validate(data, base, 2, 1);
    const double rmse = (alone[0].regression.rmse + alone[1].regression.rmse) / 2;
    EXPECT_EQ(mean_score(point, "rmse"), rmse);
  }
}

TEST(FeatureWidths, AreInTheModelFile) {
  const Model model = train(winding(100, 4, 6), with_widths("per-feature"));
  const Model loaded = model_from_bytes(model_bytes(model));
  const Dataset fresh = winding(30, 4, 7);
  EXPECT_EQ(predict(model, fresh).mean, predict(loaded, fresh).mean);
  EXPECT_EQ(predict(model, fresh).variance, predict(loaded, fresh).variance);
}

TEST(FeatureWidths, AreRefusedForClasses) {
  TrainOptions options = with_widths("per-feature");
  options.task = "auto";
  EXPECT_THROW(train(problems::three_classes(60, 2, 8), options), InputError);
}

}  // namespace
}  // namespace ardent
