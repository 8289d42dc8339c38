#include "ardent/imaging/image_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "ardent/base/error.h"
#include "ardent/imaging/catalogue.h"
#include "ardent/imaging/fits.h"
#include "ardent/imaging/png.h"
#include "ardent/imaging/scene.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

class ImageFile : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return files_.path(name); }
  std::string write(const std::string& name, std::string_view bytes) const {
    return files_.write(name, bytes);
  }
  static std::string refusal(const std::string& path, Index extension = -1) {
    try {
      read_image(path, extension);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  TemporaryFiles files_;
};

/// A FITS file of its own, card by card: independent of the library that reads it.
std::string fits_by_hand(const std::vector<std::string>& cards, std::string data) {
  std::string text;
  for (std::string card : cards) {
    card.resize(80, ' ');
    text += card;
  }
  std::string end = "END";
  end.resize(80, ' ');
  text += end;
  text.resize((text.size() + 2879) / 2880 * 2880, ' ');
  data.resize((data.size() + 2879) / 2880 * 2880, '\0');
  return text + data;
}

std::vector<std::string> cards_of(int bits, int width, int height) {
  return {
      "SIMPLE  =                    T", "BITPIX  = " + std::string(16, ' ') + std::to_string(bits),
      "NAXIS   =                    2", "NAXIS1  = " + std::string(18, ' ') + std::to_string(width),
      "NAXIS2  = " + std::string(18, ' ') + std::to_string(height)};
}

TEST_F(ImageFile, FitsIntegersAreScaledAndBlankIsMissing) {
  auto cards = cards_of(16, 3, 2);
  cards.insert(cards.end(), {"BSCALE  =                  0.5", "BZERO   =                100.0",
                             "BLANK   =               -32768", "OBJECT  = 'M 31    '",
                             "odd card without any value"});
  const std::string data("\x00\x02\x00\x04\xff\xfe\x80\x00\x00\x00\x01\x00", 12);
  const Image image = read_image(write("a.fits", fits_by_hand(cards, data)));
  ASSERT_EQ(image.width, 3);
  ASSERT_EQ(image.height, 2);
  EXPECT_EQ(image.at(1, 1), 101);
  EXPECT_EQ(image.at(2, 1), 102);
  EXPECT_EQ(image.at(3, 1), 99);
  EXPECT_TRUE(std::isnan(image.at(1, 2)));
  EXPECT_EQ(image.at(3, 2), 228);
  EXPECT_THAT(image.header, Contains(HasSubstr("M 31")));
  EXPECT_THAT(image.header, testing::Not(Contains(HasSubstr("BSCALE"))));
}

TEST_F(ImageFile, HeaderAndPixelsSurviveFitsAndNpy) {
  Image image = make_scene({.width = 17, .height = 9, .seed = 2}).image;
  image.pixels[5] = std::nan("");
  image.header = {"OBJECT  = 'field 7 '           / target", "COMMENT as it came"};
  for (const char* name : {"b.fits", "b.npy"}) {
    write_image(image, path(name));
    const Image again = read_image(path(name));
    ASSERT_EQ(again.width, 17);
    ASSERT_EQ(again.height, 9);
    for (std::size_t k = 0; k < image.pixels.size(); ++k) {
      if (k == 5) {
        EXPECT_TRUE(std::isnan(again.pixels[k]));
      } else {
        EXPECT_NEAR(again.pixels[k], image.pixels[k], 1e-6 * std::abs(image.pixels[k]));
      }
    }
    if (std::string(name) == "b.fits") {
      EXPECT_THAT(again.header,
                  AllOf(Contains(HasSubstr("field 7")), Contains(HasSubstr("as it came"))));
    }
  }
}

// Rows (from the top) 1 2 3 and 40 50 255; 1 258 65535 and 4 5 6.
constexpr char kGrey8[] =
    "\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x03\x00\x00\x00"
    "\x02\x08\x00\x00\x00\x00\xb8\x1f\x39\xc6\x00\x00\x00\x10\x49\x44\x41\x54\x78\x9c\x63\x60\x64"
    "\x62\x66\xd0\x30\xfa\x0f\x00\x02\x05\x01\x60\xb0\xf7\x23\x4e\x00\x00\x00\x00\x49\x45\x4e\x44"
    "\xae\x42\x60\x82";
constexpr char kGrey16[] =
    "\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x03\x00\x00\x00"
    "\x02\x10\x00\x00\x00\x00\xe8\x8f\xe5\x85\x00\x00\x00\x16\x49\x44\x41\x54\x78\x9c\x63\x60\x60"
    "\x64\x64\xfa\xff\x9f\x81\x81\x85\x81\x95\x81\x0d\x00\x11\x51\x02\x12\x69\x44\xfa\x73\x00\x00"
    "\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82";

TEST_F(ImageFile, PngIsReadWithItsFirstRowOnTop) {
  const Image eight = read_image(write("8.png", {kGrey8, sizeof kGrey8 - 1}));
  EXPECT_THAT(eight.pixels, testing::ElementsAre(40, 50, 255, 1, 2, 3));
  const Image sixteen = read_image(write("16.png", {kGrey16, sizeof kGrey16 - 1}));
  EXPECT_THAT(sixteen.pixels, testing::ElementsAre(4, 5, 6, 1, 258, 65535));
}

TEST_F(ImageFile, PngInColourIsRefusedWithItsSize) {
  Image image = blank_image(3, 2);
  image.pixels = {0, 0.25, 1, 1, 1, 1};
  write_image(image, path("c.png"));
  // Our own pictures are in colour: as input they are refused.
  EXPECT_THAT(refusal(path("c.png")), AllOf(HasSubstr("colour"), HasSubstr("3 × 2")));
}

TEST_F(ImageFile, DamagedAndUnsuitableFilesAreRefusedForWhatTheyAre) {
  EXPECT_THAT(refusal(write("empty.fits", "")), HasSubstr("empty"));
  EXPECT_THAT(refusal(write("text.fits", "x,y\n1,2\n")), HasSubstr("no FITS, PNG or NPY"));
  EXPECT_THAT(refusal(path("absent.fits")), HasSubstr("absent.fits"));
  const std::string whole = fits_by_hand(cards_of(-64, 20, 40), std::string(6400, '\1'));
  EXPECT_THAT(refusal(write("cut.fits", whole.substr(0, 2880 + 2000))), HasSubstr("cut off"));
  EXPECT_NE(refusal(write("header.fits", whole.substr(0, 400))), "accepted");
  auto cube = cards_of(8, 2, 2);
  cube[2] = "NAXIS   =                    3";
  cube.push_back("NAXIS3  =                    2");
  EXPECT_THAT(refusal(write("cube.fits", fits_by_hand(cube, "12345678"))),
              AllOf(HasSubstr("3 dimensions"), HasSubstr("2 × 2 × 2")));
  const std::string nan(4 * 8, '\xff');  // all bits: a NaN
  EXPECT_THAT(refusal(write("nan.fits", fits_by_hand(cards_of(-64, 2, 2), nan))),
              HasSubstr("none of the 2 × 2 pixels"));
  EXPECT_THAT(refusal(write("e.fits", fits_by_hand(cards_of(8, 2, 2), "abcd")), 3),
              HasSubstr("extensions 0 to 0, not 3"));
  EXPECT_THAT(refusal(write("cut.png", "\x89PNG\r\n\x1a\nIHDR")), HasSubstr("damaged PNG"));
  Image image = blank_image(2, 2);
  EXPECT_THROW(write_image(image, path("a.tiff")), InputError);
}

TEST_F(ImageFile, FitsCutOffAtAnyPlaceNeverCrashes) {
  const std::string whole = fits_by_hand(cards_of(16, 9, 7), std::string(126, '\2'));
  for (std::size_t size = 0; size < whole.size(); size += 37) {
    refusal(write("cut.fits", whole.substr(0, size)));
  }
  EXPECT_EQ(refusal(write("cut.fits", whole)), "accepted");
}

TEST_F(ImageFile, CatalogueKeepsEveryDigitAndMayBeEmpty) {
  const std::vector<Source> sources = make_scene({.sources = 5, .seed = 9}).truth;
  write_catalogue(sources, path("s.csv"));
  const std::vector<Source> again = read_catalogue(path("s.csv"));
  ASSERT_EQ(again.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(again[k].x, sources[k].x);
    EXPECT_EQ(again[k].y, sources[k].y);
    EXPECT_EQ(again[k].sigma, sources[k].sigma);
    EXPECT_EQ(again[k].flux, sources[k].flux);
  }
  write_catalogue(std::vector<Source>{}, path("none.csv"));
  EXPECT_TRUE(read_catalogue(path("none.csv")).empty());
  EXPECT_EQ(read_catalogue(write("two.csv", "snr,Y,x\n7,2,1\n8,4,3\n"))[1].y, 4);
  EXPECT_THROW(read_catalogue(write("bad.csv", "x,z\n1,2\n")), InputError);
  EXPECT_THROW(read_catalogue(write("bad.csv", "x,y\n1,a\n")), InputError);
}

}  // namespace
}  // namespace ardent
