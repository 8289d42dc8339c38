// The report of a fit that is under way, in a checkpoint.
#pragma once

#include <vector>

#include "ardent/base/container.h"
#include "ardent/inference/posterior.h"

namespace ardent {

inline Buffer<double> buffer_of(const Vector& values) {
  return Buffer<double>::copy_of(std::vector<double>(values.begin(), values.end()));
}

/// Stages, their weights, warnings and the status.
void add_report(const Report& report, ContainerWriter& file);
/// They replace those of `report`.
void read_report(const Container& file, Report& report);

}  // namespace ardent
