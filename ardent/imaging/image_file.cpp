#include "ardent/imaging/image_file.h"

#include <fmt/format.h>

#include <bit>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"
#include "ardent/data/bytes.h"
#include "ardent/data/npy.h"
#include "ardent/imaging/fits.h"
#include "ardent/imaging/png.h"

namespace ardent {
namespace {

Image parse_npy_image(const Bytes& bytes) {
  const NumericArray array = parse_npy(bytes);
  if (array.shape.size() != 2) {
    throw InputError(
        fmt::format("{}: an image has two dimensions, and this array has the shape ({})",
                    bytes.name, fmt::join(array.shape, ", ")));
  }
  const DenseRows rows = dense_rows(array, bytes.name, Missing::allowed);
  const auto values = rows.values.span();
  return {rows.cols, rows.rows, {values.begin(), values.end()}};
}

std::string format_npy(const Image& image) {
  static_assert(std::endian::native == std::endian::little);
  std::string header = fmt::format(
      "{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", image.height, image.width);
  constexpr std::size_t kFixed = 10;
  header.append((64 - (kFixed + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  text += header;
  text.append(reinterpret_cast<const char*>(image.pixels.data()),
              image.pixels.size() * sizeof(double));
  return text;
}

std::string format_by_name(const Image& image, const std::string& path) {
  if (path.ends_with(".fits") || path.ends_with(".fit")) return format_fits(image);
  if (path.ends_with(".npy")) return format_npy(image);
  if (path.ends_with(".png")) return format_png(picture_of(image));
  throw InputError(fmt::format("{}: an image is written as .fits, .fit, .npy or .png", path));
}

}  // namespace

Image read_image(const std::string& path, Index extension) {
  const Bytes bytes = load_bytes(path);
  const std::string_view text = bytes.text();
  const bool fits = is_fits(text);
  if (extension >= 0 && !fits && !text.empty()) {
    throw InputError(fmt::format("{}: only a FITS file has extensions to choose from", bytes.name));
  }
  if (text.empty()) throw InputError(fmt::format("{}: the file is empty", bytes.name));
  if (!fits && !is_png(text) && !is_npy(text)) {
    throw InputError(fmt::format("{}: no FITS, PNG or NPY file", bytes.name));
  }
  Image image = fits           ? parse_fits(text, bytes.name, extension)
                : is_png(text) ? parse_png(text, bytes.name)
                               : parse_npy_image(bytes);
  if (known_pixels(image) == 0) {
    throw InputError(fmt::format("{}: none of the {} × {} pixels is a number", bytes.name,
                                 image.width, image.height));
  }
  return image;
}

void write_image(const Image& image, const std::string& path) {
  const std::string contents = format_by_name(image, path);
  AtomicFile file(path);
  file.write(contents);
  file.commit();
}

}  // namespace ardent
