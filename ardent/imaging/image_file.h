// Image files: FITS, PNG and NPY, by content when read and by name when written.
#pragma once

#include <string>

#include "ardent/imaging/fits_extension.h"
#include "ardent/imaging/image.h"

namespace ardent {

/// A greyscale image, or a stack of planes where it is wanted. InputError for a file that is none
/// of the three or is damaged, for colour, for other dimensions than are wanted (`extension`
/// chooses one of a FITS file, not a plane), for an image without pixels or without any that is a
/// number.
///   FITS  integers with BSCALE and BZERO, floats; BLANK and NaN are missing; the first one with an
///         image, or `extension`
///   PNG   8 or 16 bits, an alpha channel is ignored; the first row is the top, y = height; no
///   stack NPY   row i is y = i + 1; a stack has the shape (z, y, x)
Image read_image(const std::string& path, const FitsExtension& extension = {},
                 Dimensions wanted = Dimensions::image);

/// Either of "FILE" or "FILE[n]" or "FILE[NAME]", an extension of a FITS file, as CFITSIO's users
/// write it.
Image read_image_part(const std::string& text);

/// By the ending of the name: .fits or .fit (32-bit floats and the image's header), .npy (doubles),
/// .png (8 bits, the 0.5% and 99.5% quantiles black and white, missing pixels black; no stack). The
/// file appears whole or not at all.
void write_image(const Image& image, const std::string& path);

}  // namespace ardent
