// Data as LIBSVM text: "label index:value …", indices from 1, zeros left out.
#pragma once

#include <string>

#include "ardent/data/dataset.h"

namespace ardent {

/// Written whole or not at all. Numbers have the fewest digits that read back to the same bits
/// (float32 of sparse rows, double of dense ones). Labels are spelt as they were read. The format
/// has no place for feature names, nor for the number of columns where the last ones are empty.
/// InputError if there are no labels, or text labels that such a file cannot hold.
void write_libsvm(const Dataset& data, const std::string& path);

}  // namespace ardent
