// Errors are exceptions whose message says what was found and what to do about it.
// Not having converged is no error: it is a status in the report.
#pragma once

#include <cstddef>
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

}  // namespace ardent
