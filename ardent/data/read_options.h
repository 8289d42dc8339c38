// What you ask of reading data.
#pragma once

#include <string>
#include <vector>

#include "ardent/base/option_schema.h"
#include "ardent/base/types.h"
#include "ardent/data/data_format.h"
#include "ardent/data/matrix.h"
#include "ardent/data/table_layout.h"

namespace ardent {

struct ReadOptions {
  std::string format = "auto";
  Index features = 0;  // number of columns; 0: the highest index present
  std::string label = "";
  std::string labels = "";
  std::string weights = "";
  bool no_header = false;
  std::string ignore = "";
  std::string missing = "error";
  std::string categorical = "none";
  bool labels_optional = false;  // a CSV, NPY or IDX source may lack labels (prediction)
  /// Of the model that the rows are for: its number of columns (0: there is no model), the name of
  /// its label column, and how the table that it was trained on became columns.
  Index model_features = 0;
  std::string model_label = "";
  TableLayout model_layout = {};
  Spelling spelling = Spelling::plain;  // how messages name options
  const MakeEntryRoom* room = nullptr;  // for sparse entries; a reader may take memory instead
};

inline Schema schema(ReadOptions& options) {
  Schema schema;
  schema.add("format", options.format,
             "format of the data; auto: by content, and by name where that does not decide",
             format_names());
  schema.add("features", options.features,
             "number of features of a LIBSVM file whose last columns may be empty; 0: the highest "
             "index present",
             0);
  schema.group("", {where("format", {"auto", "csv"})});
  schema.add_text("label", options.label,
                  "CSV: name of the label column; default: label, class, target or y, else the "
                  "last column. Without a header: its number, from 1",
                  "NAME");
  schema.add_flag("no-header", options.no_header,
                  "CSV: the first line is a row of data. Columns have numbers instead of names, "
                  "from 1");
  schema.add_text("ignore", options.ignore, "CSV: columns to leave out (an index, an identifier)",
                  "NAME,...");
  schema.add("missing", options.missing,
             "CSV: cells that are empty, NA, N/A, NaN, null or ?. error: they are refused; mean: "
             "the mean of the column over the training rows stands there; indicator: that, and a "
             "further column 'NAME missing' of 0 and 1 for each column that lacks a value in the "
             "training data. The model remembers it",
             {"error", "mean", "indicator"});
  schema.add_text("categorical", options.categorical,
                  "CSV: columns of words; each word becomes a column 'NAME=word' of 0 and 1. auto: "
                  "every column with a cell that is no number. The model remembers them; a word "
                  "that training has not seen is 0 in all of them",
                  "none|auto|NAME,...");
  schema.group("", {where("format", format_names(true))});
  schema.add_text("labels", options.labels,
                  "NPY, IDX: file with one label per row (NPY, IDX or text); default for MNIST's "
                  "file names: the labels file beside the images",
                  "FILE");
  schema.group("");
  schema.add_text("weights", options.weights,
                  "file with one number >= 0 per row (NPY, IDX or text): how often the row counts "
                  "in training",
                  "FILE");
  return schema;
}

/// The names of "a,b,\"c,d\"": separated by commas, quoted as in CSV where they hold one.
std::vector<std::string> listed_names(const std::string& text);

}  // namespace ardent
