// Classes and coding options of a dictionary model in its file.
#pragma once

#include "ardent/model/array_file.h"
#include "ardent/model/model.h"

namespace ardent {

void add_dictionary(ArrayFileWriter& file, const Basis& basis);
/// What the numbers mean is not checked (see check_model).
void read_dictionary(const ArrayFile& file, Basis& basis);

}  // namespace ardent
