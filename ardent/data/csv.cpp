#include "ardent/data/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_set>
#include <vector>

#include "ardent/base/error.h"
#include "ardent/data/csv_fields.h"
#include "ardent/data/number.h"

namespace ardent {
namespace {

struct Header {
  std::vector<std::string> names;
  std::vector<const char*> at;
};

Header read_header(const Bytes& bytes, CsvFields& fields) {
  Header header;
  for (bool last = false; !last;) {
    const CsvField field = fields.next();
    header.names.push_back(field.text());
    header.at.push_back(field.at);
    last = field.last;
  }
  double ignored = 0;
  if (std::all_of(header.names.begin(), header.names.end(),
                  [&](const auto& name) { return whole_number(name, ignored); })) {
    fail_at(bytes, header.at[0],
            "the first line holds numbers only; it must name the columns: put a header there");
  }
  std::unordered_set<std::string_view> seen;
  for (std::size_t c = 0; c < header.names.size(); ++c) {
    if (!seen.insert(header.names[c]).second) {
      fail_at(
          bytes, header.at[c],
          fmt::format("two columns are named {}; names must differ", in_quotes(header.names[c])));
    }
  }
  return header;
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

/// The label column, if the file has one.
std::optional<std::size_t> label_column(const Bytes& bytes, const Header& header,
                                        const CsvOptions& options) {
  const auto& names = header.names;
  if (!options.label.empty()) {
    const auto found = std::find(names.begin(), names.end(), options.label);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    if (options.labels_optional) return std::nullopt;
    throw InputError(fmt::format("{}: no column is named {}; the columns are {}", bytes.name,
                                 in_quotes(options.label), listed(names)));
  }
  for (const std::string_view usual : {"label", "class", "target", "y"}) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& name) {
      return same_in_any_case(name, usual);
    });
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  }
  if (options.labels_optional) return std::nullopt;
  return names.size() - 1;
}

/// Collects the rows' numbers and labels.
class Table {
 public:
  Table(const Bytes& bytes, const Header& header, std::optional<std::size_t> label)
      : bytes_(bytes), header_(header), label_(label) {}

  void reserve(std::string_view text, char separator) {
    // Every number is followed by a separator or a line end, or is the last of the text.
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    const auto ends =
        static_cast<std::size_t>(std::count(text.begin(), text.end(), separator)) + lines;
    values_ = Buffer<double>::allocate(ends);
    if (label_) labels_.reserve(lines);
  }

  void add_row(CsvFields& fields) {
    const std::size_t width = header_.names.size();
    for (std::size_t column = 0;; ++column) {
      const CsvField field = fields.next();
      if (column == width) {
        fail_at(bytes_, field.at,
                fmt::format("this row has more than the {} fields that the header names", width));
      }
      add_field(field, column);
      if (!field.last) continue;
      if (column + 1 == width) break;
      fail_at(bytes_, field.at,
              fmt::format("this row ends after {} of {} fields: {} is missing", column + 1, width,
                          in_quotes(header_.names[column + 1])));
    }
    ++rows_;
  }

  Dataset finish() && {
    Dataset data;
    const std::size_t width = header_.names.size();
    for (std::size_t c = 0; c < width; ++c) {
      if (label_ != c) data.feature_names.push_back(header_.names[c]);
    }
    values_.truncate(used_);
    data.features = DenseRows{rows_, std::ssize(data.feature_names), values_};
    if (label_) {
      data.labels = make_labels(labels_);
      data.label_name = header_.names[*label_];
    }
    data.source = bytes_.name;
    return data;
  }

  Index rows() const { return rows_; }

 private:
  void add_field(const CsvField& field, std::size_t column) {
    if (label_ == column) {
      add_label(field);
      return;
    }
    const char* const end = field.raw.data() + field.raw.size();
    double value = 0;
    if (field.raw.empty() || scan_number(field.raw.data(), end, value) != end) {
      fail_field(field, column);
    }
    values_.mutable_data()[used_++] = value;
  }

  void add_label(const CsvField& field) {
    std::string_view label = field.raw;
    if (field.quoted && label.find('"') != label.npos) label = unquoted_.emplace_back(field.text());
    if (label.empty()) fail_at(bytes_, field.at, label_message("is empty"));
    if (is_not_finite(label)) fail_at(bytes_, field.at, label_message("is not finite", label));
    labels_.push_back(label);
  }

  std::string label_message(std::string_view fault, std::string_view label = "") const {
    return fmt::format("the label{}{} (column {}) {}", label.empty() ? "" : " ",
                       label.empty() ? "" : in_quotes(label), in_quotes(header_.names[*label_]),
                       fault);
  }

  [[noreturn]] void fail_field(const CsvField& field, std::size_t column) const {
    const auto name = in_quotes(header_.names[column]);
    if (field.raw.empty()) {
      fail_at(bytes_, field.at,
              fmt::format("column {} is empty; fill in missing values first", name));
    }
    fail_at(bytes_, field.at,
            fmt::format("column {}: {} {}", name, in_quotes(field.raw),
                        number_fault<double>(field.raw)));
  }

  const Bytes& bytes_;
  const Header& header_;
  std::optional<std::size_t> label_;
  Buffer<double> values_;
  std::size_t used_ = 0;
  Index rows_ = 0;
  std::vector<std::string_view> labels_;
  std::deque<std::string> unquoted_;  // labels that had quotes doubled in them
};

}  // namespace

Dataset parse_csv(const Bytes& bytes, const CsvOptions& options) {
  std::string_view text = bytes.text();
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  const char separator = csv_separator(text);
  CsvFields fields(bytes, text, separator);
  if (!fields.at_row()) throw InputError(fmt::format("{}: the file is empty", bytes.name));
  const Header header = read_header(bytes, fields);
  const auto label = label_column(bytes, header, options);
  if (label && header.names.size() == 1) {
    throw InputError(fmt::format("{}: {} is the only column, so there are no features", bytes.name,
                                 in_quotes(header.names[0])));
  }
  Table table(bytes, header, label);
  table.reserve(text, separator);
  while (fields.at_row()) table.add_row(fields);
  if (table.rows() == 0) {
    throw InputError(fmt::format("{}: no rows after the header", bytes.name));
  }
  return std::move(table).finish();
}

}  // namespace ardent
