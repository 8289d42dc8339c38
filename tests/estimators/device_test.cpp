// Which device trains, and what is refused where it cannot.
#include "ardent/estimators/device.h"

#include <gmock/gmock.h>

#include "ardent/base/error.h"
#include "ardent/cuda/accelerator_for.h"
#include "ardent/estimators/trainer.h"
#include "problems/delegating_accelerator.h"
#include "problems/labelled.h"

namespace ardent {
namespace {

using problems::DelegatingAccelerator;
using testing::HasSubstr;
using testing::ThrowsMessage;

TrainOptions diagonal_on(std::shared_ptr<Accelerator> accelerator) {
  TrainOptions options;
  options.engine = "diagonal";
  options.engine_options.accelerator = std::move(accelerator);
  return options;
}

TEST(Device, EnginesAskTheAcceleratorAndNothingElseChanges) {
  const Dataset data = problems::two_classes(200, 8, 1);
  const auto accelerator = std::make_shared<DelegatingAccelerator>();
  const Model there = train(data, diagonal_on(accelerator));
  EXPECT_EQ(accelerator->asked, 1);
  const Model here = train(data, diagonal_on(nullptr));
  EXPECT_EQ(there.parts.front().posterior.mean, here.parts.front().posterior.mean);
  EXPECT_EQ(there.options, here.options);
}

TEST(Device, InnerFoldsAskItToo) {
  const auto accelerator = std::make_shared<DelegatingAccelerator>();
  TrainOptions options = diagonal_on(accelerator);
  options.early_stop = "cv";
  train(problems::two_classes(200, 8, 1), options);
  EXPECT_EQ(accelerator->asked, 6);  // five folds, and all rows
}

TEST(Device, AnEngineThatTheAcceleratorDoesNotHave) {
  const Dataset data = problems::two_classes(100, 4, 1);
  const auto accelerator = std::make_shared<DelegatingAccelerator>();
  TrainOptions options = diagonal_on(accelerator);
  options.engine = "probes";
  EXPECT_THAT([&] { train(data, options); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("probes"), HasSubstr("diagonal"))));
  options.engine_options.processor_will_do = true;
  EXPECT_EQ(train(data, options).parts.size(), 1u);
  EXPECT_EQ(accelerator->asked, 0);
}

TEST(Device, CudaWantsAnEngineByName) {
  const Dataset data = problems::two_classes(100, 4, 1);
  for (const char* const engine : {"auto", "shrinkage"}) {
    TrainOptions options;
    options.engine = engine;
    options.device = "cuda";
    EXPECT_THAT([&] { train(data, options); },
                ThrowsMessage<InputError>(AllOf(HasSubstr(engine), HasSubstr("engine diagonal"))));
  }
}

TEST(Device, MapsThatHaveNoEngine) {
  TrainOptions options;
  options.device = "cuda";
  options.map = "doubly-sparse";
  const Dataset data = problems::two_classes(60, 3, 1);
  EXPECT_THAT([&] { train(data, options); },
              ThrowsMessage<InputError>(HasSubstr("sampled on the processor")));
  if (accelerator_for(Device::automatic)) GTEST_SKIP() << "there is a card";
  options.map = "dictionary";
  EXPECT_THAT([&] { train(problems::three_classes(90, 4, 1), options); },
              ThrowsMessage<InputError>(HasSubstr("device cuda")));
}

TEST(Device, CudaWithoutACardIsAnError) {
  if (accelerator_for(Device::automatic)) GTEST_SKIP() << "there is a card";
  TrainOptions options;
  options.engine = "diagonal";
  options.device = "cuda";
  EXPECT_THAT([&] { train(problems::two_classes(100, 4, 1), options); },
              ThrowsMessage<InputError>(HasSubstr("device cuda")));
}

TEST(Device, AutoTakesTheProcessorWhereThereIsNoCard) {
  if (accelerator_for(Device::automatic)) GTEST_SKIP() << "there is a card";
  const Dataset data = problems::two_classes(100, 4, 1);
  TrainOptions options = diagonal_on(nullptr);
  const Model here = train(data, options);
  options.device = "auto";
  EXPECT_EQ(train(data, options).parts.front().posterior.mean, here.parts.front().posterior.mean);
}

TEST(Device, SharedRowsStayOnTheProcessor) {
  EXPECT_THAT([] { on_device({}, "cuda", "diagonal", true); },
              ThrowsMessage<InputError>(HasSubstr("share the rows")));
  EXPECT_EQ(on_device({}, "auto", "diagonal", true).accelerator, nullptr);
}

TEST(Device, AModelDoesNotRecordIt) {
  EXPECT_FALSE(recorded(TrainOptions{}).contains("device"));
}

}  // namespace
}  // namespace ardent
