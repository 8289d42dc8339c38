// Random streams: the same seed gives the same numbers on every platform and thread count,
// which the standard library's distributions do not promise.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

/// xoshiro256++ (Blackman and Vigna), seeded through splitmix64 from (seed, stream).
/// Streams of one seed are independent: give each thread of control (fold, chain, block) its own.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t bits();
  /// Uniform on [0, 1), 53 bits.
  double uniform();
  /// Uniform on [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Uniform on {0, …, n−1}, without bias; n ≥ 1.
  Index below(Index n);
  /// Standard normal (Marsaglia's polar method).
  double normal();
  /// Fisher–Yates.
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (Index i = std::ssize(items) - 1; i > 0; --i) {
      std::swap(items[i], items[below(i + 1)]);
    }
  }

 private:
  std::array<std::uint64_t, 4> state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace ardent
