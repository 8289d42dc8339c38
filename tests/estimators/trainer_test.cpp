#include "ardent/estimators/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "ardent/estimators/evaluation.h"
#include "ardent/maps/rbf.h"
#include "ardent/model/model_file.h"
#include "problems/labelled.h"
#include "problems/thread_farm.h"

namespace ardent {
namespace {

using problems::line;
using problems::three_classes;
using problems::two_classes;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(const Dataset& data, const TrainOptions& options = {}) {
  try {
    train(data, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Trainer, LinearKeepsThePlantedFeaturesInTheUsersUnits) {
  const Model model = train(two_classes(400, 10, 1), {});
  EXPECT_EQ(model.task, Task::classification);
  EXPECT_EQ(model.classes.names[model.classes.positive], "yes");
  ASSERT_THAT(model.inputs, testing::IsSupersetOf({0, 1}));
  // A noise column stays where its z² exceeds 1, about one in three: what it may not do is to
  // stand beside the planted two.
  EXPECT_LT(model.inputs.size(), 10u);
  const Posterior& posterior = model.parts[0].posterior;
  const auto m = posterior.mean.size();
  const Vector z = posterior.mean.array().abs() / posterior.variance.head(m).array().sqrt();
  EXPECT_GT(z.head(2).minCoeff(), 5);
  EXPECT_LT(z.tail(m - 2).maxCoeff(), 3);
  EXPECT_EQ(origin(model), model.inputs);
  EXPECT_EQ(model.total, 10);
  // The ratio of the two planted weights, taken back through the scaling.
  const Vector raw = posterior.mean.cwiseProduct(model.scaling.factor);
  EXPECT_NEAR(raw[1] / raw[0], -2, 0.3);
}

TEST(Trainer, WarnsWhereTheWeightsUseUpTheRows) {
  Dataset noise = line(50, 100, 1);
  Random random(2);
  std::vector<double> targets(50);
  for (double& t : targets) t = random.normal();
  noise.labels = make_labels(std::move(targets));
  for (const char* engine : {"exact", "sequential"}) {
    const Model alone = train(noise, {.engine = engine, .support_prior = "none"});
    EXPECT_THAT(alone.parts[0].report.warnings, testing::Contains(HasSubstr("the weights use up")));
    EXPECT_THAT(train(line(200, 5, 1), {.engine = engine}).parts[0].report.warnings,
                testing::IsEmpty());
  }
}

TEST(Trainer, RowsOfWeightZeroMightAsWellNotBeThere) {
  for (const char* map : {"linear", "rbf", "elm"}) {
    Dataset data = two_classes(80, 4, 6);
    std::vector<Index> counted;
    for (Index i = 0; i < data.rows(); ++i) {
      data.weights.push_back(i % 3 == 0 ? 0.0 : 1.0);
      if (i % 3 != 0) counted.push_back(i);
    }
    const Model all = train(data, {.map = map, .hidden = 20});
    const Model some = train(select_rows(data, counted), {.map = map, .hidden = 20});
    EXPECT_EQ(all.parts[0].posterior.mean, some.parts[0].posterior.mean) << map;
    EXPECT_EQ(all.scaling.offset, some.scaling.offset) << map;
    std::vector<Index> rows = origin(some);
    if (map_name(some) == "rbf") {
      for (Index& row : rows) row = counted[row];
    }
    EXPECT_EQ(origin(all), rows) << map;
  }
  Dataset nothing = two_classes(20, 3, 7);
  nothing.weights.assign(20, 0.0);
  EXPECT_THAT(refusal(nothing), HasSubstr("every row has weight 0"));
}

TEST(Trainer, RegressionRecoversTheLine) {
  const Model model = train(line(200, 6, 2), {});
  ASSERT_EQ(model.task, Task::regression);
  EXPECT_THAT(model.inputs, testing::IsSupersetOf({0, 2}));
  const Posterior& posterior = model.parts[0].posterior;
  const Vector raw = posterior.mean.cwiseProduct(model.scaling.factor);
  EXPECT_NEAR(raw[0], 3, 0.05);
  EXPECT_NEAR(posterior.noise_variance, 0.01, 0.004);
}

TEST(Trainer, EveryMapLearnsThreeClassesBothWays) {
  const Dataset training = three_classes(150, 4, 3), test = three_classes(150, 4, 4);
  for (const std::string map : {"linear", "rbf", "elm"}) {
    for (const std::string multiclass : {"ovo", "ovr"}) {
      TrainOptions options;
      options.map = map;
      options.multiclass = multiclass;
      options.hidden = 40;
      const Model model = train(training, options);
      EXPECT_EQ(model.parts.size(), 3u);
      const Evaluation held_out = evaluate(model, test);
      // Bayes accuracy of this problem is about 0.96.
      EXPECT_GE(held_out.classification.accuracy, 0.9) << map << ' ' << multiclass;
      EXPECT_LT(held_out.active, held_out.total);
    }
  }
}

TEST(Trainer, PartsShareOneBasisWithoutRepeats) {
  TrainOptions options;
  options.map = "rbf";
  const Model model = train(three_classes(90, 2, 5), options);
  const auto& map = dynamic_cast<const RbfMap&>(*std::get<EvidenceModel>(model.kind).map);
  const auto& centres = map.origin();
  EXPECT_EQ(rows(map.centres()), std::ssize(centres));
  EXPECT_TRUE(std::is_sorted(centres.begin(), centres.end()));
  EXPECT_EQ(std::adjacent_find(centres.begin(), centres.end()), centres.end());
  for (const Part& part : model.parts) {
    for (const Index k : part.posterior.active) {
      // A centre of a pair's model is a training row of that pair: rows come in turn a, b, c.
      const Index owner = centres[k] % 3;
      EXPECT_TRUE(owner == part.positive || owner == part.negative);
    }
  }
}

TEST(Trainer, SameBitsForAnyNumberOfThreads) {
  TrainOptions options;
  options.map = "rbf";
  const Dataset data = three_classes(120, 3, 6);
  const auto fit = [&](int count) {
    const ThreadScope threads(count);
    return train(data, options);
  };
  const Model one = fit(1);
  for (const int count : {2, 4}) {
    const Model other = fit(count);
    ASSERT_EQ(one.parts.size(), other.parts.size());
    for (std::size_t p = 0; p < one.parts.size(); ++p) {
      EXPECT_EQ(one.parts[p].posterior.active, other.parts[p].posterior.active);
      EXPECT_EQ(one.parts[p].posterior.mean, other.parts[p].posterior.mean);
      EXPECT_EQ(one.parts[p].posterior.log_evidence, other.parts[p].posterior.log_evidence);
    }
  }
}

TEST(Trainer, SeveralProcessesFitTheModelsAsOneDoes) {
  const Dataset data = three_classes(120, 3, 6);
  for (const std::string map : {"rbf", "linear"}) {
    TrainOptions options;
    options.map = map;
    options.engine = map == "rbf" ? "auto" : "exact";
    const auto bytes = [&](TaskFarm* farm) {
      TrainOptions own = options;
      own.farm = farm;
      return model_bytes(train(data, own));
    };
    const std::string alone = bytes(nullptr);
    EXPECT_THAT(problems::ThreadFarm::run_in(2, bytes), ElementsAre(alone, alone)) << map;
  }
}

TEST(Trainer, OneModelIsNotDealtOut) {
  TrainOptions options;
  options.map = "rbf";
  problems::ThreadFarm::run_in(2, [&](TaskFarm* farm) {
    TrainOptions own = options;
    own.farm = farm;
    EXPECT_THAT(refusal(two_classes(60, 3, 1), own), HasSubstr("the map rbf needs all rows"));
    return 0;
  });
}

TEST(Trainer, ConstantColumnsAreLeftOut) {
  Dataset data = two_classes(100, 3, 7);
  Buffer<double> values = Buffer<double>::copy_of(std::get<DenseRows>(data.features).values.span());
  for (Index i = 0; i < 100; ++i) values.mutable_data()[i * 3 + 2] = 5;
  data.features = DenseRows{100, 3, values};
  for (const std::string map : {"linear", "rbf", "elm"}) {
    TrainOptions options;
    options.map = map;
    EXPECT_THAT(train(data, options).inputs, ElementsAre(0, 1)) << map;
  }
}

TEST(Trainer, AllColumnsConstantStillGivesTheBiasOnlyAnswer) {
  Dataset data = two_classes(50, 2, 8);
  Buffer<double> values = Buffer<double>::allocate(100);
  std::fill_n(values.mutable_data(), 100, 3.0);
  data.features = DenseRows{50, 2, values};
  const Model model = train(data, {});
  EXPECT_TRUE(model.inputs.empty());
  const Prediction prediction = predict(model, data);
  double share = 0;
  for (const auto id : encode(data.labels, model.classes)) share += id == model.classes.positive;
  EXPECT_NEAR(prediction.probabilities(0, model.classes.positive), share / 50, 0.02);
}

TEST(Trainer, OneClassIsRefused) {
  Dataset data = two_classes(20, 2, 9);
  const std::vector<std::string_view> tokens(20, "yes");
  data.labels = make_labels(tokens);
  EXPECT_THAT(refusal(data), HasSubstr("'yes'"));
}

TEST(Trainer, MissingLabelsAndEmptyDataAreRefused) {
  Dataset data = two_classes(20, 2, 10);
  data.labels = {};
  EXPECT_THAT(refusal(data), HasSubstr("label"));
  EXPECT_THAT(refusal(Dataset{}), HasSubstr("0 × 0"));
}

TEST(Trainer, TextLabelsAreNoRegressionTarget) {
  TrainOptions options;
  options.task = "regression";
  EXPECT_THAT(refusal(two_classes(20, 2, 11), options), HasSubstr("regression needs numbers"));
}

TEST(Trainer, TaskFollowsTheLabels) {
  EXPECT_EQ(resolve_task(make_labels(std::vector<double>{1, 2, 1, 3}), "auto"),
            Task::classification);
  EXPECT_EQ(resolve_task(make_labels(std::vector<double>{1, 2.5, 1, 3}), "auto"), Task::regression);
  std::vector<double> many;
  for (int i = 0; i < 21; ++i) many.push_back(i);
  EXPECT_EQ(resolve_task(make_labels(many), "auto"), Task::regression);
  EXPECT_EQ(resolve_task(make_labels(many), "classification"), Task::classification);
}

TEST(Evaluation, FoldsCoverEveryRowOnceAndConfusionIsInTheOrderOfAllClasses) {
  const Dataset data = three_classes(99, 3, 12);
  const auto folds = cross_validate(data, {}, 5, 1);
  ASSERT_EQ(folds.size(), 5u);
  Eigen::MatrixXi confusion = Eigen::MatrixXi::Zero(3, 3);
  for (const auto& fold : folds) confusion += fold.classification.confusion;
  for (Index c = 0; c < 3; ++c) EXPECT_EQ(confusion.row(c).sum(), 33);
  EXPECT_GT(confusion.diagonal().sum(), 85);
}

TEST(Evaluation, SeveralProcessesEvaluateTheFoldsAsOneDoes) {
  const Dataset data = three_classes(99, 3, 12);
  const auto alone = cross_validate(data, {}, 5, 1);
  const auto shared = problems::ThreadFarm::run_in(
      2, [&](TaskFarm* farm) { return cross_validate(data, {}, 5, 1, {}, {}, farm); });
  for (const auto& folds : shared) {
    ASSERT_EQ(folds.size(), 5u);
    for (std::size_t f = 0; f < 5; ++f) {
      EXPECT_EQ(folds[f].classification.log_loss, alone[f].classification.log_loss);
      EXPECT_EQ(folds[f].classification.confusion, alone[f].classification.confusion);
      EXPECT_EQ(folds[f].evidence, alone[f].evidence);
      EXPECT_EQ(folds[f].warnings, alone[f].warnings);
    }
  }
}

TEST(Evaluation, SummaryIsMeanAndSampleDeviation) {
  const std::vector<double> values{1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(summarise(values).mean, 2.5);
  EXPECT_NEAR(summarise(values).sd, std::sqrt(5.0 / 3), 1e-15);
}

}  // namespace
}  // namespace ardent
