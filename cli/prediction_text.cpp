#include "prediction_text.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "terminal.h"

namespace ardent::cli {
namespace {

const std::string& class_name(const Model& model, const Prediction& prediction, std::size_t i) {
  return model.classes.names[prediction.classes[i]];
}

std::string quoted(const std::string& text) {
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? "\"\"" : std::string(1, c);
  return field + "\"";
}

/// A label among others on its line.
std::string as_word(const std::string& label) {
  return label.find_first_of(" \t\r\n\"") == std::string::npos ? label : quoted(label);
}

/// A label alone on its line.
std::string as_line(const std::string& label) {
  return label.find_first_of("\r\n") == std::string::npos ? label : quoted(label);
}

}  // namespace

std::string lines_header(const Model& model, bool with_probabilities) {
  if (model.task == Task::regression || !with_probabilities) return "";
  std::string text = "labels";
  for (const std::string& name : model.classes.names) text += " " + as_word(name);
  return text + "\n";
}

std::string prediction_lines(const Model& model, const Prediction& prediction,
                             bool with_probabilities) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  if (model.task == Task::regression) {
    for (Index i = 0; i < prediction.mean.size(); ++i) {
      fmt::format_to(out, "{}", prediction.mean[i]);
      if (with_probabilities) fmt::format_to(out, " {}", std::sqrt(prediction.variance[i]));
      text.push_back('\n');
    }
    return fmt::to_string(text);
  }
  for (std::size_t i = 0; i < prediction.classes.size(); ++i) {
    const std::string& name = class_name(model, prediction, i);
    fmt::format_to(out, "{}", with_probabilities ? as_word(name) : as_line(name));
    for (Index c = 0; with_probabilities && c < prediction.probabilities.cols(); ++c) {
      fmt::format_to(out, " {}", prediction.probabilities(i, c));
    }
    text.push_back('\n');
  }
  return fmt::to_string(text);
}

std::string prediction_csv(const Model& model, const Prediction& prediction,
                           bool with_probabilities) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  if (model.task == Task::regression) {
    fmt::format_to(out, "mean{}\n", with_probabilities ? ",sd" : "");
    for (Index i = 0; i < prediction.mean.size(); ++i) {
      fmt::format_to(out, "{}", prediction.mean[i]);
      if (with_probabilities) fmt::format_to(out, ",{}", std::sqrt(prediction.variance[i]));
      text.push_back('\n');
    }
    return fmt::to_string(text);
  }
  fmt::format_to(out, "prediction");
  for (const std::string& name : model.classes.names) {
    if (with_probabilities) fmt::format_to(out, ",{}", csv_field(fmt::format("p({})", name)));
  }
  text.push_back('\n');
  for (std::size_t i = 0; i < prediction.classes.size(); ++i) {
    fmt::format_to(out, "{}", csv_field(class_name(model, prediction, i)));
    for (Index c = 0; with_probabilities && c < prediction.probabilities.cols(); ++c) {
      fmt::format_to(out, ",{}", prediction.probabilities(i, c));
    }
    text.push_back('\n');
  }
  return fmt::to_string(text);
}

Json prediction_json(const Model& model, const Prediction& prediction) {
  Json json;
  if (model.task == Task::regression) {
    json["predictions"] = std::vector<double>(prediction.mean.begin(), prediction.mean.end());
    json["sd"] = Json::array();
    // std::sqrt rounds correctly; Eigen's may be off by a bit.
    for (const double variance : prediction.variance) json["sd"].push_back(std::sqrt(variance));
    return json;
  }
  json["labels"] = model.classes.names;
  json["predictions"] = Json::array();
  json["probabilities"] = Json::array();
  for (std::size_t i = 0; i < prediction.classes.size(); ++i) {
    const Vector row = prediction.probabilities.row(i);
    json["predictions"].push_back(class_name(model, prediction, i));
    json["probabilities"].push_back(std::vector<double>(row.begin(), row.end()));
  }
  return json;
}

void Agreement::add(const Model& model, const Dataset& data, const Prediction& prediction) {
  classification_ = model.task == Task::classification;
  if (data.labels.empty() || (!classification_ && !data.labels.numeric())) strange_ = true;
  for (Index i = 0; i < data.rows() && !strange_; ++i) {
    ++rows_;
    if (classification_) {
      const auto& names = data.labels.names;
      const auto label =
          names.empty() ? fmt::format("{}", data.labels.numbers[i]) : names[data.labels.ids[i]];
      const auto found = model.classes.find(label);
      strange_ = !found;
      right_ += found && *found == prediction.classes[i];
    } else {
      const double label = data.labels.numbers[i], error = label - prediction.mean[i];
      squared_error_ += error * error;
      const double before = label - mean_;
      mean_ += before / static_cast<double>(rows_);
      squares_ += before * (label - mean_);
    }
  }
}

double Agreement::rmse() const {
  return std::sqrt(squared_error_ / static_cast<double>(rows_));
}

std::string Agreement::text() const {
  if (!known()) return "";
  if (classification_) {
    return fmt::format("accuracy {:.6g} ({} of {} rows)\n",
                       static_cast<double>(right_) / static_cast<double>(rows_), right_, rows_);
  }
  std::string text = fmt::format("RMSE {:.6g}", rmse());
  if (squares_ > 0) text += fmt::format(", R2 {:.6g}", 1 - squared_error_ / squares_);
  return text + fmt::format(" ({} rows)\n", rows_);
}

void Agreement::add_to(Json& json) const {
  if (!known()) return;
  if (classification_) {
    json["accuracy"] = static_cast<double>(right_) / static_cast<double>(rows_);
    return;
  }
  json["rmse"] = rmse();
  if (squares_ > 0) json["r2"] = 1 - squared_error_ / squares_;
}

}  // namespace ardent::cli
