// Where the lanes of a ridge are, in a checkpoint.
//
// Kept are a and b; f = PhiPhiᵀa + b follows from them. So a row takes eight bytes a lane.
#pragma once

#include <string>

#include "ardent/base/container.h"
#include "ardent/inference/path/lockstep_ridge.h"

namespace ardent {

void add_point(const std::string& name, const RidgePoint& point, ContainerWriter& file);
RidgePoint read_point(const std::string& name, const Design& phi, const Container& file);

}  // namespace ardent
