// What you ask of the CSV reader.
#pragma once

#include <string>
#include <vector>

#include "ardent/base/types.h"
#include "ardent/data/table_layout.h"

namespace ardent {

struct CsvOptions {
  std::string label = "";        // label column; "": "label", "class", "target" or "y" in any case,
                                 // else the last column
  bool labels_optional = false;  // without such a column all are features, and there are no labels
  bool no_header = false;        // columns have numbers for names, from 1, and the data have none
  std::vector<std::string> ignore = {};  // columns to leave out
  std::string missing = "error";         // error | mean | indicator
  bool find_words = false;               // a column with a cell that is no number is categorical
  /// Columns of words. With the words of a model, those are the columns made of it, whether they
  /// occur or not, and other words are 0 in all of them, with a warning.
  std::vector<CategoryColumn> categories = {};
  /// Of the model that the rows are for; 0: there is none. Without a header it tells whether there
  /// is a label; with one, every column may lack values, whichever of them did in training.
  Index model_features = 0;
};

}  // namespace ardent
