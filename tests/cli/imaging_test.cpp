#include <gmock/gmock.h>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::HasSubstr;
using ImagingCommandTest = CommandTest;

TEST_F(ImagingCommandTest, SceneLocateScoreAndDenoiseGoTogether) {
  const Outcome scene = ardent(
      "scene -o s.fits --truth t.csv --clean c.npy --sources 6 --size 60x50 --sigma 1.5 --snr 15 "
      "--background 3 --seed 4 --json");
  ASSERT_EQ(scene.status, 0) << scene.err;
  EXPECT_EQ(scene.json()["sources"], 6);
  const Outcome found =
      ardent("locate s.fits --sigma 1.5 -o f.csv --regions f.reg --overlay f.png --json");
  ASSERT_EQ(found.status, 0) << found.err;
  EXPECT_NEAR(
      found.json()["noise_variance"].get<double>() / scene.json()["noise_variance"].get<double>(),
      1, 0.2);
  const Outcome score = ardent("score-sources f.csv t.csv --radius 1.5 --json");
  ASSERT_EQ(score.status, 0) << score.err;
  EXPECT_GE(score.json()["recall"].get<double>(), 5.0 / 6);
  EXPECT_EQ(score.json()["precision"], 1.0);
  EXPECT_GT(score.json()["group_iou"], 0.7);
  EXPECT_THAT(slurp(path("f.reg")), HasSubstr("circle("));
  EXPECT_THAT(slurp(path("f.png")), testing::StartsWith("\x89PNG"));
  EXPECT_THAT(slurp(path("f.csv")),
              testing::StartsWith("x,y,sigma,flux,flux_sd,probability,snr\n"));
  EXPECT_THAT(ardent("locate s.fits --sigma 1.5").out, HasSubstr("sources"));

  const Outcome clean =
      ardent("denoise s.fits --sigma 1.5 --background constant -o d.fits --residual r.fits --json");
  ASSERT_EQ(clean.status, 0) << clean.err;
  ASSERT_EQ(ardent("scene -o n.npy --clean c2.npy --snr 10 --seed 2").status, 0);
  const Outcome psnr = ardent("denoise n.npy --background none -o d.npy --reference c2.npy --json");
  ASSERT_EQ(psnr.status, 0) << psnr.err;
  EXPECT_GT(psnr.json()["psnr"].get<double>(), psnr.json()["psnr_noisy"].get<double>() + 8);
}

TEST_F(ImagingCommandTest, BadRequestsSayWhatIsWrong) {
  write("text.fits", "no image");
  EXPECT_THAT(ardent("locate text.fits").err, HasSubstr("no FITS, PNG or NPY"));
  EXPECT_EQ(ardent("locate text.fits").status, 2);
  EXPECT_THAT(ardent("scene -o a.fits --size 28").err, HasSubstr("width x height"));
  EXPECT_THAT(ardent("scene -o a.fits --sigma 1:x").err, HasSubstr("--sigma"));
  EXPECT_THAT(ardent("scene -o a.gif").err, HasSubstr(".fits"));
  write("found.csv", "x,flux\n1,2\n");
  EXPECT_THAT(ardent("score-sources found.csv found.csv").err, HasSubstr("columns x and y"));
}

}  // namespace
}  // namespace ardent::cli_test
