// A list of sources as a table, and the files that hold it: CSV, ECSV, FITS and VOTable.
#pragma once

#include <string>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

struct TableColumn {
  std::string name;
  std::string unit;  // empty: none, or that of the image
  std::string description;
  std::vector<double> values = {};
};

struct CatalogueTable {
  std::vector<TableColumn> columns;  // all of one length
  Index origin = 1;                  // number of the first pixel

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().values.size(); }
};

/// A header line of names, then a line per source, with all digits.
std::string format_csv(const CatalogueTable& table);
/// The same below a header that says types, units and meanings (astropy APE 6).
std::string format_ecsv(const CatalogueTable& table);
/// A binary table SOURCES of doubles, with units, and the number of the first pixel as PIXORIG.
std::string format_fits(const CatalogueTable& table);
/// A VOTable (IVOA, version 1.4) of doubles, with units and meanings.
std::string format_votable(const CatalogueTable& table);

}  // namespace ardent
