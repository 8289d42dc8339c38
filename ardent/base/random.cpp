#include "ardent/base/random.h"

#include <bit>
#include <cmath>

#include "ardent/base/elementary.h"

namespace ardent {
namespace {

std::uint64_t splitmix64(std::uint64_t& x) {
  std::uint64_t z = (x += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) : state_{} {
  std::uint64_t x = seed;
  // Mixing the seed before the stream is added keeps (1, 0) and (0, 1) apart.
  x = splitmix64(x) + stream;
  for (auto& word : state_) word = splitmix64(x);
}

std::uint64_t Random::bits() {
  auto& s = state_;
  const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
  const std::uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = std::rotl(s[3], 45);
  return result;
}

double Random::uniform() {
  return static_cast<double>(bits() >> 11) * 0x1.0p-53;
}

Index Random::below(Index n) {
  const auto range = static_cast<std::uint64_t>(n);
  // Values under 2^64 mod n would make some results likelier: draw again.
  const std::uint64_t threshold = (0 - range) % range;
  while (true) {
    const std::uint64_t x = bits();
    if (x >= threshold) return static_cast<Index>(x % range);
  }
}

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  while (true) {
    const double u = uniform(-1, 1);
    const double v = uniform(-1, 1);
    const double s = u * u + v * v;
    if (s > 0 && s < 1) {
      const double factor = std::sqrt(-2 * elementary::log(s) / s);
      spare_ = v * factor;
      has_spare_ = true;
      return u * factor;
    }
  }
}

}  // namespace ardent
