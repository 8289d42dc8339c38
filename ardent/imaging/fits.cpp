#include "ardent/imaging/fits.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "ardent/base/error.h"
#include "ardent/imaging/fits_memory.h"

namespace ardent {
namespace {

struct Layout {
  int type = 0;
  int dimensions = 0;
  LONGLONG size[9] = {0};

  /// Has it as many dimensions as `wanted`? More are no matter if they are 1 long.
  bool has(int wanted) const {
    for (int k = wanted; k < dimensions; ++k) {
      if (size[k] != 1) return false;
    }
    return dimensions >= wanted;
  }
  bool is(Dimensions wanted) const {
    return (wanted != Dimensions::stack && has(2)) || (wanted != Dimensions::image && has(3));
  }
  LONGLONG planes() const { return dimensions > 2 ? size[2] : 1; }
};

Layout layout_here(const MemoryFile& file) {
  Layout layout;
  int status = 0, kind = 0;
  cfitsio().fits_get_hdu_type(file.get(), &kind, &status);
  file.check(status, "has an extension that cannot be read");
  if (kind != IMAGE_HDU) return layout;
  cfitsio().fits_get_img_paramll(file.get(), 9, &layout.type, &layout.dimensions, layout.size,
                                 &status);
  file.check(status, "has an image whose size cannot be read");
  return layout;
}

/// The number of the extension of that name; -1 where neither is asked for.
Index number_of(const MemoryFile& file, const FitsExtension& extension, const std::string& name) {
  if (extension.name.empty()) return extension.number;
  int status = 0, number = 0;
  cfitsio().fits_movnam_hdu(file.get(), ANY_HDU, const_cast<char*>(extension.name.c_str()), 0,
                            &status);
  if (status != 0) {
    cfitsio().fits_clear_errmsg();
    throw InputError(fmt::format("{}: has no extension named {}", name, extension.name));
  }
  return cfitsio().fits_get_hdu_num(file.get(), &number) - 1;
}

/// Moves to the extension asked for, or to the first with an image, of so many dimensions.
Layout choose_extension(const MemoryFile& file, const FitsExtension& asked, Dimensions wanted,
                        const std::string& name) {
  const Index extension = number_of(file, asked, name);
  int status = 0, count = 0, kind = 0;
  cfitsio().fits_get_num_hdus(file.get(), &count, &status);
  file.check(status, "has extensions that cannot be counted");
  if (extension >= count) {
    throw InputError(fmt::format("{}: has extensions 0 to {}, not {}", name, count - 1, extension));
  }
  const Index first = extension >= 0 ? extension : 0;
  const Index last = extension >= 0 ? extension : count - 1;
  for (Index k = first; k <= last; ++k) {
    cfitsio().fits_movabs_hdu(file.get(), static_cast<int>(k) + 1, &kind, &status);
    file.check(status, "has an extension that cannot be read");
    const Layout layout = layout_here(file);
    if (layout.dimensions == 0) continue;
    if (layout.is(wanted)) return layout;
    throw InputError(
        fmt::format("{}: extension {} has {} dimensions ({} × {}{}), and {}", name, k,
                    layout.dimensions, layout.size[0], layout.size[1],
                    layout.dimensions > 2 ? fmt::format(" × {}", layout.size[2]) : "",
                    wanted == Dimensions::image
                        ? "an image has two: give one plane of it, or search a stack (--stack on)"
                        : "a stack has three"));
  }
  throw InputError(fmt::format("{}: there is no image in {}", name,
                               extension >= 0 ? fmt::format("extension {}", extension) : "it"));
}

/// Before any memory is taken for the pixels. (Of a compressed image the size says nothing.)
void check_whole(const MemoryFile& file, const Layout& layout, std::size_t size,
                 const std::string& name) {
  int status = 0;
  if (cfitsio().fits_is_compressed_image(file.get(), &status)) return;
  LONGLONG header = 0, data = 0, end = 0;
  cfitsio().fits_get_hduaddrll(file.get(), &header, &data, &end, &status);
  file.check(status, "has an image whose place cannot be read");
  const auto pixels = static_cast<std::size_t>(layout.size[0] * layout.size[1] * layout.planes());
  const auto each = static_cast<std::size_t>(std::abs(layout.type)) / 8;
  const auto needed = static_cast<std::size_t>(data) + pixels * each;
  if (needed <= size) return;
  throw InputError(
      fmt::format("{}: is cut off: its header promises {} × {} pixels of {} bytes, which need a "
                  "file of {} bytes, and it has {}",
                  name, layout.size[0], layout.size[1], each, needed, size));
}

bool about_layout(const char* card) {
  switch (cfitsio().fits_get_keyclass(const_cast<char*>(card))) {
    case TYP_STRUC_KEY:
    case TYP_CMPRS_KEY:
    case TYP_SCAL_KEY:
    case TYP_NULL_KEY:
    case TYP_DIM_KEY:
    case TYP_RANG_KEY:
    case TYP_CKSUM_KEY:
      return true;
    default:
      return false;
  }
}

std::vector<std::string> read_cards(const MemoryFile& file) {
  int status = 0, count = 0;
  cfitsio().fits_get_hdrspace(file.get(), &count, nullptr, &status);
  std::vector<std::string> cards;
  for (int k = 1; k <= count; ++k) {
    char card[FLEN_CARD];
    status = 0;
    cfitsio().fits_read_record(file.get(), k, card, &status);
    if (status == 0 && !about_layout(card)) cards.emplace_back(card);  // odd cards are no reason
  }
  cfitsio().fits_clear_errmsg();
  return cards;
}

}  // namespace

bool is_fits(std::string_view contents) {
  return contents.starts_with("SIMPLE  =");
}

Image parse_fits(std::string_view contents, const std::string& name, const FitsExtension& extension,
                 Dimensions wanted) {
  const MemoryFile file(contents, name);
  const Layout layout = choose_extension(file, extension, wanted, name);
  constexpr LONGLONG kMostPixels = LONGLONG{1} << 31;
  const LONGLONG planes = layout.planes();
  if (layout.size[0] < 1 || layout.size[1] < 1 || planes < 1 ||
      layout.size[0] > kMostPixels / layout.size[1] ||
      layout.size[0] * layout.size[1] > kMostPixels / planes) {
    throw InputError(fmt::format("{}: an image of {} × {} pixels cannot be read", name,
                                 layout.size[0], layout.size[1]));
  }
  check_whole(file, layout, contents.size(), name);
  Image image = blank_image(layout.size[0], layout.size[1], planes);
  double missing = std::numeric_limits<double>::quiet_NaN();
  LONGLONG first[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  int any_missing = 0, status = 0;
  cfitsio().fits_read_pixll(file.get(), TDOUBLE, first, image.size(), &missing, image.pixels.data(),
                            &any_missing, &status);
  file.check(status, "is cut off or damaged");
  image.header = read_cards(file);
  return image;
}

std::string format_fits(const Image& image) {
  MemoryFile file("the FITS file");
  LONGLONG size[3] = {image.width, image.height, image.depth}, first[3] = {1, 1, 1};
  int status = 0;
  cfitsio().fits_create_imgll(file.get(), FLOAT_IMG, image.is_stack() ? 3 : 2, size, &status);
  for (const std::string& card : image.header)
    cfitsio().fits_write_record(file.get(), card.c_str(), &status);
  double missing = std::numeric_limits<double>::quiet_NaN();
  cfitsio().fits_write_pixnullll(file.get(), TDOUBLE, first, image.size(),
                                 const_cast<double*>(image.pixels.data()), &missing, &status);
  file.check(status, "cannot be written");
  return file.finish();
}

}  // namespace ardent
