#include "ardent/imaging/catalogue_table.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/imaging/fits_memory.h"

namespace ardent {

std::string format_csv(const CatalogueTable& table) {
  std::string text;
  for (const TableColumn& column : table.columns) {
    text += text.empty() ? column.name : "," + column.name;
  }
  text += '\n';
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (const TableColumn& column : table.columns) {
      text += fmt::format("{}{}", &column == &table.columns.front() ? "" : ",", column.values[row]);
    }
    text += '\n';
  }
  return text;
}

std::string format_ecsv(const CatalogueTable& table) {
  std::string text = "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n";
  for (const TableColumn& column : table.columns) {
    text += fmt::format("# - {{name: {}, {}datatype: float64, description: '{}'}}\n", column.name,
                        column.unit.empty() ? "" : fmt::format("unit: {}, ", column.unit),
                        column.description);
  }
  text += fmt::format("# meta: {{pixel_origin: {}}}\n# schema: astropy-2.0\n", table.origin);
  return text + format_csv(table);
}

std::string format_fits(const CatalogueTable& table) {
  MemoryFile file("the FITS table");
  std::vector<char*> names, types, units;
  const auto text_of = [](const std::string& text) { return const_cast<char*>(text.c_str()); };
  static const std::string kDouble = "1D";
  for (const TableColumn& column : table.columns) {
    names.push_back(text_of(column.name));
    types.push_back(text_of(kDouble));
    units.push_back(text_of(column.unit));
  }
  int status = 0;
  const Cfitsio& library = cfitsio();
  library.fits_create_tbl(file.get(), BINARY_TBL, 0, static_cast<int>(names.size()), names.data(),
                          types.data(), units.data(), "SOURCES", &status);
  library.fits_write_key_lng(file.get(), "PIXORIG", table.origin,
                             "number of the first pixel along each axis", &status);
  for (std::size_t k = 0; k < table.columns.size() && table.rows() > 0; ++k) {
    library.fits_write_col_dbl(file.get(), static_cast<int>(k) + 1, 1, 1,
                               static_cast<LONGLONG>(table.rows()),
                               const_cast<double*>(table.columns[k].values.data()), &status);
  }
  file.check(status, "cannot be written");
  return file.finish();
}

std::string format_votable(const CatalogueTable& table) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<VOTABLE version=\"1.4\" xmlns=\"http://www.ivoa.net/xml/VOTable/v1.3\">\n"
      "<RESOURCE>\n<TABLE name=\"SOURCES\">\n"
      "<PARAM name=\"pixel_origin\" datatype=\"int\" value=\"{}\"/>\n",
      table.origin);
  for (const TableColumn& column : table.columns) {
    text += fmt::format(
        "<FIELD name=\"{}\" datatype=\"double\"{}><DESCRIPTION>{}</DESCRIPTION></FIELD>\n",
        column.name, column.unit.empty() ? "" : fmt::format(" unit=\"{}\"", column.unit),
        column.description);
  }
  text += "<DATA><TABLEDATA>\n";
  for (std::size_t row = 0; row < table.rows(); ++row) {
    text += "<TR>";
    for (const TableColumn& column : table.columns) {
      const double value = column.values[row];
      text += std::isnan(value) ? "<TD>NaN</TD>" : fmt::format("<TD>{}</TD>", value);
    }
    text += "</TR>\n";
  }
  return text + "</TABLEDATA></DATA>\n</TABLE>\n</RESOURCE>\n</VOTABLE>\n";
}

}  // namespace ardent
