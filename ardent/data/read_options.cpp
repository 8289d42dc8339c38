#include "ardent/data/read_options.h"

#include "ardent/data/csv_fields.h"

namespace ardent {

std::vector<std::string> listed_names(const std::string& text) {
  std::vector<std::string> names;
  if (text.empty()) return names;
  const Bytes bytes = bytes_of(text, "list of names");
  CsvFields fields(bytes, bytes.text(), ',');
  for (bool last = false; !last;) {
    const CsvField field = fields.next();
    names.push_back(field.text());
    last = field.last;
  }
  return names;
}

}  // namespace ardent
