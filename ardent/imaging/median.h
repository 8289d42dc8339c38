// The middle of a sample, and how far its values lie from it.
#pragma once

#include <vector>

namespace ardent {

constexpr double kNormalDeviation = 1.482602218505602;  // over the median absolute one

/// Of an even number of values the mean of the two in the middle. At least one value.
double median(std::vector<double> values);

/// Standard deviation of a normal sample from the median of |value − centre|.
double deviation_about(const std::vector<double>& values, double centre);

/// The median after three times leaving out what is farther from it than three standard deviations;
/// NaN if no value is known.
double clipped_median(std::vector<double> values);

}  // namespace ardent
