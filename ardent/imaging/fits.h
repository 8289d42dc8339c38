// FITS images in memory, by CFITSIO, which is loaded by the first that is read or written.
#pragma once

#include <string>
#include <string_view>

#include "ardent/imaging/fits_extension.h"
#include "ardent/imaging/image.h"

namespace ardent {

bool is_fits(std::string_view contents);
/// As read_image (image_file.h); `name` is for messages.
Image parse_fits(std::string_view contents, const std::string& name, const FitsExtension& extension,
                 Dimensions wanted);
/// The bytes of a FITS file of 32-bit floats with the image's header cards.
std::string format_fits(const Image& image);

}  // namespace ardent
