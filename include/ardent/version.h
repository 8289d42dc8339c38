#pragma once

#include <string>

#include "ardent/abi.h"

namespace ardent::ARDENT_V0 {

/// Of the library that the program is linked with: "MAJOR.MINOR.PATCH".
std::string version();

}  // namespace ardent::ARDENT_V0
