#include "ardent/data/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/error.h"
#include "ardent/data/csv_table.h"
#include "ardent/data/number.h"

namespace ardent {
namespace {

/// Marks the columns that have a cell that is neither a number nor a gap.
void mark_words(CsvFields fields, std::vector<bool>& is_words) {
  double ignored = 0;
  while (fields.at_row()) {
    for (std::size_t c = 0;; ++c) {
      const CsvField field = fields.next();
      if (c < is_words.size() && !is_words[c] && !is_gap(field.raw)) {
        is_words[c] = !whole_number(field.raw, ignored);
      }
      if (field.last) break;
    }
  }
}

std::vector<bool> word_columns(const CsvFields& fields, const CsvHeader& header,
                               const CsvOptions& options) {
  std::vector<bool> is_words(header.width(), false);
  if (options.find_words) mark_words(fields, is_words);
  for (std::size_t c = 0; c < header.width(); ++c) {
    if (std::ranges::count(options.categories, header.names[c], &CategoryColumn::name) > 0) {
      is_words[c] = true;
    }
  }
  return is_words;
}

void check_categories(const Bytes& bytes, const CsvHeader& header, const CsvOptions& options) {
  const bool makes_columns =
      options.find_words || !options.categories.empty() || options.missing == "indicator";
  if (options.no_header && makes_columns) {
    throw InputError(fmt::format(
        "{}: columns of words, and those that show missing values, need names: give the file a "
        "header instead of --no-header",
        bytes.name));
  }
  if (options.model_features > 0) return;
  for (const CategoryColumn& column : options.categories) {
    if (std::ranges::count(header.names, column.name) > 0) continue;
    throw InputError(fmt::format("{}: no column is named {} (--categorical)", bytes.name,
                                 in_quotes(column.name)));
  }
}

}  // namespace

Dataset parse_csv(const Bytes& bytes, const CsvOptions& options) {
  std::string_view text = bytes.text();
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  const char separator = csv_separator(text);
  CsvFields fields(bytes, text, separator);
  if (!fields.at_row()) throw InputError(fmt::format("{}: the file is empty", bytes.name));
  const CsvHeader header = read_csv_header(bytes, options, fields);
  check_categories(bytes, header, options);
  CsvTable table(bytes, header, options, word_columns(fields, header, options));
  table.reserve(text, separator);
  while (fields.at_row()) table.add_row(fields);
  if (table.rows() == 0) {
    throw InputError(fmt::format("{}: no rows after the header", bytes.name));
  }
  return std::move(table).finish();
}

}  // namespace ardent
