// Errors are exceptions whose message says what was found and what to do about it.
// Not having converged is no error: it is a status in the report.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ardent {

/// Something failed while running: a disk is full, memory ran out. Exit status 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The request or the input is wrong; the caller can fix it. Exit status 2.
class InputError : public Error {
 public:
  using Error::Error;
};

/// An InputError at a place in a text file: "file:line:column: message". Lines and columns from 1.
class ParseError : public InputError {
 public:
  ParseError(std::string_view file, std::size_t line, std::size_t column, std::string_view message);
};

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
