// Telling data sets apart without keeping them.
#pragma once

#include <string>

#include "ardent/data/dataset.h"

namespace ardent {

/// 64 bits, as 16 hexadecimal digits, of a data set's features, labels and weights. Names and where
/// the data came from do not matter. Not against forgers: it is for telling mistakes.
std::string data_checksum(const Dataset& data);

}  // namespace ardent
