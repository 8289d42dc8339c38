#include "ardent/data/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ardent/base/error.h"
#include "ardent/data/number.h"

namespace ardent {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostWords = 1000;

}  // namespace

bool is_gap(std::string_view cell) {
  constexpr std::array<std::string_view, 6> kGaps = {"", "na", "n/a", "nan", "null", "?"};
  if (cell.size() > 4) return false;
  std::string lower(cell);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return std::ranges::count(kGaps, lower) > 0;
}

CsvTable::CsvTable(const Bytes& bytes, const CsvHeader& header, const CsvOptions& options,
                   const std::vector<bool>& is_words)
    : bytes_(bytes), header_(header), options_(options) {
  for (std::size_t c = 0; c < header.width(); ++c) {
    if (header.roles[c] != CsvRole::feature) continue;
    Column& column = columns_.emplace_back(Column{.name = header.names[c]});
    column.is_words = is_words[c];
    const auto known = std::ranges::find(options.categories, column.name, &CategoryColumn::name);
    if (known == options.categories.end()) continue;
    for (const std::string& word : known->values) column.words.emplace(word, column.of_model++);
  }
}

void CsvTable::reserve(std::string_view text, char separator) {
  // Every number is followed by a separator or a line end, or is the last of the text.
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  const auto ends =
      static_cast<std::size_t>(std::count(text.begin(), text.end(), separator)) + lines;
  values_ = Buffer<double>::allocate(ends);
  if (header_.label) labels_.reserve(lines);
}

void CsvTable::add_row(CsvFields& fields) {
  const std::size_t width = header_.width();
  std::size_t feature = 0;
  for (std::size_t column = 0;; ++column) {
    const CsvField field = fields.next();
    if (column == width) {
      fail_at(bytes_, field.at,
              fmt::format("this row has more than the {} fields that the {}", width,
                          options_.no_header ? "first row has" : "header names"));
    }
    if (header_.roles[column] == CsvRole::label) add_label(field);
    if (header_.roles[column] == CsvRole::feature) add_field(field, feature++);
    if (!field.last) continue;
    if (column + 1 == width) break;
    fail_at(bytes_, field.at,
            fmt::format("this row ends after {} of {} fields: {} is missing", column + 1, width,
                        in_quotes(header_.names[column + 1])));
  }
  ++rows_;
}

void CsvTable::add_field(const CsvField& field, std::size_t column) {
  values_.mutable_data()[used_++] = cell(field, columns_[column]);
}

double CsvTable::cell(const CsvField& field, Column& column) {
  if (options_.missing != "error" && is_gap(field.raw)) {
    column.has_gaps = true;
    return kGap;
  }
  if (column.is_words) return word_number(field, column);
  const char* const end = field.raw.data() + field.raw.size();
  double value = 0;
  if (field.raw.empty() || scan_number(field.raw.data(), end, value) != end) {
    fail_field(field, column);
  }
  return value;
}

double CsvTable::word_number(const CsvField& field, Column& column) {
  if (field.raw.empty()) fail_field(field, column);
  const auto [word, added] = column.words.try_emplace(field.text(), column.words.size());
  if (added && column.words.size() > kMostWords) {
    throw InputError(
        fmt::format("{}: column {} has more than {} different words: is it an identifier? "
                    "--ignore leaves it out",
                    bytes_.name, in_quotes(column.name), kMostWords));
  }
  column.strange += column.of_model > 0 && word->second >= column.of_model;
  return static_cast<double>(word->second);
}

void CsvTable::add_label(const CsvField& field) {
  std::string_view label = field.raw;
  if (field.quoted && label.find('"') != label.npos) label = unquoted_.emplace_back(field.text());
  if (label.empty()) fail_at(bytes_, field.at, label_message("is empty"));
  if (is_not_finite(label)) fail_at(bytes_, field.at, label_message("is not finite", label));
  labels_.push_back(label);
}

std::string CsvTable::label_message(std::string_view fault, std::string_view label) const {
  return fmt::format("the label{}{} (column {}) {}", label.empty() ? "" : " ",
                     label.empty() ? "" : in_quotes(label),
                     in_quotes(header_.names[*header_.label]), fault);
}

void CsvTable::fail_field(const CsvField& field, const Column& column) const {
  const auto name = in_quotes(column.name);
  constexpr std::string_view kFill = "fill in missing values first, or --missing mean";
  if (field.raw.empty()) {
    fail_at(bytes_, field.at, fmt::format("column {} is empty; {}", name, kFill));
  }
  const auto fault = number_fault<double>(field.raw);
  std::string way_out;
  if (is_gap(field.raw)) {
    way_out = fmt::format("; {}", kFill);
  } else if (fault == "is not a number") {
    way_out = fmt::format("; --categorical {} takes words, --ignore {} leaves the column out",
                          column.name, column.name);
  }
  fail_at(bytes_, field.at,
          fmt::format("column {}: {} {}{}", name, in_quotes(field.raw), fault, way_out));
}

Dataset CsvTable::finish() && {
  Dataset data;
  values_.truncate(used_);
  expand(data);
  if (header_.label) {
    data.labels = make_labels(labels_);
    data.label_name = header_.names[*header_.label];
  }
  if (options_.no_header) data.feature_names.clear();
  data.layout.missing = options_.missing;
  data.layout.ignored = options_.ignore;
  data.has_gaps = std::ranges::any_of(columns_, &Column::has_gaps);
  data.source = bytes_.name;
  data.warnings = header_.warnings;
  warn_of_strange_words(data.warnings);
  return data;
}

/// Those of a model in its order, others by the alphabet.
std::vector<std::string> CsvTable::words_of(const Column& column) {
  std::vector<std::string> words;
  for (const auto& [word, number] : column.words) {
    if (column.of_model == 0 || number < column.of_model) words.push_back(word);
  }
  std::ranges::sort(words);
  return words;
}

void CsvTable::warn_of_strange_words(std::vector<std::string>& warnings) const {
  for (const Column& column : columns_) {
    if (column.strange == 0) continue;
    const auto example = std::ranges::find_if(
        column.words, [&](const auto& word) { return word.second == column.of_model; });
    warnings.push_back(fmt::format(
        "{}: column {}: {} of {} rows have words that training has not seen ({}{}); they count as "
        "none of its words",
        bytes_.name, in_quotes(column.name), column.strange, rows_, in_quotes(example->first),
        column.words.size() > column.of_model + 1 ? ", …" : ""));
  }
}

std::vector<CsvTable::Made> CsvTable::made_columns(Dataset& data) const {
  std::vector<Made> made;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    if (column.is_words) {
      data.layout.categories.push_back({column.name, words_of(column)});
      for (const std::string& word : data.layout.categories.back().values) {
        made.push_back({Made::Of::word, c, static_cast<double>(column.words.at(word))});
        data.feature_names.push_back(category_name(column.name, word));
      }
    } else {
      made.push_back({Made::Of::column, c, 0});
      data.feature_names.push_back(column.name);
    }
    const bool for_model = options_.model_features > 0;
    if (options_.missing == "indicator" && (column.has_gaps || for_model)) {
      made.push_back({Made::Of::gaps, c, 0});
      data.feature_names.push_back(gap_name(column.name));
    }
  }
  return made;
}

/// Numbers stay as they are; a column of words becomes one of 0 and 1 for each word (a gap is one
/// in all of them); gaps are shown by a further column where that was asked for.
void CsvTable::expand(Dataset& data) const {
  const std::vector<Made> made = made_columns(data);
  const auto cols = std::ssize(made);
  const auto itself = [](const Made& one) { return one.of == Made::Of::column; };
  if (std::ranges::all_of(made, itself)) {
    data.features = DenseRows{rows_, cols, values_};
    return;
  }
  auto values = Buffer<double>::allocate(rows_ * cols);
  double* to = values.mutable_data();
  for (const double* row = values_.begin(); row != values_.end(); row += columns_.size()) {
    for (const Made& one : made) {
      const double cell = row[one.column];
      if (one.of == Made::Of::gaps) {
        *to++ = std::isnan(cell) ? 1 : 0;
      } else {
        *to++ = itself(one) || std::isnan(cell) ? cell : cell == one.word;
      }
    }
  }
  data.features = DenseRows{rows_, cols, values};
}

}  // namespace ardent
