#include "ardent/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "ardent/base/error.h"

namespace ardent {
namespace {

TEST(ParallelFor, CallsEachBlockExactlyOnce) {
  for (const int count : {1, 2, 8}) {
    const ThreadScope scope(count);
    for (const Index blocks : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(blocks));
      parallel_for(blocks, [&](Index b) { ++calls[static_cast<std::size_t>(b)]; });
      for (const auto& c : calls) EXPECT_EQ(c, 1);
    }
  }
}

TEST(ParallelFor, UsesSeveralThreadsAndNotMoreThanAllowed) {
  const ThreadScope scope(3);
  std::mutex mutex;
  std::vector<std::thread::id> seen;
  std::atomic<int> inside{0}, most{0};
  parallel_for(60, [&](Index) {
    const int now = ++inside;
    for (int m = most; now > m && !most.compare_exchange_weak(m, now);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --inside;
    const std::lock_guard lock(mutex);
    seen.push_back(std::this_thread::get_id());
  });
  EXPECT_LE(most, 3);
  std::sort(seen.begin(), seen.end());
  EXPECT_GT(std::unique(seen.begin(), seen.end()) - seen.begin(), 1);
}

TEST(ParallelBlocks, CoverTheRangeWithoutOverlap) {
  const ThreadScope scope(4);
  for (const Index n : {0, 1, 9, 10, 11, 101}) {
    std::vector<std::atomic<int>> calls(static_cast<std::size_t>(n));
    parallel_blocks(n, 10, [&](Index begin, Index end) {
      EXPECT_LE(end - begin, 10);
      for (Index i = begin; i < end; ++i) ++calls[static_cast<std::size_t>(i)];
    });
    for (const auto& c : calls) EXPECT_EQ(c, 1);
  }
}

TEST(ParallelSum, SameBitsForAnyNumberOfThreads) {
  const auto sum_with = [](int count) {
    const ThreadScope scope(count);
    return parallel_sum(100003, 97, [](Index begin, Index end) {
      double sum = 0;
      for (Index i = begin; i < end; ++i) sum += std::sin(static_cast<double>(i)) * 1e10;
      return sum;
    });
  };
  const double one = sum_with(1);
  for (int repeat = 0; repeat < 20; ++repeat) {
    EXPECT_EQ(sum_with(2), one);
    EXPECT_EQ(sum_with(8), one);
  }
  EXPECT_EQ(parallel_sum(0, 10, [](Index, Index) { return 1.0; }), 0);
}

TEST(ParallelFor, RethrowsTheExceptionOfTheSmallestBlock) {
  for (const int count : {1, 2, 8}) {
    const ThreadScope scope(count);
    for (int repeat = 0; repeat < 20; ++repeat) {
      try {
        parallel_for(200, [](Index b) {
          if (b % 50 == 17) throw std::runtime_error(std::to_string(b));
        });
        FAIL() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "17");
      }
    }
  }
}

TEST(ParallelFor, WorksAgainAfterAnException) {
  const ThreadScope scope(4);
  EXPECT_THROW(parallel_for(10, [](Index) { throw Error("no"); }), Error);
  std::atomic<Index> sum{0};
  parallel_for(100, [&](Index b) { sum += b; });
  EXPECT_EQ(sum, 4950);
}

TEST(ParallelFor, ALoopInsideALoopRunsAndDoesNotDeadlock) {
  const ThreadScope scope(4);
  std::atomic<int> calls{0};
  parallel_for(8, [&](Index) { parallel_for(50, [&](Index) { ++calls; }); });
  EXPECT_EQ(calls, 400);
}

TEST(ParallelFor, CallersOnSeveralThreadsDoNotDisturbEachOther) {
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int c = 0; c < 6; ++c) {
    callers.emplace_back([&, c] {
      const ThreadScope scope(1 + c % 3);
      for (int repeat = 0; repeat < 100; ++repeat) {
        std::atomic<Index> sum{0};
        parallel_for(64, [&](Index b) { sum += b; });
        if (sum != 2016) ++wrong;
      }
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadScope, SetsAndRestores) {
  const int before = threads();
  {
    const ThreadScope outer(3);
    EXPECT_EQ(threads(), 3);
    {
      const ThreadScope inner(5);
      EXPECT_EQ(threads(), 5);
      const ThreadScope all(0);
      EXPECT_GE(threads(), 1);
    }
    EXPECT_EQ(threads(), 3);
  }
  EXPECT_EQ(threads(), before);
}

TEST(ThreadScope, NegativeCountsAreRefusedAndChangeNothing) {
  const ThreadScope scope(2);
  EXPECT_THROW(ThreadScope(-1), InputError);
  EXPECT_EQ(threads(), 2);
}

}  // namespace
}  // namespace ardent
