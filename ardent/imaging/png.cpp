#include "ardent/imaging/png.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ardent/base/error.h"

namespace ardent {
namespace {

/// libpng reports an error by a jump that runs no destructors: everything it may leave behind is
/// held here, outside of the functions that are jumped out of.
struct Reading {
  std::string_view rest;
  std::string message;
  png_structp png = nullptr;
  png_infop info = nullptr;
  png_uint_32 width = 0, height = 0;
  int depth = 0, colour = 0;

  ~Reading() { png_destroy_read_struct(&png, &info, nullptr); }
};

void on_error(png_structp png, png_const_charp message) {
  static_cast<Reading*>(png_get_error_ptr(png))->message = message;
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep out, png_size_t count) {
  auto* reading = static_cast<Reading*>(png_get_io_ptr(png));
  if (count > reading->rest.size()) png_error(png, "it is cut off");
  std::memcpy(out, reading->rest.data(), count);
  reading->rest.remove_prefix(count);
}

bool read_header(Reading& reading) {
  if (setjmp(png_jmpbuf(reading.png))) return false;
  png_set_read_fn(reading.png, &reading, on_read);
  png_read_info(reading.png, reading.info);
  png_get_IHDR(reading.png, reading.info, &reading.width, &reading.height, &reading.depth,
               &reading.colour, nullptr, nullptr, nullptr);
  if (reading.colour & PNG_COLOR_MASK_COLOR) return true;
  if (reading.depth < 8) png_set_expand_gray_1_2_4_to_8(reading.png);
  png_set_strip_alpha(reading.png);
  png_set_interlace_handling(reading.png);
  png_read_update_info(reading.png, reading.info);
  return true;
}

bool read_pixels(Reading& reading, png_bytepp rows) {
  if (setjmp(png_jmpbuf(reading.png))) return false;
  png_read_image(reading.png, rows);
  return true;
}

void on_write(png_structp png, png_bytep bytes, png_size_t count) {
  static_cast<std::string*>(png_get_io_ptr(png))
      ->append(reinterpret_cast<const char*>(bytes), count);
}

bool write_rows(png_structp png, png_infop info, const Picture& picture, std::string& out) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_write_fn(png, &out, on_write, [](png_structp) {});
  png_set_IHDR(png, info, static_cast<png_uint_32>(picture.width),
               static_cast<png_uint_32>(picture.height), 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  for (Index y = 0; y < picture.height; ++y) {
    png_write_row(png, picture.rgb.data() + 3 * y * picture.width);
  }
  png_write_end(png, nullptr);
  return true;
}

}  // namespace

bool is_png(std::string_view contents) {
  return contents.starts_with("\x89PNG\r\n\x1a\n");
}

Image parse_png(std::string_view contents, const std::string& name) {
  Reading reading;
  reading.rest = contents;
  reading.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, on_error, on_warning);
  if (reading.png) reading.info = png_create_info_struct(reading.png);
  if (!reading.info) throw Error("libpng has no memory");
  if (!read_header(reading)) {
    throw InputError(fmt::format("{}: a damaged PNG file: {}", name, reading.message));
  }
  if (reading.colour & PNG_COLOR_MASK_COLOR) {
    throw InputError(fmt::format(
        "{}: a PNG file in colour ({} × {} pixels): make it grey first, by the channel or the mean "
        "that you want measured",
        name, reading.width, reading.height));
  }
  const std::size_t bytes = png_get_rowbytes(reading.png, reading.info);
  std::vector<png_byte> all(bytes * reading.height);
  std::vector<png_bytep> rows(reading.height);
  for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = all.data() + y * bytes;
  if (!read_pixels(reading, rows.data())) {
    throw InputError(fmt::format("{}: a damaged PNG file: {}", name, reading.message));
  }
  Image image = blank_image(reading.width, reading.height);
  for (Index y = 1; y <= image.height; ++y) {
    const png_byte* row = rows[image.height - y];
    for (Index x = 1; x <= image.width; ++x) {
      image.at(x, y) = reading.depth == 16 ? 256.0 * row[2 * x - 2] + row[2 * x - 1] : row[x - 1];
    }
  }
  return image;
}

std::string format_png(const Picture& picture) {
  std::string out;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, on_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  const bool done = info && write_rows(png, info, picture, out);
  png_destroy_write_struct(&png, &info);
  if (!done) throw Error("a PNG picture could not be made");
  return out;
}

Picture picture_of(const Image& image, Index zoom, double low, double high) {
  std::vector<double> sorted;
  for (const double value : image.pixels) {
    if (!std::isnan(value)) sorted.push_back(value);
  }
  std::sort(sorted.begin(), sorted.end());
  const auto quantile = [&](double fraction) {
    if (sorted.empty()) return 0.0;
    return sorted[fraction * static_cast<double>(sorted.size() - 1)];
  };
  const double black = quantile(low), white = quantile(high);
  Picture picture{image.width * zoom, image.height * zoom, {}};
  picture.rgb.resize(3 * picture.width * picture.height);
  for (Index row = 0; row < picture.height; ++row) {
    for (Index column = 0; column < picture.width; ++column) {
      const double value = image.at(column / zoom + 1, image.height - row / zoom);
      const double fraction = white > black ? (value - black) / (white - black) : 0.5;
      const double grey =
          std::isnan(fraction) ? 0 : 255 * std::sqrt(std::clamp(fraction, 0.0, 1.0));
      auto* pixel = picture.rgb.data() + 3 * (row * picture.width + column);
      std::fill(pixel, pixel + 3, static_cast<std::uint8_t>(std::lround(grey)));
    }
  }
  return picture;
}

}  // namespace ardent
