#include "ardent/imaging/cfitsio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ardent/base/error.h"

namespace ardent {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// What is said of a library, and that it is no mistake of the caller's.
std::string refusal(const char* library) {
  try {
    const Cfitsio loaded(library);
  } catch (const InputError&) {
    return "taken for wrong input";
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CfitsioLibrary, MissingNamesThePackageToInstall) {
  EXPECT_THAT(refusal("libcfitsio.so.0.not-installed"),
              AllOf(HasSubstr("FITS images need the library CFITSIO"),
                    HasSubstr("libcfitsio.so.0.not-installed: cannot open"),
                    HasSubstr("on Debian the package libcfitsio"), HasSubstr("PNG or NPY")));
}

TEST(CfitsioLibrary, OfAnotherKindNamesTheFunctionThatItLacks) {
  EXPECT_THAT(refusal("libz.so.1"), AllOf(HasSubstr("libz.so.1"), HasSubstr("undefined symbol"),
                                          HasSubstr("on Debian the package libcfitsio")));
}

TEST(CfitsioLibrary, IsLoadedOnceAndAnswers) {
  char text[FLEN_STATUS] = "";
  cfitsio().fits_get_errstatus(FILE_NOT_OPENED, text);
  EXPECT_STREQ(text, "could not open the named file");
  EXPECT_EQ(&cfitsio(), &cfitsio());
}

}  // namespace
}  // namespace ardent
