#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "ardent/imaging/image_file.h"
#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::HasSubstr;
using AstronomyCommandTest = CommandTest;

TEST_F(AstronomyCommandTest, DetailsMagnitudesAndMapsAreWrittenWhereAsked) {
  ASSERT_EQ(
      ardent("scene -o s.fits --sources 3 --size 40x40 --sigma 1.5 --background 5 --seed 3").status,
      0);
  const Outcome done = ardent(
      "locate s.fits --sigma 1.5 --details on --zero-point 25 -o c.csv --background-map b.npy "
      "--residual-map r.npy --rms-map n.fits --json");
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(slurp(path("c.csv")), testing::StartsWith("x,y,sigma,flux,flux_sd,probability,snr,"
                                                        "mag,mag_sd,x_sd,y_sd,sigma_sd,cov_xy,"));
  const nlohmann::json json = nlohmann::json::parse(done.out);
  const double mean_sd = std::sqrt(json["noise_variance"].get<double>());
  const Image image = read_image(path("s.fits")), background = read_image(path("b.npy")),
              left = read_image(path("r.npy")), rms = read_image(path("n.fits"));
  EXPECT_NEAR(background.at(3, 3), 5, 0.1);
  EXPECT_NEAR(rms.at(3, 3), mean_sd, 1e-6 * mean_sd);
  double squares = 0;
  for (const double value : left.pixels) squares += value * value / 1600;
  EXPECT_NEAR(squares, mean_sd * mean_sd, 0.15 * mean_sd * mean_sd);
  for (const nlohmann::json& source : json["sources"]) {
    EXPECT_GT(source["x_sd"], 0.0);
    EXPECT_LT(source["x_sd"], 1.0);
    EXPECT_NEAR(source["sky"].get<double>(), background.at(3, 3), 1e-9);
  }
}

TEST_F(AstronomyCommandTest, ExtensionsHaveNumbersAndNames) {
  ASSERT_EQ(ardent("scene -o s.fits --sources 1 --size 30x30 --sigma 1.5 --snr 20 --seed 3").status,
            0);
  const std::string primary = slurp(path("s.fits"));
  // The same image again as an extension SCI: its first card is another, and it has a name.
  std::string extension = primary;
  const auto set_card = [&](std::size_t at, std::string card) {
    card.resize(80, ' ');
    extension.replace(at, 80, card);
  };
  set_card(0, "XTENSION= 'IMAGE   '");
  const std::size_t end = extension.find("EXTEND  =");
  ASSERT_NE(end, std::string::npos);
  set_card(end, "EXTNAME = 'SCI     '");
  write("two.fits", primary + extension);
  const std::string locate = "locate two.fits --sigma 1.5 --json";
  const nlohmann::json first = nlohmann::json::parse(ardent(locate).out);
  for (const char* choice : {" --extension 1", " --extension SCI", " --extension sci"}) {
    const Outcome done = ardent(locate + choice);
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(nlohmann::json::parse(done.out)["sources"], first["sources"]);
  }
  const Outcome refused = ardent(locate + " --extension ERR");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("two.fits: has no extension named ERR"));
  EXPECT_EQ(ardent(locate + " --error-map two.fits[SCI]").status, 0);
}

}  // namespace
}  // namespace ardent::cli_test
