// The rows of a CSV file: numbers, words and gaps become columns of numbers.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ardent/data/csv_header.h"
#include "ardent/data/dataset.h"

namespace ardent {

/// Collects rows and labels; feature columns for which `is_words` holds are categorical.
class CsvTable {
 public:
  CsvTable(const Bytes& bytes, const CsvHeader& header, const CsvOptions& options,
           const std::vector<bool>& is_words);

  void reserve(std::string_view text, char separator);
  void add_row(CsvFields& fields);
  Index rows() const { return rows_; }
  Dataset finish() &&;

 private:
  /// A column of features. Words are numbered: those of a model, then in order of appearance.
  struct Column {
    std::string name;
    bool is_words = false;
    bool has_gaps = false;
    std::unordered_map<std::string, std::size_t> words = {};
    std::size_t of_model = 0;  // words that a model has; 0: there is no model
    Index strange = 0;         // cells with other ones
  };
  /// A column that is made: of a word, of a column itself, of its gaps.
  struct Made {
    enum class Of { word, column, gaps } of;
    std::size_t column;
    double word;
  };

  void add_field(const CsvField& field, std::size_t column);
  void add_label(const CsvField& field);
  double cell(const CsvField& field, Column& column);
  std::string label_message(std::string_view fault, std::string_view label = "") const;
  [[noreturn]] void fail_field(const CsvField& field, const Column& column) const;
  double word_number(const CsvField& field, Column& column);
  std::vector<Made> made_columns(Dataset& data) const;
  void expand(Dataset& data) const;
  static std::vector<std::string> words_of(const Column& column);
  void warn_of_strange_words(std::vector<std::string>& warnings) const;

  const Bytes& bytes_;
  const CsvHeader& header_;
  const CsvOptions& options_;
  std::vector<Column> columns_;  // of features
  Buffer<double> values_;        // row by row; a word is its number, a gap NaN
  std::size_t used_ = 0;
  Index rows_ = 0;
  std::vector<std::string_view> labels_;
  std::deque<std::string> unquoted_;  // labels that had quotes doubled in them
};

/// Cells that stand for a value that is missing: empty, NA, N/A, NaN, null, ? in any case.
bool is_gap(std::string_view cell);

}  // namespace ardent
