#include "ardent/data/csv_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/error.h"

namespace ardent {
namespace {

/// Blank and not the separator, which may be a tab.
bool is_padding(char c, char separator) {
  return (c == ' ' || c == '\t') && c != separator;
}

}  // namespace

std::string CsvField::text() const {
  std::string text(raw);
  if (!quoted) return text;
  for (auto pair = text.find("\"\""); pair != text.npos; pair = text.find("\"\"", pair + 1)) {
    text.erase(pair, 1);
  }
  return text;
}

bool CsvFields::at_row() {
  while (next_ != end_ && (*next_ == '\n' || (*next_ == '\r' && next_[1] == '\n'))) {
    next_ += *next_ == '\n' ? 1 : 2;
  }
  return next_ != end_;
}

CsvField CsvFields::next() {
  while (next_ != end_ && is_padding(*next_, separator_)) ++next_;
  if (next_ != end_ && *next_ == '"') return next_quoted();
  const char* const start = next_;
  while (next_ != end_ && *next_ != separator_ && *next_ != '\n') ++next_;
  const char* stop = next_;
  if (stop != start && stop[-1] == '\r' && (next_ == end_ || *next_ == '\n')) --stop;
  while (stop != start && is_padding(stop[-1], separator_)) --stop;
  CsvField field{{start, static_cast<std::size_t>(stop - start)}, start};
  field.last = step_over_end();
  return field;
}

CsvField CsvFields::next_quoted() {
  const char* const quote = next_++;
  const char* const start = next_;
  while (true) {
    next_ = std::find(next_, end_, '"');
    if (next_ == end_) fail_at(*bytes_, quote, "this quote is never closed");
    if (next_ + 1 == end_ || next_[1] != '"') break;
    next_ += 2;
  }
  CsvField field{{start, static_cast<std::size_t>(next_ - start)}, quote, true};
  ++next_;
  while (next_ != end_ && is_padding(*next_, separator_)) ++next_;
  if (next_ != end_ && *next_ == '\r' && (next_ + 1 == end_ || next_[1] == '\n')) ++next_;
  if (next_ != end_ && *next_ != separator_ && *next_ != '\n') {
    fail_at(*bytes_, next_,
            fmt::format("expected {} or the end of the line after the closing quote, found {}",
                        in_quotes({&separator_, 1}), in_quotes({next_, 1})));
  }
  field.last = step_over_end();
  return field;
}

bool CsvFields::step_over_end() {
  if (next_ == end_) return true;
  return *next_++ == '\n';
}

char csv_separator(std::string_view text) {
  std::size_t commas = 0;
  std::size_t semicolons = 0;
  std::size_t tabs = 0;
  bool inside = false;
  for (const char c : text) {
    if (c == '"') inside = !inside;
    if (inside) continue;
    if (c == '\n') break;
    commas += c == ',';
    semicolons += c == ';';
    tabs += c == '\t';
  }
  if (tabs > commas && tabs >= semicolons) return '\t';
  return semicolons > commas ? ';' : ',';
}

}  // namespace ardent
