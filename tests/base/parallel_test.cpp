#include "ardent/base/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "ardent/base/error.h"

namespace ardent {
namespace {

void pause_briefly() {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

/// How many are inside at a time, at most.
class Crowd {
 public:
  /// Stays inside until more than `others` have been there at a time. A busy machine may take its
  /// time to wake threads; after half a minute there is nobody to come.
  void stay(int others) {
    const int now = ++inside_;
    for (int most = most_; now > most && !most_.compare_exchange_weak(most, now);) {
    }
    do {
      pause_briefly();
    } while (most_ <= others && std::chrono::steady_clock::now() < end_);
    --inside_;
  }
  int most() const { return most_; }

 private:
  std::atomic<int> inside_{0}, most_{0};
  std::chrono::steady_clock::time_point end_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(30);
};

TEST(ParallelFor, CallsEachBlockExactlyOnce) {
  for (const int count : {1, 2, 8}) {
    const ThreadScope scope(count);
    for (const Index blocks : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> calls(blocks);
      parallel_for(blocks, [&](Index b) { ++calls[b]; });
      for (const auto& c : calls) EXPECT_EQ(c, 1);
    }
  }
}

TEST(ParallelFor, UsesSeveralThreadsAndNotMoreThanAllowed) {
  const ThreadScope scope(3);
  Crowd crowd;
  parallel_for(60, [&](Index) { crowd.stay(1); });
  EXPECT_GT(crowd.most(), 1);
  EXPECT_LE(crowd.most(), 3);
}

TEST(ParallelBlocks, CoverTheRangeWithoutOverlap) {
  const ThreadScope scope(4);
  for (const Index n : {0, 1, 9, 10, 11, 101}) {
    std::vector<std::atomic<int>> calls(n);
    parallel_blocks(n, 10, [&](Index begin, Index end) {
      EXPECT_LE(end - begin, 10);
      for (Index i = begin; i < end; ++i) ++calls[i];
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

TEST(ParallelFor, IdleThreadsHelpInTheLoopsInsideALoop) {
  const ThreadScope scope(6);
  Crowd crowd;
  parallel_for(2, [&](Index) { parallel_for(50, [&](Index) { crowd.stay(2); }); });
  EXPECT_GT(crowd.most(), 2);
  EXPECT_LE(crowd.most(), 6);
}

TEST(ParallelFor, AThreadThatWaitsForAnInnerLoopTakesNoBlockOfTheOuter) {
  const ThreadScope scope(8);
  static thread_local bool inside_a_block = false;
  std::atomic<int> wrong{0};
  for (int repeat = 0; repeat < 50; ++repeat) {
    parallel_for(32, [&](Index b) {
      if (inside_a_block) ++wrong;
      inside_a_block = true;
      parallel_for(6, [&](Index i) {
        std::this_thread::sleep_for(std::chrono::microseconds(100 + 50 * ((7 * b + i) % 5)));
      });
      inside_a_block = false;
    });
  }
  EXPECT_EQ(wrong, 0);
}

TEST(ParallelFor, NestedSumsHaveTheSameBitsForAnyNumberOfThreads) {
  const auto sum_with = [](int count) {
    const ThreadScope scope(count);
    return parallel_sum(40, 3, [](Index first, Index last) {
      return parallel_sum(10007, 97, [&](Index begin, Index end) {
        double sum = 0;
        for (Index i = begin; i < end; ++i) {
          sum += std::sin(static_cast<double>(i * first + last)) * 1e10;
        }
        return sum;
      });
    });
  };
  const double one = sum_with(1);
  for (const int count : {2, 4, 16}) EXPECT_EQ(sum_with(count), one) << count;
}

TEST(ParallelFor, AfterAFailureNoFurtherBlocksAreBegun) {
  const ThreadScope scope(3);
  std::atomic<int> begun{0};
  EXPECT_THROW(parallel_for(100000,
                            [&](Index b) {
                              ++begun;
                              if (b == 5) throw Error("no");
                              pause_briefly();
                            }),
               Error);
  EXPECT_LT(begun, 1000);
}

TEST(ParallelFor, AnInnerLoopsExceptionPassesThroughTheOuter) {
  const ThreadScope scope(4);
  for (int repeat = 0; repeat < 20; ++repeat) {
    try {
      parallel_for(6, [](Index a) {
        parallel_for(50, [&](Index b) {
          if (a >= 2 && b % 20 == 7) throw Error(std::to_string(a) + ":" + std::to_string(b));
        });
      });
      FAIL() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "2:7");
    }
  }
}

/// True if every block of a loop runs on this thread.
bool runs_alone() {
  const auto mine = std::this_thread::get_id();
  std::atomic<int> elsewhere{0};
  parallel_for(16, [&](Index) {
    if (std::this_thread::get_id() != mine) ++elsewhere;
    pause_briefly();
  });
  return elsewhere == 0;
}

// Forked while another thread's loops run, so that a child now and then finds a lock of oneTBB's
// held for ever if it asks for one. A child that hangs is a failure, not a test that never ends.
TEST(ParallelFor, AForkedChildRunsItsLoopsAlone) {
  const ThreadScope scope(4);
  Crowd crowd;
  parallel_for(8, [&](Index) { crowd.stay(1); });
  ASSERT_GT(crowd.most(), 1);
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) parallel_for(16, [](Index) {});
  });
  int failed = 0;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(5);
      const ThreadScope more(64);
      _exit(runs_alone() ? 0 : 1);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) ++failed;
  }
  stop = true;
  other.join();
  EXPECT_EQ(failed, 0);
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

TEST(ThreadScope, HoldsInsideTheLoopsBodiesOnEveryThread) {
  const ThreadScope scope(3);
  std::atomic<int> wrong{0};
  parallel_for(30, [&](Index) {
    if (threads() != 3) ++wrong;
    const auto mine = std::this_thread::get_id();
    const ThreadScope one(1);
    parallel_for(5, [&](Index) {
      if (threads() != 1 || std::this_thread::get_id() != mine) ++wrong;
      pause_briefly();
    });
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(threads(), 3);
}

TEST(ThreadScope, NegativeCountsAreRefusedAndChangeNothing) {
  const ThreadScope scope(2);
  EXPECT_THROW(ThreadScope(-1), InputError);
  EXPECT_EQ(threads(), 2);
}

}  // namespace
}  // namespace ardent
