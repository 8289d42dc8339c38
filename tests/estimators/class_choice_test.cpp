// Pairs or one against the rest, and the temperature of their probabilities, by folds.
#include "ardent/estimators/class_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/parallel.h"
#include "ardent/estimators/evaluation.h"
#include "ardent/estimators/trainer.h"
#include "ardent/model/combine.h"
#include "ardent/model/model_file.h"
#include "problems/labelled.h"

namespace ardent {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(Temperature, IsThatAtWhichTheClassesAreLikeliest) {
  // Of rows that say 0.9 for the first class it is right in 600 of 1,000.
  Matrix p(1000, 3);
  p.rowwise() = Eigen::RowVector3d(0.9, 0.05, 0.05);
  std::vector<std::uint32_t> truth(1000, 0);
  for (int i = 0; i < 400; ++i) truth[i] = 1 + i % 2;
  const double temperature = best_temperature(p, truth);
  EXPECT_NEAR(tempered(p.row(0), temperature)[0], 0.6, 0.02);
  // log(0.9/0.05)/T = log(0.6/0.2)
  EXPECT_NEAR(temperature, std::log(18) / std::log(3), 0.25);
  EXPECT_EQ(tempered(p.row(0), 1), Vector(p.row(0)));
  EXPECT_NEAR(tempered(Vector(Eigen::Vector3d(1, 0, 0)), 2).sum(), 1, 1e-15);
}

TEST(Temperature, MayMakeProbabilitiesSurer) {
  // Of rows that say 0.6 for the first class it is right in 900 of 1,000.
  Matrix p(1000, 3);
  p.rowwise() = Eigen::RowVector3d(0.6, 0.2, 0.2);
  std::vector<std::uint32_t> truth(1000, 0);
  for (int i = 0; i < 100; ++i) truth[i] = 1 + i % 2;
  EXPECT_EQ(best_temperature(p, truth), 1);
  const double temperature = best_temperature(p, truth, true);
  EXPECT_NEAR(tempered(p.row(0), temperature)[0], 0.9, 0.02);
  EXPECT_NEAR(temperature, std::log(3) / std::log(18), 0.05);
}

/// Four classes around the corners of a square in the first two of many columns, few rows.
Dataset few_rows(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Buffer<double> values = Buffer<double>::allocate(rows * cols);
  std::vector<std::string_view> tokens;
  constexpr std::string_view kNames[4] = {"a", "b", "c", "d"};
  for (Index i = 0; i < rows; ++i) {
    double* x = values.mutable_data() + i * cols;
    for (Index k = 0; k < cols; ++k) x[k] = random.normal();
    x[0] += 1.5 * static_cast<double>(i % 2);
    x[1] += 1.5 * static_cast<double>(i / 2 % 2);
    tokens.push_back(kNames[i % 4]);
  }
  Dataset data;
  data.features = DenseRows{rows, cols, values};
  data.labels = make_labels(tokens);
  data.source = "few_rows";
  return data;
}

TEST(ClassChoice, PredictsFreshRowsAtLeastAsWellAsPairsAlone) {
  double chosen = 0, pairs = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Dataset data = few_rows(100, 60, seed), fresh = few_rows(400, 60, 100 + seed);
    const Model model = train(data, {.multiclass = "folds", .support_prior = "none"});
    EXPECT_THAT(model.parts[0].report.notes,
                Contains(HasSubstr("per held-out row of 4 folds: ovo")));
    chosen += evaluate(model, fresh).classification.log_loss / 4;
    const Model ovo = train(data, {.multiclass = "ovo", .support_prior = "none"});
    pairs += evaluate(ovo, fresh).classification.log_loss / 4;
  }
  EXPECT_LT(chosen, pairs - 0.05);
}

TEST(ClassChoice, IsKeptByTheModelFileAndIsTheSameForAnyNumberOfThreads) {
  const Dataset data = few_rows(80, 20, 7);
  const auto bytes = [&](int threads) {
    const ThreadScope scope(threads);
    return model_bytes(train(data, {.multiclass = "folds"}));
  };
  EXPECT_EQ(bytes(1), bytes(2));
  const Model model = train(data, {.multiclass = "folds"});
  EXPECT_NE(model.temperature, 1);
  EXPECT_EQ(model_from_bytes(model_bytes(model)).temperature, model.temperature);
  EXPECT_EQ(model.options.at("multiclass"), "folds");
}

TEST(ClassChoice, CountsAClassWeightOnce) {
  const Dataset data = few_rows(80, 20, 7);
  Dataset weighted = data;
  for (Index i = 0; i < data.rows(); ++i) weighted.weights.push_back(i % 4 == 0 ? 4 : 1);
  const Model by_class = train(data, {.multiclass = "folds", .class_weight = "a=4"});
  const Model by_row = train(weighted, {.multiclass = "folds"});
  EXPECT_EQ(by_class.temperature, by_row.temperature);
  EXPECT_EQ(by_class.parts[0].report.notes, by_row.parts[0].report.notes);
}

TEST(ClassChoice, LeavesTwoClassesAndManyRowsAlone) {
  const Model two = train(problems::two_classes(60, 3, 1), {.multiclass = "folds"});
  const Model plain = train(problems::two_classes(60, 3, 1), {.multiclass = "ovo"});
  EXPECT_EQ(two.temperature, 1);
  EXPECT_EQ(two.parts[0].posterior.mean, plain.parts[0].posterior.mean);
  EXPECT_THAT(two.parts[0].report.notes, Not(Contains(HasSubstr("classes:"))));
  const Model many = train(problems::three_classes(600, 2, 1), {.multiclass = "folds"});
  EXPECT_EQ(many.temperature, 1);
  EXPECT_EQ(many.parts.size(), 3u);
  EXPECT_THAT(many.parts[0].report.notes, Contains(HasSubstr("too many rows")));
}

}  // namespace
}  // namespace ardent
