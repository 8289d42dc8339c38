// Runs nasty problems, and counts what became of them: a finite result, or an error that says why.
//
// ARDENT_ABUSE: how many times as many problems as in the tests (`make abuse` sets it);
// ARDENT_ABUSE_SEED: the first seed; ARDENT_ABUSE_TELL=1: seeds are printed before they are tried.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ardent/base/error.h"
#include "ardent/base/progress.h"
#include "ardent/base/types.h"

namespace ardent::abuse {

inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Ends work that reports its progress for ever: an Error, which no run lets pass.
inline ProgressCallback patience(Index most = 20000) {
  return [left = most](const ProgressEvent&) mutable {
    if (--left < 0) throw Error("it reports progress without end");
    return true;
  };
}

/// `check(seed, story)`: tries one problem; it may throw InputError, and sets `story` before it
/// does anything else. `earlier`: seeds that were once too much for it, tried first.
inline void run_abuse(const char* name, std::uint64_t problems,
                      const std::function<void(std::uint64_t, std::string&)>& check,
                      std::vector<std::uint64_t> earlier = {}) {
  const std::uint64_t times = number_from("ARDENT_ABUSE", 1);
  const std::uint64_t first = number_from("ARDENT_ABUSE_SEED", 1);
  const bool tell = number_from("ARDENT_ABUSE_TELL", 0) > 0;
  std::uint64_t done = 0, refused = 0;
  double slowest = 0;
  std::string slowest_story;
  std::vector<std::uint64_t> seeds = std::move(earlier);
  for (std::uint64_t k = 0; k < problems * times; ++k) seeds.push_back(first + k);
  for (const std::uint64_t seed : seeds) {
    std::string story;
    const std::clock_t start = std::clock();
    if (tell) std::fprintf(stderr, "%s %llu\n", name, static_cast<unsigned long long>(seed));
    try {
      check(seed, story);
      ++done;
    } catch (const InputError& error) {
      EXPECT_GT(std::string(error.what()).size(), 10u) << story;
      ++refused;
    } catch (const std::exception& error) {
      ADD_FAILURE() << story << "\n  " << error.what();
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (seconds > slowest) {
      slowest = seconds;
      slowest_story = story;
    }
  }
  std::printf(
      "%s: seeds %llu to %llu: %llu results, %llu clear errors; slowest %.2f s of CPU (%s)\n", name,
      static_cast<unsigned long long>(first),
      static_cast<unsigned long long>(first + problems * times - 1),
      static_cast<unsigned long long>(done), static_cast<unsigned long long>(refused), slowest,
      slowest_story.c_str());
}

}  // namespace ardent::abuse
