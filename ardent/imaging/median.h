// The middle of a sample, and how far its values lie from it.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace ardent {

constexpr double kNormalDeviation = 1.482602218505602;  // over the median absolute one

/// Values that need not be in memory together: calls `visit` with some of them at a time, with the
/// same ones in every call.
using SomeValues = std::function<void(std::span<const double>)>;
using Values = std::function<void(const SomeValues& visit)>;

/// Of an even number of values the mean of the two in the middle. At least one value.
double median(std::vector<double> values);

/// The same, NaN if there are none. More than four million are visited several times: those in the
/// part of their range that holds the middle, until they are few.
double median_of(const Values& values);

/// Standard deviation of a normal sample from the median of |value − centre|.
double deviation_about(const std::vector<double>& values, double centre);

/// The median after three times leaving out what is farther from it than three standard deviations;
/// NaN if no value is known.
double clipped_median(const std::vector<double>& values);
double clipped_median_of(const Values& values);

}  // namespace ardent
