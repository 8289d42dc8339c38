// Stacks of planes: what is done to images is done to them (image.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "ardent/imaging/locate.h"
#include "ardent/imaging/psf_image.h"
#include "ardent/imaging/scene.h"

namespace ardent {
namespace {

using testing::HasSubstr;

TEST(Stack, ABeadIsEquation56OnEveryVoxel) {
  Image stack = blank_image(7, 6, 5);
  const Source bead{3.3, 2.8, 1.2, 4, 2.6, 1.7};
  add_source(bead, stack);
  for (Index z = 1; z <= 5; ++z) {
    for (Index y = 1; y <= 6; ++y) {
      for (Index x = 1; x <= 7; ++x) {
        const double share = pixel_share(static_cast<double>(x) - bead.x, bead.sigma) *
                             pixel_share(static_cast<double>(y) - bead.y, bead.sigma) *
                             pixel_share(static_cast<double>(z) - bead.z, bead.sigma_z);
        EXPECT_NEAR(stack.pixels[(z - 1) * 42 + (y - 1) * 7 + x - 1], 4 * share, 1e-14);
      }
    }
  }
  const Eigen::Map<const Vector> voxels(stack.pixels.data(), stack.size());
  EXPECT_NEAR(voxels.norm(), 4 * psf_length(bead, stack), 1e-14);
}

TEST(Stack, FootprintsHaveTheSlopesOfTheirShares) {
  const Image stack = blank_image(30, 28, 26);
  Image star = blank_image(13, 13, 15);
  add_source({7.1, 6.8, 1.3, 1, 8.2, 1.8}, star);
  const PsfImage image(star);
  constexpr double kStep = 1e-5;
  for (const PsfShape* shape : {static_cast<const PsfShape*>(&image), &gaussian_psf()}) {
    const Source source{14.3, 13.6, 1.4, 1, 12.2, 1.9};
    const Footprint print = shape->footprint(source, stack, true);
    const auto slope = [&](double Source::*parameter) {
      Source more = source, less = source;
      more.*parameter += kStep;
      less.*parameter -= kStep;
      return Matrix((shape->footprint(more, stack, false).share -
                     shape->footprint(less, stack, false).share) /
                    (2 * kStep));
    };
    EXPECT_NEAR(print.share.sum(), 1, 1e-5);
    EXPECT_LT((print.by_x - slope(&Source::x)).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LT((print.by_y - slope(&Source::y)).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LT((print.by_z - slope(&Source::z)).cwiseAbs().maxCoeff(), 1e-8);
    if (!shape->has_width()) continue;
    EXPECT_LT((print.by_sigma - slope(&Source::sigma)).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LT((print.by_sigma_z - slope(&Source::sigma_z)).cwiseAbs().maxCoeff(), 1e-8);
  }
}

TEST(StackFit, AtTheTruthOfACleanStackNothingIsLeft) {
  Image stack = blank_image(14, 13, 11);
  const std::vector<Source> truth{{5.2, 6.1, 1.4, 20, 4.3, 2}, {9.7, 6.4, 1.4, 12, 7.2, 2}};
  for (const Source& bead : truth) gaussian_psf().add(bead, stack);
  std::vector<Source> start = truth;
  start[0].x += 0.6;
  start[0].flux = 9;
  start[1].z -= 0.8;
  PsfFitOptions options{.sigma_low = 1.4, .sigma_high = 1.4};
  const PsfFit fit = fit_sources(stack, start, options);
  EXPECT_LT(fit.square_sum, 1e-12);
  for (std::size_t k = 0; k < truth.size(); ++k) {
    EXPECT_NEAR(fit.sources[k].x, truth[k].x, 1e-5);
    EXPECT_NEAR(fit.sources[k].z, truth[k].z, 1e-5);
    EXPECT_NEAR(fit.sources[k].flux, truth[k].flux, 1e-4);
  }
  options = {.sigma_low = 1, .sigma_high = 2, .sigma_z_low = 1.5, .sigma_z_high = 3};
  start[0].sigma = 1.7;
  start[1].sigma_z = 2.6;
  const PsfFit wide = fit_sources(stack, start, options);
  EXPECT_EQ(wide.parameters.size(), 6u);
  EXPECT_LT(wide.square_sum, 1e-10);
  EXPECT_NEAR(wide.sources[0].sigma, 1.4, 1e-5);
  EXPECT_NEAR(wide.sources[1].sigma_z, 2, 1e-5);
}

/// Pairs of true and found sources nearer than a pixel across and one and a half along z.
Index hits(const std::vector<Source>& truth, const std::vector<Detection>& found,
           Index* covered = nullptr) {
  Index hit = 0;
  for (const Source& bead : truth) {
    for (const Detection& detection : found) {
      const Source& at = detection.source;
      if (std::hypot(at.x - bead.x, at.y - bead.y) > 1 || std::abs(at.z - bead.z) > 1.5) continue;
      ++hit;
      if (covered) *covered += std::abs(at.flux - bead.flux) <= detection.flux_sd;
      break;
    }
  }
  return hit;
}

TEST(LocateStack, FindsPlantedBeadsWithErrorsOfTheRightSize) {
  Index planted = 0, found = 0, hit = 0, covered = 0;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const Scene scene = make_scene({.sources = 3,
                                    .width = 20,
                                    .height = 20,
                                    .sigma_low = 1.5,
                                    .sigma_high = 1.5,
                                    .snr = 0,
                                    .background = 5,
                                    .seed = seed,
                                    .depth = 14});
    const LocateResult result = locate(scene.image, {.sigma_low = 1.5, .sigma_high = 1.5});
    planted += 3;
    found += std::ssize(result.detections);
    hit += hits(scene.truth, result.detections, &covered);
  }
  EXPECT_GE(hit, planted * 85 / 100);
  EXPECT_LE(found, planted + 1);
  const double fraction = static_cast<double>(covered) / static_cast<double>(hit);
  EXPECT_NEAR(fraction, 0.68, 0.2);  // of 45, one sigma is 0.07
}

TEST(LocateStack, NoBeadInNoiseAndTheSameBitsForAnyNumberOfThreads) {
  Image noise = blank_image(16, 16, 10);
  Random random(3);
  for (double& value : noise.pixels) value = random.normal();
  EXPECT_TRUE(locate(noise).detections.empty());
  const Scene scene = make_scene({.width = 16, .height = 16, .snr = 10, .seed = 5, .depth = 12});
  const auto run = [&](int threads) {
    const ThreadScope scope(threads);
    return locate(scene.image).model.pixels;
  };
  EXPECT_EQ(run(1), run(3));
}

/// 12 beads well apart, in a stack that takes several tiles along each axis where cores are small.
struct Beads {
  Image stack = blank_image(36, 34, 30);
  std::vector<Source> truth;

  explicit Beads(double noise = 1, double flux = 200) {
    Random random(4);
    for (const double z : {8.0, 22.0}) {
      for (const double y : {9.0, 25.0}) {
        for (const double x : {7.0, 18.0, 29.0}) {
          truth.push_back(
              {x + random.uniform(), y + random.uniform(), 1.2, flux, z + random.uniform(), 1.6});
          add_source(truth.back(), stack);
        }
      }
    }
    for (double& value : stack.pixels) value += noise * random.normal();
  }
  LocateOptions options() const {
    return {.sigma_low = 1.2, .sigma_high = 1.2, .sigma_z_low = 1.6, .sigma_z_high = 1.6};
  }
};

TEST(LocateStack, TilesFindWhatOneTileDoes) {
  const Beads beads;
  LocateOptions options = beads.options();
  options.core = 40;
  const LocateResult whole = locate(beads.stack, options);
  options.core = 9;
  const LocateResult tiled = locate(beads.stack, options);
  EXPECT_EQ(whole.tiles, 1);
  EXPECT_EQ(tiled.tiles, 4 * 4 * 4);
  ASSERT_EQ(tiled.detections.size(), whole.detections.size());
  EXPECT_EQ(hits(beads.truth, tiled.detections), 12);
  for (std::size_t k = 0; k < whole.detections.size(); ++k) {
    EXPECT_LT(distance(tiled.detections[k].source, whole.detections[k].source), 0.1);
    EXPECT_NEAR(tiled.detections[k].source.flux, whole.detections[k].source.flux, 3);
  }
}

TEST(LocateStack, AStackOfAPointSourceServesAsPsf) {
  const std::vector<Source> truth{{5.3, 6.1, 1.8, 300, 4.7, 1.8}, {11.2, 10.4, 1.8, 300, 9.6, 1.8}};
  Image stack = blank_image(16, 16, 14), star = blank_image(15, 16, 15);
  Random random(2);
  for (const Source& source : truth) add_source(source, stack);
  for (double& value : stack.pixels) value += 0.5 * random.normal();
  add_source({8.2, 8.4, 1.8, 1, 7.9, 1.8}, star);
  LocateOptions options;
  options.psf = std::make_shared<const PsfImage>(star);
  EXPECT_NEAR(options.psf->sigma(), 1.82, 0.02);  // with the pixels' own width
  EXPECT_NEAR(options.psf->sigma_z(), 1.82, 0.02);
  const LocateResult found = locate(stack, options);
  ASSERT_EQ(found.detections.size(), 2u);
  EXPECT_EQ(hits(truth, found.detections), 2);
  for (const Detection& one : found.detections) {
    EXPECT_NEAR(one.source.flux, 300, 4 * one.flux_sd);
    EXPECT_LT(one.flux_sd, 20);
  }
  const Image plane = cut(stack, {1, 1, 5, 16, 16, 1});
  EXPECT_THROW(locate(plane, options), InputError);
  options.psf = std::make_shared<const PsfImage>(cut(star, {1, 1, 8, 15, 16, 1}));
  EXPECT_THROW(locate(stack, options), InputError);
}

TEST(LocateStack, SaturatedVoxelsAreLeftOutAndTheirFluxIsFound) {
  constexpr double kFlux = 2000;
  Beads beads(1, kFlux);
  const double level = 20;  // of a peak of about 50
  double left = 0;
  for (double& value : beads.stack.pixels) {
    value = std::min(value, level);
    left += value;
  }
  ASSERT_LT(left, 12 * (kFlux - 200));  // so much of every bead is not in the stack
  LocateOptions options = beads.options();
  options.saturation = level;
  const LocateResult found = locate(beads.stack, options);
  ASSERT_EQ(found.detections.size(), 12u);
  EXPECT_EQ(hits(beads.truth, found.detections), 12);
  for (const Detection& one : found.detections) EXPECT_NEAR(one.source.flux, kFlux, 100);
}

TEST(LocateStack, TheModelIsCloserToTheTruthThanTheStack) {
  const Beads beads, clean(0);
  const LocateResult found = locate(beads.stack, beads.options());
  double before = 0, after = 0;
  for (std::size_t p = 0; p < clean.stack.pixels.size(); ++p) {
    const double model = found.model.pixels[p] + found.background.pixels[p];
    before += std::pow(beads.stack.pixels[p] - clean.stack.pixels[p], 2);
    after += std::pow(model - clean.stack.pixels[p], 2);
  }
  EXPECT_LT(after, 0.01 * before);
}

TEST(LocateStack, BadVoxelsMasksAndASlopingSkyAreAsInImages) {
  Beads beads;
  for (Index z = 1; z <= 30; ++z) {
    beads.stack.at(12, 17, z) += 60;  // a detector's hot pixel
    for (Index y = 1; y <= 34; ++y) {
      for (Index x = 1; x <= 36; ++x) beads.stack.at(x, y, z) += 0.03 * static_cast<double>(x);
    }
  }
  auto mask = std::make_shared<Image>(blank_like(beads.stack));
  mask->at(3, 3, 3) = 1;
  LocateOptions options = beads.options();
  options.mask = mask;
  options.background = BackgroundKind::map;
  options.background_cell = 12;
  const LocateResult found = locate(beads.stack, options);
  EXPECT_EQ(found.masked_pixels, 1);
  EXPECT_EQ(found.bad_pixels.size(), 30u);
  EXPECT_EQ(hits(beads.truth, found.detections), 12);
  EXPECT_EQ(found.detections.size(), 12u);
  EXPECT_NEAR(found.background.at(18, 17, 15), 0.54, 0.15);
  EXPECT_NEAR(found.background.at(30, 17, 15) - found.background.at(6, 17, 15), 0.72, 0.2);
}

TEST(LocateStack, RefusesWhatItCannotDo) {
  EXPECT_THROW(locate(blank_image(8, 8, 4)), InputError);  // no noise to be estimated
  Image unknown = blank_image(4, 4, 4);
  for (double& value : unknown.pixels) value = std::nan("");
  EXPECT_THROW(locate(unknown), InputError);
  EXPECT_THROW(validate(LocateOptions{.sigma_z_low = 3, .sigma_z_high = 2}), InputError);
  EXPECT_THROW(make_scene({.depth = 2}), InputError);
  const Beads beads;
  LocateOptions options = beads.options();
  options.mask = std::make_shared<const Image>(blank_image(36, 34));
  try {
    locate(beads.stack, options);
    FAIL() << "a mask of one plane";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("36 × 34 pixels, and the image 36 × 34 × 30 voxels"));
  }
}

}  // namespace
}  // namespace ardent
