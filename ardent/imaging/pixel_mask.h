// Pixels that the user knows to be bad: a mask, data quality flags, an error map without a number.
#pragma once

#include "ardent/imaging/locate_options.h"

namespace ardent {

/// Makes a known pixel missing (NaN) where the mask has one of the bits that count (any value but 0
/// where all do, a missing one included), or where the error map is no number above 0; how many?
/// InputError where mask or error map is not as large as the image.
Index leave_out_masked(Image& image, const LocateOptions& options);

}  // namespace ardent
