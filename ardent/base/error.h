// The words of error messages; the exceptions themselves are public (include/ardent/error.h).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "ardent/error.h"

namespace ardent {

/// What was found, fit for a message: at most 40 characters, quoted, always valid UTF-8: control
/// characters and stray bytes are escaped.
std::string in_quotes(std::string_view found);

/// InputError "`field` must be `rule`, not `value`" unless it holds.
void require(bool holds, std::string_view field, std::string_view rule, double value);

/// Where `name` is among the names of an enumeration's values. InputError "`field` must be a, b or
/// c, not `name`" if it is none of them.
std::size_t place_of(std::string_view name, std::span<const std::string_view> names,
                     std::string_view field);

}  // namespace ardent
