#include <gmock/gmock.h>

#include <algorithm>

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

TEST_F(ImagingCommandTest, OwnPsfFindsWhatTheGaussianFinds) {
  ASSERT_EQ(ardent("scene -o s.fits --truth t.csv --sources 8 --size 48x48 --sigma 1.5 --noise "
                   "0.001 --seed 4")
                .status,
            0);
  // A lone source without noise is an image of the PSF.
  ASSERT_EQ(ardent("scene -o p.fits --clean psf.fits --sources 1 --size 25x24 --sigma 1.5 --margin "
                   "11 --noise 0")
                .status,
            0);
  ASSERT_EQ(ardent("locate s.fits --sigma 1.5 -o g.csv").status, 0);
  const Outcome found = ardent("locate s.fits --psf psf.fits -o f.csv --json");
  ASSERT_EQ(found.status, 0) << found.err;
  const Outcome same = ardent("score-sources f.csv g.csv --radius 0.1 --json");
  EXPECT_EQ(same.json()["f1"], 1.0);
  const Outcome clean = ardent("denoise s.fits --psf psf.fits -o d.npy --json");
  EXPECT_EQ(clean.status, 0) << clean.err;
  EXPECT_THAT(ardent("locate s.fits --psf psf.fits --dictionary uniform").err,
              HasSubstr("--dictionary belongs to --psf none"));
  EXPECT_THAT(ardent("locate s.fits --psf absent.fits").err, HasSubstr("absent.fits"));
  // It is read once: a pipe has nothing to read a second time.
  const Outcome piped = shell(
      "mkfifo pipe && { cat psf.fits >pipe & } && timeout 60 ardent locate s.fits --psf pipe");
  EXPECT_EQ(piped.status, 0) << piped.err;
}

TEST_F(ImagingCommandTest, ASkyUnderThePsfIsTakenOffWithAWord) {
  ASSERT_EQ(
      ardent("scene -o s.npy --sources 8 --size 48x48 --sigma 1.5 --noise 0.001 --seed 4").status,
      0);
  const std::string psf = "--sources 1 --size 25x25 --sigma 1.5 --margin 11 --noise 0";
  ASSERT_EQ(ardent("scene -o clean.npy " + psf).status, 0);
  ASSERT_EQ(ardent("scene -o sky.npy " + psf + " --background 0.05").status, 0);
  const Outcome clean = ardent("locate s.npy --psf clean.npy --json");
  const Outcome sky = ardent("locate s.npy --psf sky.npy --json");
  ASSERT_EQ(sky.status, 0) << sky.err;
  EXPECT_EQ(clean.err, "");
  EXPECT_THAT(sky.err,
              HasSubstr("ardent: warning: a sky of 0.05 was taken off every pixel of the PSF"));
  EXPECT_EQ(sky.json()["warnings"].size(), 1u);
  EXPECT_NEAR(sky.json()["sources"][0]["flux"].get<double>() /
                  clean.json()["sources"][0]["flux"].get<double>(),
              1, 1e-3);
  ASSERT_EQ(ardent("scene -o cut.npy --sources 1 --size 9x9 --margin 4 --sigma 3 --noise 0").status,
            0);
  const Outcome cut = ardent("locate s.npy --psf cut.npy");
  EXPECT_EQ(cut.status, 2);
  EXPECT_THAT(cut.err, HasSubstr("no wings"));
}

TEST_F(ImagingCommandTest, ACatalogueIsWhatItsNameSays) {
  ASSERT_EQ(
      ardent("scene -o s.npy --truth t.ecsv --sources 3 --size 40x40 --sigma 1.5 --seed 3").status,
      0);
  const std::string locate = "locate s.npy --sigma 1.5 -o ";
  ASSERT_EQ(ardent(locate + "c.fits").status, 0);
  EXPECT_THAT(slurp(path("c.fits")), testing::StartsWith("SIMPLE  ="));
  EXPECT_THAT(slurp(path("c.fits")), HasSubstr("XTENSION= 'BINTABLE'"));
  ASSERT_EQ(ardent(locate + "c.ecsv").status, 0);
  EXPECT_THAT(slurp(path("c.ecsv")), testing::StartsWith("# %ECSV 1.0\n"));
  EXPECT_EQ(ardent("score-sources c.ecsv t.ecsv --radius 1.5").status, 0);
  ASSERT_EQ(ardent(locate + "c.reg").status, 0);
  EXPECT_THAT(slurp(path("c.reg")), testing::StartsWith("# Region file format: DS9"));
  const Outcome refused = ardent(locate + "c.dat");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(
      refused.err,
      HasSubstr("c.dat: a catalogue is written as .csv, .ecsv, .fits, .fit, .vot (VOTable) or "
                ".reg"));
}

TEST_F(ImagingCommandTest, PixelsCountFromTheOrigin) {
  ASSERT_EQ(ardent("scene -o s.npy --sources 1 --size 30x30 --sigma 1.5 --snr 20 --seed 3").status,
            0);
  const Outcome from_1 = ardent("locate s.npy --sigma 1.5 -o a.csv --json");
  const Outcome from_0 = ardent("locate s.npy --sigma 1.5 --origin 0 -o b.csv --json");
  EXPECT_EQ(from_1.json()["origin"], 1);
  EXPECT_EQ(from_0.json()["origin"], 0);
  for (const char* axis : {"x", "y"}) {
    EXPECT_NEAR(from_0.json()["sources"][0][axis].get<double>() + 1,
                from_1.json()["sources"][0][axis].get<double>(), 1e-12);
  }
  EXPECT_NE(slurp(path("a.csv")), slurp(path("b.csv")));
  EXPECT_THAT(ardent("locate s.npy --sigma 1.5").out, HasSubstr("1 sources; pixels count from 1"));
  EXPECT_THAT(ardent("locate s.npy --sigma 1.5 --origin 0").out, HasSubstr("pixels count from 0"));
  EXPECT_THAT(ardent("locate s.npy --origin 2").err, HasSubstr("--origin must be 0 or 1"));
}

TEST_F(ImagingCommandTest, MasksErrorMapsAndGainHaveOptions) {
  ASSERT_EQ(
      ardent(
          "scene -o s.npy --sources 3 --size 40x40 --sigma 1.5 --background 9 --noise 1 --seed 3")
          .status,
      0);
  ASSERT_EQ(
      ardent(
          "scene -o flat.fits --clean zero.fits --sources 1 --size 40x40 --noise 0 --background 1")
          .status,
      0);
  const auto json = [&](const std::string& options) {
    const Outcome outcome = ardent("locate s.npy --sigma 1.5 --json " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.json();
  };
  EXPECT_EQ(json("--gain 1 --read-noise 2")["noise_variance"].get<double>() > 12, true);
  EXPECT_GT(json("--error-map flat.fits[0]")["noise_variance"].get<double>(), 0.9);
  ASSERT_EQ(ardent("scene -o four.fits --sources 1 --size 40x40 --sigma 1 --noise 0 --background 4")
                .status,
            0);
  EXPECT_NEAR(json("--weight-map four.fits[0]")["noise_variance"].get<double>(), 0.25, 1e-3);
  EXPECT_THAT(ardent("locate s.npy --error-map flat.fits --weight-map four.fits").err,
              HasSubstr("--weight-map belongs to --error-map none"));
  EXPECT_THAT(ardent("locate s.npy --weight-map four.fits --noise 1").err,
              HasSubstr("--noise belongs to --weight-map none"));
  EXPECT_EQ(json("--mask flat.fits --mask-bits 4")["masked_pixels"].get<int>() < 100, true);
  EXPECT_THAT(ardent("locate s.npy --mask flat.fits").err, HasSubstr("none of the 40 × 40 pixels"));
  EXPECT_THAT(ardent("locate s.npy --read-noise 2").err,
              HasSubstr("--read-noise needs --gain, which is none"));
  EXPECT_THAT(ardent("locate s.npy --mask-bits 2").err, HasSubstr("--mask-bits needs --mask"));
  EXPECT_THAT(ardent("locate s.npy --noise 1 --gain 1 --read-noise 0").err,
              HasSubstr("--noise belongs to --read-noise none"));
}

TEST_F(ImagingCommandTest, ProgressSaysWhatIsDone) {
  ASSERT_EQ(ardent("scene -o s.npy --sources 5 --size 90x60 --sigma 1.5 --seed 3").status, 0);
  const Outcome found = ardent("locate s.npy --sigma 1.5 --verbose");
  EXPECT_THAT(found.err, HasSubstr("search 1: tiles 1/"));
  EXPECT_THAT(found.err, HasSubstr("  sources "));
  EXPECT_THAT(found.err, testing::Not(HasSubstr("log evidence")));
  EXPECT_THAT(found.err, testing::Not(HasSubstr("active")));
}

TEST_F(ImagingCommandTest, SweepWritesItsTable) {
  ASSERT_EQ(ardent("scene -o s.npy --clean c.npy --truth t.csv --snr 10 --seed 2").status, 0);
  const Outcome found = ardent(
      "locate s.npy --background none --lambda sweep --sweep-count 5 --table w.csv --truth t.csv "
      "--reference c.npy -o f.csv --json");
  ASSERT_EQ(found.status, 0) << found.err;
  const std::string table = slurp(path("w.csv"));
  EXPECT_THAT(table,
              testing::StartsWith("lambda,ratio,over_noise,sources,bic,psnr,group_iou,chosen\n"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 6);
  EXPECT_THAT(table, HasSubstr(",true\n"));
  EXPECT_EQ(ardent("locate s.npy --background none --lambda 0.01,0.001 --table w2.csv").status, 0);
  EXPECT_EQ(
      ardent("denoise s.npy --background none --lambda sweep --sweep-count 3 -o d.npy").status, 0);
  EXPECT_THAT(ardent("locate s.npy --table w.csv").err, HasSubstr("--lambda sweep"));
  EXPECT_THAT(ardent("locate s.npy --lambda soon").err, HasSubstr("--lambda"));
  EXPECT_EQ(ardent("locate s.npy --lambda 0.01,-1").status, 2);
}

TEST_F(ImagingCommandTest, SampledDictionaryDependsOnItsSeed) {
  ASSERT_EQ(ardent("scene -o s.npy --truth t.csv --snr 20 --seed 2").status, 0);
  const std::string common =
      "locate s.npy --background none --dictionary uniform --atoms 2000 --refine off ";
  ASSERT_EQ(ardent(common + "--seed 1 -o a.csv").status, 0);
  ASSERT_EQ(ardent(common + "--seed 1 --threads 1 -o b.csv").status, 0);
  ASSERT_EQ(ardent(common + "--seed 2 -o c.csv").status, 0);
  EXPECT_EQ(slurp(path("a.csv")), slurp(path("b.csv")));
  EXPECT_NE(slurp(path("a.csv")), slurp(path("c.csv")));
  EXPECT_THAT(ardent("locate s.npy --dictionary normal --atoms 0").err, HasSubstr("atoms must be"));
}

TEST_F(ImagingCommandTest, StackIsSearchedWhereItIsAskedFor) {
  for (const char* name : {"s.fits", "s.npy"}) {
    const std::string file = name;
    ASSERT_EQ(ardent("scene -o " + file +
                     " --truth t.csv --clean c.npy --size 18x16x12 --sources 3 --sigma 1.5 --snr "
                     "10 --seed 3")
                  .status,
              0);
    EXPECT_THAT(slurp(path("t.csv")), testing::StartsWith("x,y,z,sigma_xy,sigma_z,flux\n"));
    const Outcome found = ardent("locate " + file + " --stack on --sigma 1.5 -o f.csv --json");
    ASSERT_EQ(found.status, 0) << found.err;
    EXPECT_EQ(found.json()["depth"], 12);
    EXPECT_TRUE(found.json()["background"].is_number());
    EXPECT_THAT(slurp(path("f.csv")),
                testing::StartsWith("x,y,z,sigma_xy,sigma_z,flux,flux_sd,probability,snr\n"));
    EXPECT_EQ(ardent("score-sources f.csv t.csv --radius 1 --json").json()["recall"], 1.0);
    const Outcome clean =
        ardent("denoise " + file + " --stack on --sigma 1.5 -o d.npy --reference c.npy --json");
    ASSERT_EQ(clean.status, 0) << clean.err;
    EXPECT_GT(clean.json()["psnr"], clean.json()["psnr_noisy"].get<double>() + 10);
    const Outcome flat = ardent("locate " + file);
    EXPECT_EQ(flat.status, 2);
    EXPECT_THAT(flat.err, HasSubstr("--stack on"));
  }
  ASSERT_EQ(ardent("scene -o flat.fits").status, 0);
  EXPECT_THAT(ardent("locate flat.fits --stack on").err, HasSubstr("a stack has three"));
  EXPECT_THAT(ardent("locate s.npy --stack on --overlay o.png").err,
              HasSubstr("--overlay belongs to --stack off; --stack is on"));
  EXPECT_THAT(ardent("scene -o s.png --size 18x16x12").err, HasSubstr(".npy"));
  EXPECT_EQ(ardent("scene -o s.npy --size 18x16x12x2").status, 2);
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
