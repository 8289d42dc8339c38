#include "ardent/inference/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "ardent/base/error.h"
#include "ardent/estimators/engine_by_name.h"
#include "ardent/inference/engines/diagonal.h"
#include "ardent/inference/engines/exact.h"

namespace ardent {
namespace {

std::string complaint(const EngineOptions& options) {
  try {
    validate(options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Engine, DefaultsAreValid) {
  EXPECT_EQ(complaint({}), "");
}

TEST(Engine, WrongOptionsAreRefusedWithFieldRuleAndValue) {
  EXPECT_EQ(complaint({.bias_precision = 0}), "bias_precision must be finite and > 0, not 0");
  EXPECT_EQ(complaint({.alpha_init = -1}), "alpha_init must be a number > 0, not '-1'");
  EXPECT_EQ(complaint({.alpha_init = 1, .alpha_max = 0.5}),
            "alpha_max must be > alpha_init, not 0.5");
  EXPECT_EQ(complaint({.tolerance = std::numeric_limits<double>::quiet_NaN()}),
            "tolerance must be auto or a number > 0, not 'nan'");
  EXPECT_EQ(complaint({.max_stages = -1}), "max_stages must be a whole number >= 0, not '-1'");
  EXPECT_EQ(complaint({.newton_tolerance = 0}), "newton_tolerance must be finite and > 0, not 0");
  EXPECT_EQ(complaint({.max_newton = -3}), "max_newton must be >= 1, not -3");
}

TEST(Engine, NamesAreKnown) {
  EXPECT_EQ(engine_by_name("exact"), &fit_exact);
  EXPECT_EQ(engine_by_name("diagonal"), &fit_diagonal);
}

TEST(Engine, AnUnknownNameListsTheKnownOnes) {
  try {
    engine_by_name("exotic");
    FAIL() << "no exception";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("exotic"));
    EXPECT_THAT(error.what(), testing::HasSubstr("exact, diagonal"));
  }
}

}  // namespace
}  // namespace ardent
