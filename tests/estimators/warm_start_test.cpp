#include "ardent/estimators/warm_start.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "ardent/base/error.h"
#include "ardent/estimators/trainer.h"
#include "problems/labelled.h"

namespace ardent {
namespace {

using problems::line;
using problems::three_classes;
using problems::two_classes;
using testing::HasSubstr;

TrainOptions from(const Model& start, TrainOptions options) {
  options.warm_start = std::make_shared<const Model>(start);
  return options;
}

Index stages(const Model& model) {
  Index most = 0;
  for (const Part& part : model.parts) {
    most = std::max(most, std::ssize(part.report.stages));
  }
  return most;
}

TEST(WarmStart, AConvergedModelHasLittleLeftToDo) {
  for (const char* map : {"linear", "rbf", "elm"}) {
    for (const char* engine : {"exact", "sequential"}) {
      const TrainOptions options{.map = map, .engine = engine, .hidden = 30};
      const Dataset data = two_classes(120, 6, 1);
      const Model cold = train(data, options);
      const Model warm = train(data, from(cold, options));
      EXPECT_LE(3 * stages(warm), stages(cold)) << map << " " << engine;
      EXPECT_NEAR(log_evidence(warm), log_evidence(cold), 0.05) << map << " " << engine;
      EXPECT_EQ(warm.options, cold.options) << "how it began is no option of the model";
    }
  }
}

TEST(WarmStart, RowsOfWeightZeroLeaveTheCentresWhereTheyAre) {
  Dataset data = two_classes(90, 4, 2);
  for (Index i = 0; i < data.rows(); ++i) data.weights.push_back(i % 3 == 0 ? 0.0 : 1.0);
  const TrainOptions options{.map = "rbf", .engine = "exact"};
  const Model cold = train(data, options);
  const Model warm = train(data, from(cold, options));
  EXPECT_LE(3 * stages(warm), stages(cold));
  EXPECT_NEAR(log_evidence(warm), log_evidence(cold), 0.05);
}

TEST(WarmStart, StagesInTwoPartsAreTheStagesOfOne) {
  for (const char* engine : {"exact", "diagonal"}) {
    TrainOptions options{.engine = engine};
    const Dataset data = line(150, 8, 3);
    options.engine_options.max_stages = 8;
    const Model whole = train(data, options);
    options.engine_options.max_stages = 4;
    const Model half = train(data, options);
    const Model resumed = train(data, from(half, options));
    EXPECT_NEAR(log_evidence(resumed), log_evidence(whole), 0.05) << engine;
  }
}

TEST(WarmStart, WeightsAreTakenThroughAnotherScalingAndAnotherOrderOfClasses) {
  const Dataset data = three_classes(90, 5, 4);
  std::vector<Index> backwards(data.rows());
  std::iota(backwards.rbegin(), backwards.rend(), Index{0});
  const Model cold = train(data, {.engine = "exact", .scale = "minmax"});
  const Model warm =
      train(select_rows(data, backwards), from(cold, {.engine = "exact", .scale = "standard"}));
  ASSERT_NE(warm.classes.names, cold.classes.names);
  EXPECT_LE(3 * stages(warm), stages(cold));
  EXPECT_NEAR(log_evidence(warm), log_evidence(cold), 0.1);
}

TEST(WarmStart, AModelOfSomethingElseIsRefused) {
  const auto refusal = [](const Model& start, const Dataset& data, const TrainOptions& options) {
    try {
      train(data, from(start, options));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const Dataset data = two_classes(60, 4, 5);
  const Model linear = train(data, {});
  EXPECT_THAT(refusal(linear, data, {.map = "rbf"}), HasSubstr("with the map rbf"));
  EXPECT_THAT(refusal(linear, line(60, 4, 5), {}), HasSubstr("regression"));
  const Model kernel = train(data, {.map = "rbf", .sigma = 2});
  EXPECT_THAT(refusal(kernel, data, {.map = "rbf", .sigma = 3}), HasSubstr("have changed"));
  EXPECT_THAT(refusal(kernel, two_classes(60, 4, 6), {.map = "rbf", .sigma = 2}),
              HasSubstr("have changed"));
  const Model nodes = train(data, {.map = "elm", .hidden = 20, .seed = 1});
  EXPECT_THAT(refusal(nodes, data, {.map = "elm", .hidden = 20, .seed = 2}),
              HasSubstr("have changed"));
}

}  // namespace
}  // namespace ardent
