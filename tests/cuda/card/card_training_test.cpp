// Trainings that leave the card's state on disk and take it up.
#include <gtest/gtest.h>

#include "ardent/estimators/trainer.h"
#include "problems/labelled.h"

namespace ardent {
namespace {

TEST(CardTraining, AResumedFitEndsWithTheSameBits) {
  const Dataset data = problems::two_classes(150, 30, 10);
  TrainOptions options{.engine = "diagonal", .device = "cuda"};
  const auto plan = [](const std::string& file, bool resume) {
    return std::make_shared<const CheckpointPlan>(
        CheckpointPlan{.path = testing::TempDir() + file, .stages = 2, .resume = resume});
  };
  options.checkpoint = plan("card_whole.ardent", false);
  const Model whole = train(data, options);
  ASSERT_GT(whole.parts.front().report.stages.size(), 3u);
  options.checkpoint = plan("card_stopped.ardent", false);
  train(data, options, [](const ProgressEvent& event) { return event.done < 3; });
  options.checkpoint = plan("card_stopped.ardent", true);
  const Model resumed = train(data, options);
  EXPECT_EQ(resumed.parts.front().posterior.mean, whole.parts.front().posterior.mean);
  EXPECT_EQ(resumed.parts.front().report.stages.size(), whole.parts.front().report.stages.size());
}

}  // namespace
}  // namespace ardent
