// Which extension of a FITS file is meant.
#pragma once

#include <string>

#include "ardent/base/types.h"

namespace ardent {

/// Its number, from 0 (the primary one), or its name (EXTNAME, in capitals or not); neither: the
/// first with an image.
struct FitsExtension {
  Index number = -1;
  std::string name = {};

  FitsExtension(Index which = -1) : number(which) {}  // a number says which
  bool is_given() const { return number >= 0 || !name.empty(); }
};

/// A whole number is a number, anything else a name; empty: neither.
FitsExtension extension_of(const std::string& text);

}  // namespace ardent
