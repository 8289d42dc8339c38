// Lists of sources as CSV: what was found, or what is there.
#pragma once

#include <string>
#include <vector>

#include "ardent/imaging/psf.h"

namespace ardent {

/// Reads x and y, and sigma and flux where there are such columns (else 1), by name, in any order;
/// other columns are left alone. InputError with line and column for anything else.
std::vector<Source> read_catalogue(const std::string& path);

/// x,y,sigma,flux with all digits. The file appears whole or not at all.
void write_catalogue(const std::vector<Source>& sources, const std::string& path);

}  // namespace ardent
