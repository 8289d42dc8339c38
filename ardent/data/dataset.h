// What a reader returns: features, labels and names, and where they came from.
#pragma once

#include <string>
#include <vector>

#include "ardent/base/row_share.h"
#include "ardent/data/labels.h"
#include "ardent/data/matrix.h"
#include "ardent/data/table_layout.h"

namespace ardent {

/// Beyond it a row of weight 1 would be lost in the rounding of sums.
inline constexpr double kLargestWeight = 1e15;

struct Dataset {
  Features features;
  Labels labels;                           // empty where the source has none
  std::vector<double> weights = {};        // empty, or one per row: how often it counts in training
  std::vector<std::string> feature_names;  // empty, or one per column
  std::string label_name = "";             // of the CSV column that held the labels; may be empty
  std::string source;                      // file name, for messages
  bool absent_is_zero = false;             // columns beyond the last hold zeros: LIBSVM data
  bool has_gaps = false;    // missing values are NaN: training and prediction fill them
  TableLayout layout = {};  // of the table that the columns were made of
  std::vector<std::string> warnings = {};  // what the reader has to say
  /// Where several processes share the rows, and these are one's; null: all are here.
  SharePointer share = nullptr;

  Index rows() const { return ardent::rows(features); }
  Index cols() const { return ardent::cols(features); }
  Index all_rows() const { return count_over(share.get(), rows()); }
};

/// "feature 7" or the name it has; columns are counted from 1, as LIBSVM does.
std::string feature_name(const Dataset& data, Index column);

Dataset select_rows(const Dataset& data, std::span<const Index> which);

}  // namespace ardent
