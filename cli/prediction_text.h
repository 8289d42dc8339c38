// Predictions as text: lines, CSV or JSON, and how they agree with the labels that came with the
// rows.
#pragma once

#include <string>

#include "ardent/model/predict.h"
#include "describe.h"

namespace ardent::cli {

/// What stands before the first prediction: with probabilities of classes, "labels a b …" as LIBSVM
/// writes it; otherwise nothing.
std::string lines_header(const Model& model, bool with_probabilities);
/// One prediction per line: the label, or the mean of a regression; with probabilities, those of
/// all classes in the header's order (regression: the standard deviation of a new observation)
/// after it, separated by blanks. A label that has blanks or quotes is quoted as in CSV there.
std::string prediction_lines(const Model& model, const Prediction& prediction,
                             bool with_probabilities);
/// The same as CSV with a header: prediction,p(a),p(b),… or mean,sd.
std::string prediction_csv(const Model& model, const Prediction& prediction,
                           bool with_probabilities);
Json prediction_json(const Model& model, const Prediction& prediction);

/// How predictions agree with the rows' labels.
class Agreement {
 public:
  void add(const Model& model, const Dataset& data, const Prediction& prediction);
  /// A line; empty where there are no labels, or some that the model does not know.
  std::string text() const;
  void add_to(Json& json) const;

 private:
  bool known() const { return rows_ > 0 && !strange_; }
  double rmse() const;

  bool strange_ = false;  // labels are missing, or are none of the model's
  bool classification_ = true;
  Index rows_ = 0;
  Index right_ = 0;
  double squared_error_ = 0;
  double mean_ = 0, squares_ = 0;  // of the labels of a regression; squares about their mean
};

}  // namespace ardent::cli
