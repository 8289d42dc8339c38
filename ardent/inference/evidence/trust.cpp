#include "ardent/inference/evidence/trust.h"

#include <fmt/format.h>

#include <string_view>

#include "ardent/inference/evidence/noise_prior.h"

namespace ardent {
namespace {

constexpr double kUsedUp = 0.9, kNotTrusted = 0.5;

constexpr std::string_view kRemedy =
    "give fewer columns or more rows, a wider kernel, or a price per column (support-prior "
    "beta-binomial)";

}  // namespace

void warn_of_overfit(const SpentRows& fit, std::vector<std::string>& warnings) {
  const std::string_view what =
      fit.square_sum ? "intervals are too narrow" : "probabilities are too sure";
  if (fit.spent >= kUsedUp * fit.rows) {
    warnings.push_back(
        fmt::format("the weights use up the data ({:.0f} of {:g} rows): the fit is no better than "
                    "its noise, and its {}; {}",
                    fit.spent, fit.rows, what, kRemedy));
  } else if (fit.spent >= kNotTrusted * fit.rows) {
    warnings.push_back(
        fmt::format("the weights use up {:.0f} of {:g} rows, and the rest is not enough to learn "
                    "the noise from: its {}; {}",
                    fit.spent, fit.rows, what, kRemedy));
  }
  if (fit.square_sum && *fit.square_sum <= kNoisePriorSquares) {
    warnings.push_back(
        fmt::format("the target is fitted perfectly: the noise variance is that of its prior, {:g} "
                    "of the target's variance in all rows together, "
                    "not of the data; look for a column that gives the target away, or treat the "
                    "intervals as unknown",
                    kNoisePriorSquares));
  }
}

}  // namespace ardent
