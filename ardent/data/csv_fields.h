// Cuts CSV text into fields (RFC 4180), without copying any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ardent/data/bytes.h"

namespace ardent {

struct CsvField {
  std::string_view raw;      // between the quotes, or without the blanks around it
  const char* at = nullptr;  // where the field starts, for messages
  bool quoted = false;
  bool last = false;  // of its row

  /// With doubled quotes made single.
  std::string text() const;
};

class CsvFields {
 public:
  /// `text` must be part of `bytes`.
  CsvFields(const Bytes& bytes, std::string_view text, char separator)
      : bytes_(&bytes),
        next_(text.data()),
        end_(text.data() + text.size()),
        separator_(separator) {}

  /// Skips empty lines; false at the end of the text. To be asked before each row.
  bool at_row();
  CsvField next();

 private:
  CsvField next_quoted();
  /// Steps over what ends a field; true if that also ends the row.
  bool step_over_end();

  const Bytes* bytes_;
  const char* next_;
  const char* end_;
  char separator_;
};

/// Of ',', ';' and tab the one that the first line has most of, outside quotes; ',' if it has none.
char csv_separator(std::string_view text);

}  // namespace ardent
