#include "ardent/imaging/locate_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "ardent/imaging/bead_fit.h"
#include "ardent/imaging/psf.h"
#include "ardent/imaging/stack_scene.h"

namespace ardent {
namespace {

TEST(Stack, ABeadIsEquation56OnEveryVoxel) {
  Stack stack = blank_stack(7, 6, 5);
  const Bead bead{3.3, 2.8, 2.6, 1.2, 1.7, 4};
  add_bead(bead, stack);
  for (Index z = 1; z <= 5; ++z) {
    for (Index y = 1; y <= 6; ++y) {
      for (Index x = 1; x <= 7; ++x) {
        const double share =
            voxel_share(static_cast<double>(x) - bead.x, static_cast<double>(y) - bead.y,
                        static_cast<double>(z) - bead.z, bead.sigma_xy, bead.sigma_z);
        EXPECT_NEAR(stack.voxels[(z - 1) * 42 + (y - 1) * 7 + x - 1], 4 * share, 1e-14);
      }
    }
  }
  const Eigen::Map<const Vector> voxels(stack.voxels.data(), stack.size());
  EXPECT_NEAR(voxels.norm(), 4 * bead_length(bead, stack), 1e-14);
}

TEST(StackDictionary, ProductsAreThoseOfItsAtoms) {
  const StackDictionary dictionary(StackGrid{8, 7, 6, 1, 1.6, 1.5, 2.5, 1.4, 0.9});
  const Index n = dictionary.cols();
  Matrix atoms = Matrix::Zero(dictionary.rows(), n);
  for (Index j = 0; j < n; ++j) {
    Stack stack = blank_stack(8, 7, 6);
    add_bead(dictionary.bead(j), stack);
    atoms.col(j) = Eigen::Map<const Vector>(stack.voxels.data(), stack.size());
    Vector added = Vector::Zero(dictionary.rows());
    dictionary.add_scaled(j, 1, added);
    ASSERT_LT((added - atoms.col(j)).norm(), 1e-12) << j;
  }
  EXPECT_LT((atoms.colwise().norm().array() - 1).abs().maxCoeff(), 1e-12);
  Random random(1);
  Vector signal(dictionary.rows());
  for (double& value : signal) value = random.normal();
  Matrix products;
  dictionary.correlate(signal, products);
  EXPECT_LT((products.col(0) - atoms.transpose() * signal).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(dictionary.dot(n / 2, signal), products(n / 2, 0), 1e-12);
  const std::vector<Index> some{0, n / 3, n - 1};
  Matrix rows(n, 3);
  dictionary.gram_rows(some, rows);
  EXPECT_LT((rows - atoms.transpose() * atoms(Eigen::all, some)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(BeadFit, AtTheTruthOfACleanStackNothingIsLeft) {
  Stack stack = blank_stack(14, 13, 11);
  const std::vector<Bead> truth{{5.2, 6.1, 4.3, 1.4, 2, 20}, {9.7, 6.4, 7.2, 1.4, 2, 12}};
  for (const Bead& bead : truth) add_bead(bead, stack);
  std::vector<Bead> start = truth;
  start[0].x += 0.6;
  start[0].flux = 9;
  start[1].z -= 0.8;
  const BeadFit fit = fit_beads(stack, start);
  EXPECT_LT(fit.square_sum, 1e-12);
  for (std::size_t k = 0; k < truth.size(); ++k) {
    EXPECT_NEAR(fit.beads[k].x, truth[k].x, 1e-5);
    EXPECT_NEAR(fit.beads[k].z, truth[k].z, 1e-5);
    EXPECT_NEAR(fit.beads[k].flux, truth[k].flux, 1e-4);
  }
}

TEST(LocateStack, FindsPlantedBeadsWithErrorsOfTheRightSize) {
  Index planted = 0, found = 0, hit = 0, covered = 0;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const StackScene scene = make_stack_scene({.beads = 3,
                                               .width = 20,
                                               .height = 20,
                                               .depth = 14,
                                               .sigma_low = 1.5,
                                               .sigma_high = 1.5,
                                               .snr = 0,
                                               .background = 5,
                                               .seed = seed});
    const StackResult result = locate_stack(scene.stack, {.sigma_low = 1.5, .sigma_high = 1.5});
    planted += 3;
    found += std::ssize(result.detections);
    for (const Bead& bead : scene.truth) {
      for (const BeadDetection& detection : result.detections) {
        const Bead& at = detection.bead;
        if (std::hypot(at.x - bead.x, at.y - bead.y) > 1 || std::abs(at.z - bead.z) > 1.5) continue;
        ++hit;
        covered += std::abs(at.flux - bead.flux) <= detection.flux_sd;
        break;
      }
    }
  }
  EXPECT_GE(hit, planted * 85 / 100);
  EXPECT_LE(found, planted + 1);
  const double fraction = static_cast<double>(covered) / static_cast<double>(hit);
  EXPECT_NEAR(fraction, 0.68, 0.2);  // of 45, one sigma is 0.07
}

TEST(LocateStack, NoBeadInNoiseAndTheSameBitsForAnyNumberOfThreads) {
  Stack noise = blank_stack(16, 16, 10);
  Random random(3);
  for (double& value : noise.voxels) value = random.normal();
  EXPECT_TRUE(locate_stack(noise).detections.empty());
  const StackScene scene = make_stack_scene({.snr = 10, .seed = 5});
  const auto run = [&](int threads) {
    const ThreadScope scope(threads);
    return locate_stack(scene.stack).model.voxels;
  };
  EXPECT_EQ(run(1), run(3));
}

TEST(LocateStack, RefusesWhatItCannotDo) {
  EXPECT_THROW(locate_stack(blank_stack(8, 8, 4)), InputError);  // no noise to be estimated
  Stack unknown = blank_stack(4, 4, 4);
  for (double& value : unknown.voxels) value = std::nan("");
  EXPECT_THROW(locate_stack(unknown), InputError);
  EXPECT_THROW(validate(StackOptions{.background = BackgroundKind::map}), InputError);
  EXPECT_THROW(validate(StackOptions{.sigma_z_low = 3, .sigma_z_high = 2}), InputError);
  EXPECT_THROW(make_stack_scene({.depth = 1}), InputError);
}

}  // namespace
}  // namespace ardent
