#include "ardent/imaging/image_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"
#include "ardent/data/bytes.h"
#include "ardent/data/npy.h"
#include "ardent/imaging/fits.h"
#include "ardent/imaging/png.h"

namespace ardent {
namespace {

Image parse_npy_image(const Bytes& bytes, Dimensions wanted) {
  const NumericArray array = parse_npy(bytes);
  const auto& shape = array.shape;
  const bool image = shape.size() == 2, stack = shape.size() == 3;
  if ((!image || wanted == Dimensions::stack) && (!stack || wanted == Dimensions::image)) {
    const bool is_stack = wanted == Dimensions::stack;
    throw InputError(fmt::format(
        "{}: {}, and this array has the shape ({}){}", bytes.name,
        is_stack ? "a stack has three dimensions (z, y, x)" : "an image has two dimensions",
        fmt::join(shape, ", "),
        stack ? ": give one plane of it, or search a stack (--stack on)" : ""));
  }
  const DenseRows rows = dense_rows(array, bytes.name, Missing::allowed);
  const auto values = rows.values.span();
  return {Index(shape.back()),
          Index(shape[shape.size() - 2]),
          {values.begin(), values.end()},
          {},
          stack ? Index(shape[0]) : 1};
}

std::string format_npy(const Image& image) {
  static_assert(std::endian::native == std::endian::little);
  std::string text = npy_header(
      "<f8", image.is_stack() ? fmt::format("({}, {}, {})", image.depth, image.height, image.width)
                              : fmt::format("({}, {})", image.height, image.width));
  text.append(reinterpret_cast<const char*>(image.pixels.data()),
              image.pixels.size() * sizeof(double));
  return text;
}

std::string format_by_name(const Image& image, const std::string& path) {
  if (path.ends_with(".fits") || path.ends_with(".fit")) return format_fits(image);
  if (path.ends_with(".npy")) return format_npy(image);
  if (image.is_stack()) {
    throw InputError(fmt::format("{}: a stack is written as .fits, .fit or .npy", path));
  }
  if (path.ends_with(".png")) return format_png(picture_of(image));
  throw InputError(fmt::format("{}: an image is written as .fits, .fit, .npy or .png", path));
}

}  // namespace

Image read_image(const std::string& path, const FitsExtension& extension, Dimensions wanted) {
  const Bytes bytes = load_bytes(path);
  const std::string_view text = bytes.text();
  const bool fits = is_fits(text), png = is_png(text) && wanted != Dimensions::stack;
  if (extension.is_given() && !fits && !text.empty()) {
    throw InputError(fmt::format("{}: only a FITS file has extensions to choose from", bytes.name));
  }
  if (text.empty()) throw InputError(fmt::format("{}: the file is empty", bytes.name));
  if (!fits && !png && !is_npy(text)) {
    throw InputError(fmt::format("{}: {}", bytes.name,
                                 wanted == Dimensions::stack ? "a stack is a FITS or NPY file"
                                                             : "no FITS, PNG or NPY file"));
  }
  Image image = fits  ? parse_fits(text, bytes.name, extension, wanted)
                : png ? parse_png(text, bytes.name)
                      : parse_npy_image(bytes, wanted);
  if (known_pixels(image) == 0) {
    throw InputError(fmt::format("{}: none of the {} is a number", bytes.name, size_text(image)));
  }
  return image;
}

Image read_image_part(const std::string& text) {
  const std::size_t open = text.rfind('[');
  if (open != std::string::npos && text.back() == ']') {
    const std::string part = text.substr(open + 1, text.size() - open - 2);
    const FitsExtension extension = extension_of(part);
    const bool is_name = !part.empty() && std::ranges::all_of(part, [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_' || c == '-';
    });
    if (extension.number >= 0 || (extension.number == -1 && is_name)) {
      return read_image(text.substr(0, open), extension, Dimensions::either);
    }
  }
  return read_image(text, -1, Dimensions::either);
}

void write_image(const Image& image, const std::string& path) {
  const std::string contents = format_by_name(image, path);
  AtomicFile file(path);
  file.write(contents);
  file.commit();
}

}  // namespace ardent
