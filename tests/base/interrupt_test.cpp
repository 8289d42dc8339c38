#include "ardent/base/interrupt.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "ardent/base/parallel.h"

namespace ardent {
namespace {

void wait_a_little() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(Interrupt, WithoutAScopeNothingIsAsked) {
  EXPECT_NO_THROW(check_interrupt());
  EXPECT_NO_THROW(parallel_for(4, [](Index) {}));
}

TEST(Interrupt, ALoopStopsLongBeforeItsEndOnAnyNumberOfThreads) {
  for (const int count : {1, 2, 4}) {
    const ThreadScope threads(count);
    const InterruptScope scope([] { return true; });
    std::atomic<Index> done{0};
    constexpr Index kBlocks = 1000000;  // more than a quarter of an hour
    EXPECT_THROW(parallel_for(kBlocks,
                              [&](Index) {
                                wait_a_little();
                                ++done;
                              }),
                 Interrupted);
    EXPECT_LT(done, kBlocks);
  }
}

TEST(Interrupt, LoopsInsideHelpersStopToo) {
  const ThreadScope threads(3);
  const InterruptScope scope([] { return true; });
  EXPECT_THROW(
      parallel_for(3, [](Index) { parallel_for(1000000, [](Index) { wait_a_little(); }); }),
      Interrupted);
}

TEST(Interrupt, TheQuestionIsAskedOnTheThreadThatAsksForIt) {
  const ThreadScope threads(4);
  const auto mine = std::this_thread::get_id();
  std::atomic<int> asked{0}, elsewhere{0};
  const InterruptScope scope([&] {
    ++asked;
    if (std::this_thread::get_id() != mine) ++elsewhere;
    return false;
  });
  parallel_for(400, [](Index) { wait_a_little(); });
  EXPECT_GT(asked, 0);
  EXPECT_EQ(elsewhere, 0);
}

TEST(Interrupt, AnInnerScopeEndsWithItsBlock) {
  bool outer_asked = false;
  const InterruptScope outer([&] {
    outer_asked = true;
    return false;
  });
  {
    const InterruptScope inner([] { return true; });
    EXPECT_THROW(parallel_for(1000, [](Index) { wait_a_little(); }), Interrupted);
  }
  EXPECT_NO_THROW(parallel_for(200, [](Index) { wait_a_little(); }));
  EXPECT_TRUE(outer_asked);
}

}  // namespace
}  // namespace ardent
