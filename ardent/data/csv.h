// CSV with or without a header: commas, semicolons or tabs (whichever the first line has most of),
// quotes as in RFC 4180, one column of labels, all others numbers or, on request, words.
#pragma once

#include "ardent/data/bytes.h"
#include "ardent/data/csv_options.h"
#include "ardent/data/dataset.h"

namespace ardent {

/// Dense rows with feature names. Lines without any character are skipped, blanks around fields
/// too. A field that is not a finite number, or a row with too many or too few, is a ParseError.
/// A first line of numbers is none of names and is refused, unless it counts up (0,1,2,… as pandas
/// writes them) or the label column is named and there.
Dataset parse_csv(const Bytes& bytes, const CsvOptions& options = {});

}  // namespace ardent
