// Does a model make sense? Asked before one is written and after one is read.
#pragma once

#include "ardent/model/model.h"

namespace ardent {

/// Throws InputError naming the first thing that contradicts another: sizes, orders, ranges,
/// numbers that are not finite. A model that passes can be predicted with safely.
void check_model(const Model& model);

}  // namespace ardent
