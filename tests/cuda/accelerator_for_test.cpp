#include "ardent/cuda/accelerator_for.h"

#include <gmock/gmock.h>

#include "ardent/base/error.h"

namespace ardent {
namespace {

TEST(AcceleratorFor, TheProcessorNeedsNone) { EXPECT_EQ(accelerator_for(Device::cpu), nullptr); }

TEST(AcceleratorFor, ACardOrAWordOnWhatToDo) {
  const auto found = accelerator_for(Device::automatic);
  if (found) {
    EXPECT_THAT(accelerator_for(Device::cuda)->name(), testing::HasSubstr("GiB"));
    return;
  }
  EXPECT_THAT([] { accelerator_for(Device::cuda); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("device")));
}

}  // namespace
}  // namespace ardent
