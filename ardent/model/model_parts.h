// The parts of a model in its file. Numbers of all parts lie one after the other in a few arrays,
// so that a model of thousands of pairs still has a short index; the metadata of each part say how
// many numbers are its own.
#pragma once

#include <vector>

#include "ardent/base/container.h"
#include "ardent/model/model_frame.h"

namespace ardent {

/// Everything but the timings. Of a covariance the lower triangle is kept.
void add_parts(ContainerWriter& file, const std::vector<Part>& parts);

/// Sizes are checked against the arrays; what the numbers mean is not (see check_model).
std::vector<Part> read_parts(const Container& file);

/// An integer of the metadata; InputError if it is none or does not fit.
Index whole_number_of(const nlohmann::json& value);

}  // namespace ardent
