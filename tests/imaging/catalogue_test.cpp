#include "ardent/imaging/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "ardent/base/error.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::vector<Detection> kFound = {{{10.25, 20.5, 1.5, 100}, 2, 0.999, 50, {}},
                                       {{3, 4, 2, 0.1}, 0.05, 0.75, 2, {}}};

class Catalogue : public testing::Test {
 protected:
  std::string contents(const std::string& name) const {
    std::ifstream file(files_.path(name), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  TemporaryFiles files_;
};

/// A binary table read by the standard alone: cards of 80 characters, blocks of 2880, doubles with
/// the first byte first.
struct FitsTable {
  std::map<std::string, std::string> cards;
  std::vector<std::vector<double>> rows;

  explicit FitsTable(const std::string& bytes) {
    constexpr std::size_t kBlock = 2880, kCard = 80;
    std::size_t at = kBlock;  // the primary part: a header without data
    EXPECT_THAT(bytes, StartsWith("SIMPLE  =                    T"));
    for (bool end = false; !end; at += kCard) {
      const std::string card = bytes.substr(at, kCard);
      end = card.starts_with("END ");
      std::string value = card.substr(10, card.find('/') - 10);
      std::erase_if(value, [](char c) { return c == ' ' || c == '\''; });
      std::string key = card.substr(0, 8);
      key.erase(key.find_last_not_of(' ') + 1);
      cards[key] = value;
    }
    at = (at + kBlock - 1) / kBlock * kBlock;
    EXPECT_EQ(bytes.size() % kBlock, 0u);
    for (int row = 0; row < std::stoi(cards["NAXIS2"]); ++row) {
      rows.emplace_back();
      for (int k = 0; k < std::stoi(cards["TFIELDS"]); ++k, at += 8) {
        std::uint64_t bits = 0;
        for (std::size_t b = 0; b < 8; ++b) {
          bits = bits << 8 | static_cast<unsigned char>(bytes.at(at + b));
        }
        rows.back().push_back(std::bit_cast<double>(bits));
      }
    }
  }
};

TEST_F(Catalogue, FitsIsABinaryTable) {
  for (const char* name : {"c.fits", "c.fit", "c.FITS"}) {
    write_catalogue(kFound, files_.path(name));
    FitsTable table(contents(name));
    EXPECT_EQ(table.cards["XTENSION"], "BINTABLE");
    EXPECT_EQ(table.cards["EXTNAME"], "SOURCES");
    EXPECT_EQ(table.cards["PIXORIG"], "1");
    EXPECT_EQ(table.cards["TTYPE1"], "x");
    EXPECT_EQ(table.cards["TUNIT1"], "pix");
    EXPECT_EQ(table.cards["TTYPE7"], "snr");
    EXPECT_EQ(table.cards["TFORM7"], "1D");
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_THAT(table.rows[0], ElementsAre(10.25, 20.5, 1.5, 100, 2, 0.999, 50));
    EXPECT_THAT(table.rows[1], ElementsAre(3, 4, 2, 0.1, 0.05, 0.75, 2));
  }
  write_catalogue(std::vector<Detection>{}, files_.path("none.fits"));
  EXPECT_EQ(FitsTable(contents("none.fits")).cards["NAXIS2"], "0");
}

TEST_F(Catalogue, EcsvIsCsvBelowItsHeader) {
  write_catalogue(kFound, files_.path("c.csv"));
  write_catalogue(kFound, files_.path("c.ecsv"));
  const std::string text = contents("c.ecsv");
  EXPECT_THAT(text, StartsWith("# %ECSV 1.0\n# ---\n"));
  EXPECT_THAT(text, HasSubstr("# - {name: x, unit: pix, datatype: float64"));
  EXPECT_THAT(text, HasSubstr("# meta: {pixel_origin: 1}\n"));
  EXPECT_EQ(text.substr(text.find("\nx,y,") + 1), contents("c.csv"));
  EXPECT_EQ(contents("c.csv"),
            "x,y,sigma,flux,flux_sd,probability,snr\n10.25,20.5,1.5,100,2,0.999,50\n"
            "3,4,2,0.1,0.05,0.75,2\n");
  const std::vector<Source> read = read_catalogue(files_.path("c.ecsv"));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[1].flux, 0.1);
}

TEST_F(Catalogue, RegIsARegionFile) {
  write_catalogue(kFound, files_.path("c.reg"),
                  {.origin = 0});  // DS9 counts from 1 whatever is asked for
  EXPECT_THAT(contents("c.reg"), StartsWith("# Region file format: DS9"));
  EXPECT_THAT(contents("c.reg"), HasSubstr("circle(10.2500,20.5000,3.0000)"));
}

TEST_F(Catalogue, CountsFromTheOrigin) {
  write_catalogue(kFound, files_.path("c.csv"), {.origin = 0});
  EXPECT_THAT(contents("c.csv"), HasSubstr("\n9.25,19.5,1.5,100,"));
  write_catalogue(kFound, files_.path("c.fits"), {.origin = 0});
  FitsTable table(contents("c.fits"));
  EXPECT_EQ(table.cards["PIXORIG"], "0");
  EXPECT_EQ(table.rows[0][0], 9.25);
  const std::vector<Source> beads = {{3, 4, 1, 7, 5, 2}};
  write_catalogue(beads, files_.path("b.csv"), {.origin = 0, .stack = true});
  EXPECT_EQ(contents("b.csv"), "x,y,z,sigma_xy,sigma_z,flux\n2,3,4,1,2,7\n");
  const std::vector<Source> read = read_catalogue(files_.path("b.csv"));
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].z, 4);
  EXPECT_EQ(read[0].sigma, 1);
  EXPECT_EQ(read[0].sigma_z, 2);
}

TEST_F(Catalogue, VotableHasFieldsAndRows) {
  write_catalogue(kFound, files_.path("a.vot"));
  const std::string text = contents("a.vot");
  EXPECT_THAT(text, StartsWith("<?xml version=\"1.0\""));
  EXPECT_THAT(text, HasSubstr("<FIELD name=\"x\" datatype=\"double\" unit=\"pix\">"));
  EXPECT_THAT(text, HasSubstr("<TR><TD>10.25</TD><TD>20.5</TD><TD>1.5</TD><TD>100</TD><TD>2</TD>"
                              "<TD>0.999</TD><TD>50</TD></TR>"));
}

TEST_F(Catalogue, MagnitudesAndDetailsAreFurtherColumns) {
  CatalogueOptions options{.zero_point = 25};
  std::vector<Detection> found = kFound;
  found[1].source.flux = -1;
  options.details.resize(2);
  options.details[0] = {.x_sd = 0.5, .sky = 7, .chi_square = 1.25, .pixels = 9, .flags = 10};
  write_catalogue(found, files_.path("a.csv"), options);
  std::istringstream lines(contents("a.csv"));
  std::string head, first, second;
  std::getline(lines, head);
  std::getline(lines, first);
  std::getline(lines, second);
  EXPECT_EQ(head,
            "x,y,sigma,flux,flux_sd,probability,snr,mag,mag_sd,x_sd,y_sd,sigma_sd,cov_xy,"
            "cov_x_flux,cov_y_flux,sky,chi2,pixels,flags");
  // 25 − 2.5 log10(100) = 20, and 2.5/ln 10 · 2/100.
  EXPECT_THAT(first, StartsWith("10.25,20.5,1.5,100,2,0.999,50,20,0.0217147240951625"));
  EXPECT_THAT(first, testing::EndsWith(",0.5,0,0,0,0,0,7,1.25,9,10"));
  EXPECT_THAT(second, HasSubstr(",nan,nan,"));
}

TEST_F(Catalogue, OtherNamesAreRefused) {
  for (const char* name : {"c.txt", "c", "c.fits.gz", "c.dat", "csv"}) {
    EXPECT_THROW(write_catalogue(kFound, files_.path(name)), InputError) << name;
  }
  const std::vector<Detection> beads(1);
  EXPECT_THROW(write_catalogue(beads, files_.path("b.reg"), {.stack = true}), InputError);
  write_catalogue(beads, files_.path("b.fits"), {.stack = true});
  EXPECT_EQ(FitsTable(contents("b.fits")).cards["TTYPE3"], "z");
  EXPECT_THROW(read_catalogue(files_.path("b.fits")), InputError);
}

}  // namespace
}  // namespace ardent
