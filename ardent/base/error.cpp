#include "ardent/base/error.h"

#include <fmt/format.h>

namespace ardent {

ParseError::ParseError(std::string_view file, std::size_t line, std::size_t column,
                       std::string_view message)
    : InputError(fmt::format("{}:{}:{}: {}", file, line, column, message)) {}

std::string quoted(std::string_view found) {
  constexpr std::size_t kLongest = 40;
  std::string text = "'";
  for (const char c : found.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  text += found.size() > kLongest ? "…'" : "'";
  return text;
}

}  // namespace ardent
