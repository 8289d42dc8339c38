#include "ardent/data/csv_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "ardent/base/error.h"
#include "ardent/data/number.h"

namespace ardent {
namespace {

constexpr std::string_view kIndexName = "Unnamed: 0";  // pandas' name for it

bool is_number(const std::string& text) {
  double ignored = 0;
  return whole_number(text, ignored);
}

/// Lists the first line, and says what to call its fields if it is no header.
CsvHeader first_line(CsvFields& fields) {
  CsvHeader header;
  for (bool last = false; !last;) {
    const CsvField field = fields.next();
    header.names.push_back(field.text());
    header.at.push_back(field.at);
    last = field.last;
  }
  return header;
}

void refuse_repeated_names(const Bytes& bytes, const CsvHeader& header) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t c = 0; c < header.width(); ++c) {
    if (!seen.insert(header.names[c]).second) {
      fail_at(
          bytes, header.at[c],
          fmt::format("two columns are named {}; names must differ", in_quotes(header.names[c])));
    }
  }
}

bool same_in_any_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 20;
  std::string list;
  for (std::size_t c = 0; c < std::min(kShown, names.size()); ++c) {
    list += (c > 0 ? ", " : "") + in_quotes(names[c]);
  }
  if (names.size() > kShown) list += fmt::format(" … ({} columns)", names.size());
  return list;
}

std::optional<std::size_t> place_of(const CsvHeader& header, std::string_view name) {
  const auto found = std::find(header.names.begin(), header.names.end(), name);
  if (found == header.names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.names.begin());
}

[[noreturn]] void refuse_unknown(const Bytes& bytes, const CsvHeader& header,
                                 std::string_view name) {
  throw InputError(fmt::format("{}: no column is named {}; the columns are {}", bytes.name,
                               in_quotes(name), listed(header.names)));
}

/// Columns that are left out. Those of a model may be missing from new data.
void ignore_columns(const Bytes& bytes, const CsvOptions& options, CsvHeader& header) {
  for (const std::string& name : options.ignore) {
    if (const auto column = place_of(header, name)) {
      header.roles[*column] = CsvRole::ignored;
    } else if (!options.labels_optional && options.model_features == 0) {
      refuse_unknown(bytes, header, name);
    }
  }
}

/// The label column, if the file has one.
std::optional<std::size_t> label_column(const Bytes& bytes, const CsvHeader& header,
                                        const CsvOptions& options) {
  if (!options.label.empty()) {
    const auto column = place_of(header, options.label);
    if (!column && !options.labels_optional) refuse_unknown(bytes, header, options.label);
    return column;
  }
  for (const std::string_view usual : {"label", "class", "target", "y"}) {
    for (std::size_t c = 0; c < header.width(); ++c) {
      const bool used = header.roles[c] == CsvRole::feature;
      if (used && same_in_any_case(header.names[c], usual)) return c;
    }
  }
  if (options.labels_optional) return std::nullopt;
  const auto last = std::find(header.roles.rbegin(), header.roles.rend(), CsvRole::feature);
  if (last == header.roles.rend()) return std::nullopt;
  return static_cast<std::size_t>(header.roles.rend() - last) - 1;
}

/// Without names, a label is where a model's features are one fewer than the columns.
bool lacks_label(const CsvHeader& header, const CsvOptions& options) {
  if (!options.no_header || !options.labels_optional || options.model_features == 0) return false;
  const auto used = std::count(header.roles.begin(), header.roles.end(), CsvRole::feature);
  return used == options.model_features;
}

/// "0", "1", "2", … or from "1" on: names that pandas makes.
bool counts_up(const std::vector<std::string>& names) {
  if (names.size() < 2 || (names[0] != "0" && names[0] != "1")) return false;
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (names[c] != fmt::format("{}", c + (names[0] == "1"))) return false;
  }
  return true;
}

/// A first line of numbers (but for the label) is a row.
void refuse_row_as_header(const Bytes& bytes, const CsvOptions& options, const CsvHeader& header) {
  if (header.label && header.names[*header.label] == options.label) return;
  std::vector<std::string> others;
  for (std::size_t c = 0; c < header.width(); ++c) {
    if (header.roles[c] == CsvRole::feature) others.push_back(header.names[c]);
  }
  if (others.empty() || !std::ranges::all_of(others, is_number)) return;
  const bool label_is_number = header.label && is_number(header.names[*header.label]);
  if (counts_up(others) && !label_is_number) return;
  fail_at(bytes, header.at[0],
          fmt::format("the first line holds numbers{}, so it looks like a row and not like names: "
                      "give --no-header if it is a row, else --label with the name of the label "
                      "column",
                      header.label && !label_is_number ? " but for the label" : " only"));
}

void name_index(const Bytes& bytes, CsvHeader& header) {
  if (!header.names[0].empty() || header.width() < 2) return;
  header.names[0] = kIndexName;
  if (header.roles[0] != CsvRole::feature) return;
  header.warnings.push_back(
      fmt::format("{}: the first column has no name (an index that pandas wrote?) and counts as a "
                  "feature, {}; --ignore \"{}\" leaves it out",
                  bytes.name, in_quotes(kIndexName), kIndexName));
}

}  // namespace

CsvHeader read_csv_header(const Bytes& bytes, const CsvOptions& options, CsvFields& fields) {
  CsvFields ahead = fields;
  CsvHeader header = first_line(ahead);
  header.roles.assign(header.width(), CsvRole::feature);
  if (options.no_header) {
    for (std::size_t c = 0; c < header.width(); ++c) header.names[c] = fmt::format("{}", c + 1);
  } else {
    fields = ahead;
    if (std::ranges::count(options.ignore, kIndexName) > 0 && header.names[0].empty()) {
      header.names[0] = kIndexName;
    }
  }
  ignore_columns(bytes, options, header);
  if (!lacks_label(header, options)) {
    header.label = label_column(bytes, header, options);
    if (header.label) header.roles[*header.label] = CsvRole::label;
  }
  if (!options.no_header) {
    refuse_row_as_header(bytes, options, header);
    refuse_repeated_names(bytes, header);
    name_index(bytes, header);
  }
  if (std::ranges::count(header.roles, CsvRole::feature) == 0) {
    throw InputError(fmt::format(
        "{}: {} {}, so there are no features", bytes.name,
        header.label ? in_quotes(header.names[*header.label]) : std::string("no column"),
        header.label ? "is the only column" : "is left"));
  }
  return header;
}

}  // namespace ardent
