#include "ardent/base/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace ardent {
namespace {

/// Bytes of the UTF-8 character that the text starts with; 0 where it starts with a control
/// character or with a byte that is no UTF-8, which would spoil JSON and terminals.
std::size_t printable_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  unsigned code = first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  const bool control = code < 0xa0;
  return overlong || surrogate || control || code > 0x10ffff ? 0 : length;
}

}  // namespace

ParseError::ParseError(std::string_view file, std::size_t line, std::size_t column,
                       std::string_view message)
    : InputError(fmt::format("{}:{}:{}: {}", file, line, column, message)) {}

std::string in_quotes(std::string_view found) {
  constexpr std::size_t kLongest = 40;
  std::string text = "'";
  std::size_t characters = 0;
  while (!found.empty() && characters++ < kLongest) {
    const std::size_t length = printable_length(found);
    if (length > 0) {
      text += found.substr(0, length);
    } else {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(found.front()));
    }
    found.remove_prefix(std::max<std::size_t>(1, length));
  }
  text += found.empty() ? "'" : "…'";
  return text;
}

std::size_t place_of(std::string_view name, std::span<const std::string_view> names,
                     std::string_view field) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw InputError(fmt::format("{} must be {} or {}, not {}", field,
                               fmt::join(names.first(names.size() - 1), ", "), names.back(),
                               in_quotes(name)));
}

void require(bool holds, std::string_view field, std::string_view rule, double value) {
  if (!holds) throw InputError(fmt::format("{} must be {}, not {}", field, rule, value));
}

}  // namespace ardent
