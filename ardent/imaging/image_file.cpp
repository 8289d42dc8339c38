#include "ardent/imaging/image_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

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
    throw InputError(fmt::format(
        "{}: an image has two dimensions, and this array has the shape ({}){}", bytes.name,
        fmt::join(array.shape, ", "),
        array.shape.size() == 3 ? ": give one plane of it, or search a stack (--stack on)" : ""));
  }
  const DenseRows rows = dense_rows(array, bytes.name, Missing::allowed);
  const auto values = rows.values.span();
  return {rows.cols, rows.rows, {values.begin(), values.end()}};
}

Stack parse_npy_stack(const Bytes& bytes) {
  const NumericArray array = parse_npy(bytes);
  if (array.shape.size() != 3) {
    throw InputError(
        fmt::format("{}: a stack has three dimensions (z, y, x), and this array has the shape ({})",
                    bytes.name, fmt::join(array.shape, ", ")));
  }
  const auto depth = static_cast<Index>(array.shape[0]),
             height = static_cast<Index>(array.shape[1]),
             width = static_cast<Index>(array.shape[2]);
  const DenseRows rows = dense_rows(array, bytes.name, Missing::allowed);
  const auto values = rows.values.span();
  return {width, height, depth, {values.begin(), values.end()}, {}};
}

std::string format_npy(const std::string& shape, const std::vector<double>& values) {
  static_assert(std::endian::native == std::endian::little);
  std::string text = npy_header("<f8", shape);
  text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  return text;
}

std::string format_by_name(const Image& image, const std::string& path) {
  if (path.ends_with(".fits") || path.ends_with(".fit")) return format_fits(image);
  if (path.ends_with(".npy")) {
    return format_npy(fmt::format("({}, {})", image.height, image.width), image.pixels);
  }
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

Image read_image_part(const std::string& text) {
  const std::size_t open = text.rfind('[');
  Index part = 0;
  if (open == std::string::npos || text.back() != ']') return read_image(text);
  const char* end = text.data() + text.size() - 1;
  const auto parsed = std::from_chars(text.data() + open + 1, end, part);
  if (parsed.ec != std::errc() || parsed.ptr != end || part < 0) return read_image(text);
  return read_image(text.substr(0, open), part);
}

void write_image(const Image& image, const std::string& path) {
  const std::string contents = format_by_name(image, path);
  AtomicFile file(path);
  file.write(contents);
  file.commit();
}

Stack read_stack(const std::string& path, Index extension) {
  const Bytes bytes = load_bytes(path);
  const std::string_view text = bytes.text();
  if (!is_fits(text) && !is_npy(text)) {
    throw InputError(fmt::format("{}: a stack is a FITS or NPY file", bytes.name));
  }
  Stack stack =
      is_fits(text) ? parse_fits_stack(text, bytes.name, extension) : parse_npy_stack(bytes);
  if (std::ranges::all_of(stack.voxels, [](double value) { return std::isnan(value); })) {
    throw InputError(fmt::format("{}: none of the {} × {} × {} voxels is a number", bytes.name,
                                 stack.width, stack.height, stack.depth));
  }
  return stack;
}

void write_stack(const Stack& stack, const std::string& path) {
  std::string contents;
  if (path.ends_with(".fits") || path.ends_with(".fit")) {
    contents = format_fits(stack);
  } else if (path.ends_with(".npy")) {
    contents = format_npy(fmt::format("({}, {}, {})", stack.depth, stack.height, stack.width),
                          stack.voxels);
  } else {
    throw InputError(fmt::format("{}: a stack is written as .fits, .fit or .npy", path));
  }
  AtomicFile file(path);
  file.write(contents);
  file.commit();
}

}  // namespace ardent
