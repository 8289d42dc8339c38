#include "ardent/estimators/training_set.h"

#include <fmt/format.h>

#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/data/gaps.h"
#include "ardent/estimators/class_weights.h"

namespace ardent {
namespace {

/// Rows that count; all of them where no weights are given.
std::vector<Index> rows_that_count(const Dataset& data, bool everything) {
  const bool weighted = !everything && std::ssize(data.weights) == data.rows();
  std::vector<Index> rows;
  for (Index i = 0; i < data.rows(); ++i) {
    if (!weighted || data.weights[i] != 0) rows.push_back(i);
  }
  if (rows.empty()) throw InputError(fmt::format("{}: every row has weight 0", data.source));
  return rows;
}

std::vector<Problem> make_problems(const Dataset& data, const Model& model,
                                   const TrainOptions& options) {
  if (model.task == Task::regression) return {regression_problem(data)};
  return class_problems(data, model.classes, options.multiclass, options.class_weight);
}

/// Puts the columns' means where values are missing, and returns them; none where the table was
/// read without missing values.
Vector fill_gaps(ScaleKind kind, std::span<const double> weights, Dataset& data) {
  if (data.layout.missing == "error" && !data.has_gaps) return {};
  if (kind == ScaleKind::tfidf) {
    throw InputError("the scale tfidf takes no missing values: choose another, or fill them in");
  }
  const Vector fill = column_means_over_gaps(data.features, weights);
  data.features = filled(data.features, fill);
  data.has_gaps = false;
  return fill;
}

/// Scales the columns that vary.
void scale_inputs(const TrainOptions& options, const TrainingRules& rules, TrainingSet& set) {
  ScaleKind kind = parse_scale(options.scale);
  if (kind == ScaleKind::automatic) kind = rules.automatic_scale;
  const std::span<const double> weights =
      rules.everything ? std::span<const double>() : set.data.weights;
  const Vector fill = fill_gaps(kind, weights, set.data);
  const Features& features = set.data.features;
  Scaling scaling = fit_scaling(features, kind, weights, set.data.share.get());
  scaling.fill = fill;
  set.model.inputs = rules.everything ? index_range(0, set.data.cols()) : varying_columns(scaling);
  set.model.scaling = select_columns(scaling, set.model.inputs);
  set.scaled = scaled_columns(features, scaling, set.model.inputs);
}

}  // namespace

TrainingSet make_training_set(const Dataset& data, const TrainOptions& options,
                              const TrainingRules& rules) {
  check_training_data(data);
  TrainingSet set;
  set.rows = rows_that_count(data, rules.everything);
  set.data = std::ssize(set.rows) < data.rows() ? select_rows(data, set.rows) : data;
  Model& model = set.model;
  model.task = resolve_task(set.data.labels, options.task);
  model.features = data.cols();
  model.label_name = data.label_name;
  model.layout = data.layout;
  model.options = recorded(options);
  if (model.task == Task::classification) {
    model.classes = make_classes(set.data.labels);
    apply_class_weights(parse_class_weights(options.class_weight), model.classes, set.data);
  }
  if (!rules.everything) set.problems = make_problems(set.data, model, options);
  scale_inputs(options, rules, set);
  return set;
}

ProgressCallback PartProgress::of(Index part) {
  if (!callback_ || parts_ == 1) return callback_;
  return [this, part](ProgressEvent event) {
    const std::lock_guard lock(mutex_);
    const std::string name = fmt::format("model {}/{}", part + 1, parts_);
    event.task = joint_ ? fmt::format("{} {}", name, event.task) : name;
    if (joint_) {
      event.done = ++done_;
      event.total *= parts_;
    } else {
      event.models = parts_;
      event.models_done = done_;
    }
    return callback_(event);
  };
}

void PartProgress::finish_part() {
  const std::lock_guard lock(mutex_);
  ++done_;
}

void keep_inputs(std::span<const Index> kept, Model& model) {
  std::vector<Index> inputs;
  for (const Index k : kept) inputs.push_back(model.inputs[k]);
  model.inputs = std::move(inputs);
  model.scaling = select_columns(model.scaling, kept);
}

void name_inputs(const std::vector<std::string>& feature_names, Model& model) {
  for (const Index column : model.inputs) {
    if (feature_names.empty()) break;
    model.feature_names.push_back(feature_names[column]);
  }
}

}  // namespace ardent
