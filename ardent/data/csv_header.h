// The columns of a CSV file: their names, and what each is for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ardent/data/csv_fields.h"
#include "ardent/data/csv_options.h"

namespace ardent {

enum class CsvRole { feature, label, ignored };

struct CsvHeader {
  std::vector<std::string> names;  // of all columns; their numbers where the file names none
  std::vector<const char*> at;     // where they stand
  std::vector<CsvRole> roles;
  std::optional<std::size_t> label;
  std::vector<std::string> warnings;

  std::size_t width() const { return names.size(); }
};

/// Steps over the header, if the options say that there is one. ParseError where the first line
/// looks like a row of data, or names a column twice; InputError where a column that the options
/// name is not there.
CsvHeader read_csv_header(const Bytes& bytes, const CsvOptions& options, CsvFields& fields);

}  // namespace ardent
