// Images of counts: do the errors of fluxes hold?
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ardent/imaging/locate.h"

namespace ardent {
namespace {

struct NoisyField {
  Image image;  // counts
  std::vector<Source> truth;
};

/// Stars some 14 pixels apart, fluxes evenly spread in their logarithms.
NoisyField poisson_field(unsigned seed, double sky, double low, double high) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  NoisyField field{blank_image(142, 142), {}};
  for (double y = 9; y < 136; y += 14) {
    for (double x = 9; x < 136; x += 14) {
      field.truth.push_back({x + 2 * uniform(generator), y + 2 * uniform(generator), 1.5,
                             low * std::pow(high / low, uniform(generator))});
      add_source(field.truth.back(), field.image);
    }
  }
  for (double& value : field.image.pixels) {
    value = static_cast<double>(std::poisson_distribution<long>(sky + value)(generator));
  }
  return field;
}

struct Coverage {
  double covered = 0, count = 0;
  double part() const { return covered / count; }

  void add(const LocateResult& found, const std::vector<Source>& truth) {
    for (const Source& source : truth) {
      for (const Detection& detection : found.detections) {
        const Source& one = detection.source;
        if (std::hypot(one.x - source.x, one.y - source.y) > 1.5) continue;
        ++count;
        covered += std::abs(one.flux - source.flux) < detection.flux_sd ? 1 : 0;
        break;
      }
    }
  }
};

Coverage coverage(const LocateOptions& options, double sky, double low, double high) {
  Coverage coverage;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const NoisyField field = poisson_field(seed, sky, low, high);
    coverage.add(locate(field.image, options), field.truth);
  }
  return coverage;
}

// 2,000 stars: a standard deviation of the part covered is 0.0104.
TEST(PhotonNoise, IntervalsCoverWhatTheySay) {
  LocateOptions options{.sigma_low = 1.5, .sigma_high = 1.5, .gain = 1};
  for (const double sky : {10.0, 100.0}) {
    const Coverage with_gain = coverage(options, sky, 30 * std::sqrt(sky), 500 * std::sqrt(sky));
    EXPECT_GT(with_gain.count, 1900) << sky;
    EXPECT_GE(with_gain.part(), 0.64) << sky;
    EXPECT_LE(with_gain.part(), 0.72) << sky;
  }
  options.read_noise = 0;
  const Coverage with_read_noise = coverage(options, 10, 50, 1000);
  EXPECT_GE(with_read_noise.part(), 0.64);
  EXPECT_LE(with_read_noise.part(), 0.72);
}

TEST(PhotonNoise, IntervalsAreTooNarrowWithoutAGain) {
  const Coverage without =
      coverage({.sigma_low = 1.5, .sigma_high = 1.5, .profile_error = 0}, 10, 50, 5000);
  EXPECT_LT(without.part(), 0.6);
}

TEST(PhotonNoise, AnErrorMapDoesWhatItSays) {
  // Noise that is four times as large on the right half.
  const NoisyField field = poisson_field(3, 0, 2000, 4000);
  std::mt19937_64 generator(4);
  std::normal_distribution<double> normal;
  Coverage left, right;
  for (int k = 0; k < 6; ++k) {
    Image image = blank_image(142, 142);
    auto errors = std::make_shared<Image>(image);
    for (const Source& source : field.truth) add_source(source, image);
    for (Index y = 1; y <= 142; ++y) {
      for (Index x = 1; x <= 142; ++x) {
        errors->at(x, y) = x <= 71 ? 5 : 20;
        image.at(x, y) += errors->at(x, y) * normal(generator);
      }
    }
    LocateOptions options{.sigma_low = 1.5, .sigma_high = 1.5, .error_map = errors};
    const LocateResult found = locate(image, options);
    std::vector<Source> here, there;
    for (const Source& source : field.truth) (source.x < 71 ? here : there).push_back(source);
    left.add(found, here);
    right.add(found, there);
  }
  EXPECT_EQ(left.count + right.count, 6 * 100);
  EXPECT_NEAR(left.part(), 0.68, 0.09);  // 300 stars each: 0.027 is one standard deviation
  EXPECT_NEAR(right.part(), 0.68, 0.09);
}

}  // namespace
}  // namespace ardent
