#include "ardent/data/idx.h"

#include <fmt/format.h>

#include <optional>

#include "ardent/base/error.h"

namespace ardent {
namespace {

std::optional<NumberType> type_of(unsigned char code) {
  switch (code) {
    case 0x08:
      return NumberType::u1;
    case 0x09:
      return NumberType::i1;
    case 0x0b:
      return NumberType::i2;
    case 0x0c:
      return NumberType::i4;
    case 0x0d:
      return NumberType::f4;
    case 0x0e:
      return NumberType::f8;
    default:
      return std::nullopt;
  }
}

}  // namespace

bool is_idx(std::string_view contents) {
  return contents.size() >= 4 && contents[0] == 0 && contents[1] == 0 &&
         type_of(static_cast<unsigned char>(contents[2])) && contents[3] != 0;
}

NumericArray parse_idx(const Bytes& bytes) {
  const std::string_view contents = bytes.text();
  if (!is_idx(contents)) {
    throw InputError(fmt::format(
        "{}: not an IDX file: it must start with two zero bytes, a type (8, 9 or 11 to 14) and the "
        "number of dimensions",
        bytes.name));
  }
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(contents[i]); };
  const std::size_t dimensions = byte(3);
  const std::size_t header = 4 + 4 * dimensions;
  if (contents.size() < header) {
    throw InputError(
        fmt::format("{}: the IDX header of {} dimensions is cut off", bytes.name, dimensions));
  }
  NumericArray array;
  array.type = *type_of(byte(2));
  array.big_endian = true;
  for (std::size_t i = 4; i < header; i += 4) {
    array.shape.push_back(std::uint64_t{byte(i)} << 24 | std::uint64_t{byte(i + 1)} << 16 |
                          std::uint64_t{byte(i + 2)} << 8 | byte(i + 3));
  }
  array.payload = contents.substr(header);
  return array;
}

}  // namespace ardent
