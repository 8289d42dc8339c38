#include "ardent/imaging/fits_extension.h"

#include <charconv>

namespace ardent {

FitsExtension extension_of(const std::string& text) {
  FitsExtension extension;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, extension.number);
  if (parsed.ec == std::errc() && parsed.ptr == end) return extension;
  extension.number = -1;
  extension.name = text;
  return extension;
}

}  // namespace ardent
