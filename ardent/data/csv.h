// CSV with a header: commas, semicolons or tabs (whichever the header has most of), quotes as in
// RFC 4180, one column of labels, all others numbers.
#pragma once

#include <string>

#include "ardent/data/bytes.h"
#include "ardent/data/dataset.h"

namespace ardent {

struct CsvOptions {
  std::string label;             // label column; "": "label", "class", "target" or "y" in any case,
                                 // else the last column
  bool labels_optional = false;  // without such a column all are features, and there are no labels
};

/// Dense rows with feature names. Lines without any character are skipped, blanks around fields
/// too. A field that is not a finite number, or a row with too many or too few, is a ParseError.
Dataset parse_csv(const Bytes& bytes, const CsvOptions& options = {});

}  // namespace ardent
