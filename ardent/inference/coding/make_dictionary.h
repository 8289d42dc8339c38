// The dictionary of a data set: dense or sparse, as its rows are.
#pragma once

#include <memory>

#include "ardent/data/matrix.h"
#include "ardent/inference/coding/dictionary.h"

namespace ardent {

/// One atom per row of `atoms`. With `unit_norm`, atoms are scaled to length 1 (zero atoms stay
/// zero). InputError if there is no atom, no number in an atom, a number that is not finite, or
/// nothing but zeros.
std::unique_ptr<Dictionary> make_dictionary(const Features& atoms, bool unit_norm = false);

}  // namespace ardent
