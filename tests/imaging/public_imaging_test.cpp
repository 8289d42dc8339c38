// include/ardent/imaging.h against what it stands for.
#include <gtest/gtest.h>

#include "ardent/base/error.h"
#include "ardent/base/given_options.h"
#include "ardent/imaging.h"
#include "ardent/imaging/locate.h"
#include "ardent/imaging/scene.h"

namespace ardent {
namespace {

TEST(PublicImaging, FindsWhatLocateFinds) {
  const v0::imaging::Scene scene = v0::imaging::simulate({.sources = 3, .seed = 4});
  EXPECT_EQ(scene.image.pixels, make_scene({.sources = 3, .seed = 4}).image.pixels);
  const LocateOptions options{.sigma_low = 1, .sigma_high = 2.5, .noise = scene.noise_variance};
  const LocateResult expected = locate(scene.image, options);
  const v0::imaging::LocateOptions given{.sigma = v0::imaging::Range{1, 2.5},
                                         .noise = scene.noise_variance};
  const LocateResult found = v0::imaging::locate(scene.image, given);
  ASSERT_FALSE(found.detections.empty());
  EXPECT_EQ(found.model.pixels, expected.model.pixels);
  EXPECT_EQ(found.detections.front().source.flux, expected.detections.front().source.flux);
  const Image clean = v0::imaging::denoise(scene.image, given);
  EXPECT_EQ(clean.at(3, 4), expected.model.at(3, 4) + expected.background.at(3, 4));
}

TEST(PublicImaging, EnumeratorsAreTheWordsOfTheSchema) {
  LocateOptions options;
  Schema fields = schema(options);
  EXPECT_EQ(fields.option("background").choices,
            (std::vector<std::string>{"none", "constant", "map", "auto"}));
  GivenOptions(fields).set("background", std::optional(v0::Background::map));
  EXPECT_EQ(options.background, BackgroundKind::map);
  GivenOptions(fields).set("background", std::optional(v0::Background::automatic));
  EXPECT_EQ(options.background, BackgroundKind::automatic);
}

TEST(PublicImaging, WidthsAlongZBelongToStacks) {
  const Image image = v0::imaging::blank_image(20, 20);
  const v0::imaging::LocateOptions options{.sigma_z = v0::imaging::Range{1, 2}};
  EXPECT_THROW(v0::imaging::locate(image, options), InputError);
}

}  // namespace
}  // namespace ardent
