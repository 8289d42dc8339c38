#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "ardent/imaging/locate.h"
#include "ardent/imaging/profile_error.h"
#include "ardent/imaging/saturation.h"
#include "ardent/imaging/scene.h"
#include "ardent/imaging/source_metrics.h"
#include "imaging/sources_of.h"

namespace ardent {
namespace {

TEST(Sweep, GoesDownFromNothingAndChoosesWhatIsThere) {
  const Scene scene = make_scene({.sources = 6, .width = 40, .height = 36, .snr = 12, .seed = 4});
  LocateOptions options{.background = BackgroundKind::none, .sweep_count = 8};
  const Sweep sweep = locate_sweep(scene.image, options);
  ASSERT_EQ(sweep.steps.size(), 8u);
  EXPECT_TRUE(sweep.steps.front().found.detections.empty());
  for (std::size_t k = 1; k < sweep.steps.size(); ++k) {
    EXPECT_LT(sweep.steps[k].lambda, sweep.steps[k - 1].lambda);
    EXPECT_GE(sweep.steps[k].bic, sweep.steps[sweep.chosen].bic);
  }
  const LocateResult& chosen = sweep.steps[sweep.chosen].found;
  EXPECT_GE(match_sources(sources_of(chosen), scene.truth, 1.5).recall, 5.0 / 6);
  // A step found on the way down is the one found at its λ alone.
  const std::size_t last = sweep.steps.size() - 1;
  options.tile.lambda = sweep.steps[last].lambda;
  const LocateResult alone = locate(scene.image, options);
  EXPECT_NEAR(psnr(scene.clean, alone.model), psnr(scene.clean, sweep.steps[last].found.model),
              0.5);
}

TEST(Sweep, TakesAListInAnyOrderAndRefusesBadValues) {
  const Scene scene = make_scene({.snr = 10, .seed = 6});
  const double v = scene.noise_variance;
  LocateOptions options{.background = BackgroundKind::none, .lambdas = {5 * v, 50 * v, 10 * v}};
  const Sweep sweep = locate_sweep(scene.image, options);
  ASSERT_EQ(sweep.steps.size(), 3u);
  EXPECT_EQ(sweep.steps[0].lambda, 50 * v);
  EXPECT_EQ(sweep.steps[2].lambda, 5 * v);
  EXPECT_THROW(locate_sweep(scene.image, {.lambdas = {1, -1}}), InputError);
  EXPECT_THROW(locate_sweep(scene.image, {.sweep_count = 1}), InputError);
}

TEST(SampledDictionary, FindsThePapersSourcesAndDependsOnItsSeedOnly) {
  double by_grid = 0, uniform = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Scene scene = make_scene({.snr = 20, .seed = seed});
    LocateOptions options{.background = BackgroundKind::none};
    by_grid += match_sources(sources_of(locate(scene.image, options)), scene.truth, 1.5).f1 / 5;
    options.dictionary = DictionaryKind::uniform;
    options.atoms = 3000;
    uniform += match_sources(sources_of(locate(scene.image, options)), scene.truth, 1.5).f1 / 5;
  }
  EXPECT_GT(uniform, by_grid - 0.1);
  const Scene scene = make_scene({.snr = 20, .seed = 2});
  LocateOptions options{.dictionary = DictionaryKind::normal, .atoms = 1000, .seed = 7};
  const auto run = [&](int threads) {
    const ThreadScope scope(threads);
    return locate(scene.image, options).model.pixels;
  };
  const std::vector<double> one = run(1);
  EXPECT_EQ(one, run(3));
  options.seed = 8;
  EXPECT_NE(one, run(1));
  EXPECT_THROW(schema(options).set("dictionary", "random"), InputError);
  EXPECT_THROW(locate(scene.image, {.dictionary = DictionaryKind::uniform, .atoms = 0}),
               InputError);
  EXPECT_THROW(locate(scene.image, {.dictionary = DictionaryKind::uniform, .atoms = 1000000}),
               InputError);
}

/// Light like that of a star through the air: (1 + r²/a²)^−β, which no Gaussian has.
void add_moffat(double x0, double y0, double peak, Image& image) {
  for (Index y = 1; y <= image.height; ++y) {
    for (Index x = 1; x <= image.width; ++x) {
      const double u = static_cast<double>(x) - x0, v = static_cast<double>(y) - y0;
      image.at(x, y) += peak * std::pow(1 + (u * u + v * v) / 5, -3);
    }
  }
}

TEST(ProfileError, IsMeasuredOnStarsThatAreNoGaussians) {
  Image image = blank_image(44, 44);
  Random random(4);
  for (double& value : image.pixels) value = random.normal();
  const Image noise = image;
  const std::vector<std::pair<double, double>> places{{12.3, 13.1}, {31.8, 29.6}};
  for (const auto& [x, y] : places) add_moffat(x, y, 500, image);
  LocateOptions options{.sigma_low = 1, .sigma_high = 2, .profile_error = 0};
  const LocateResult trusting = locate(image, options);
  options.profile_error = -1;
  const LocateResult measured = locate(image, options);
  EXPECT_GT(measured.profile_error, 0.01);
  EXPECT_LT(measured.detections.size(), trusting.detections.size());
  for (const auto& [x, y] : places) {
    double nearest = 99;
    for (const Source& source : sources_of(measured)) {
      nearest = std::min(nearest, std::hypot(source.x - x, source.y - y));
    }
    EXPECT_LT(nearest, 0.3);
  }
  // Of Gaussians there is nothing to measure.
  EXPECT_EQ(locate(make_scene({.snr = 25, .seed = 3}).image, {.background = BackgroundKind::none})
                .profile_error,
            0);
  EXPECT_EQ(estimate_profile_error(noise, blank_image(44, 44), {1}), 0);
}

TEST(ProfileError, IsTheOneThatResidualsWereMadeWith) {
  Random random(6);
  Image model = blank_image(100, 100), residual = blank_image(100, 100);
  for (std::size_t p = 0; p < model.pixels.size(); ++p) {
    model.pixels[p] = random.uniform(0, 200);
    residual.pixels[p] = 2 * random.normal() + 0.07 * model.pixels[p] * random.normal();
  }
  EXPECT_NEAR(estimate_profile_error(residual, model, {4}), 0.07, 0.005);
}

TEST(Saturation, AStarThatOverflowsIsOneSourceNearItsFlux) {
  Image image = blank_image(60, 60);
  add_source({30.4, 29.7, 2, 5000}, image);
  add_source({12, 45, 2, 300}, image);
  Random random(2);
  for (double& value : image.pixels) value = std::min(value + random.normal(), 60.0);
  LocateOptions options{.saturation = 55};
  const LocateResult found = locate(image, options);
  Index near = 0;
  for (const Detection& detection : found.detections) {
    const Source& source = detection.source;
    if (std::hypot(source.x - 30.4, source.y - 29.7) > 6) continue;
    ++near;
    EXPECT_NEAR(source.x, 30.4, 0.5);
    EXPECT_NEAR(source.y, 29.7, 0.5);
    EXPECT_NEAR(source.flux, 5000, 1500);
  }
  EXPECT_EQ(near, 1);
  EXPECT_EQ(match_sources(sources_of(found), std::vector<Source>{{12, 45}}, 1).recall, 1);
}

TEST(Saturation, PatchesThatTouchAreOne) {
  Image image = blank_image(12, 12);
  image.at(3, 3) = image.at(4, 4) = 9;
  image.at(10, 10) = 9;
  mark_saturated(image, 9);
  EXPECT_TRUE(std::isinf(image.at(4, 4)));
  const auto at = [](double x, double y) {
    return Detection{{x, y, 1, 1}, 1, 1, 1, {{x, y, 1, 1}}};
  };
  EXPECT_EQ(joined_on_patches(image, {at(3, 3), at(5, 5), at(7.6, 7.6), at(10, 9)}).size(), 3u);
  EXPECT_EQ(joined_on_patches(blank_image(12, 12), {at(3, 3), at(3, 3)}).size(), 2u);
}

}  // namespace
}  // namespace ardent
