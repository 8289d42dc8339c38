#include "ardent/estimators/evaluation.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A fold's model meets the classes in another order; its confusion is told in the order of all.
Eigen::MatrixXi in_order_of(const ClassTable& all, const ClassTable& fold,
                            const Eigen::MatrixXi& confusion) {
  Eigen::MatrixXi ordered = Eigen::MatrixXi::Zero(all.size(), all.size());
  std::vector<Index> place;
  for (const std::string& name : fold.names) place.push_back(all.find(name).value());
  for (Index i = 0; i < fold.size(); ++i) {
    for (Index j = 0; j < fold.size(); ++j) {
      ordered(place[static_cast<std::size_t>(i)], place[static_cast<std::size_t>(j)]) =
          confusion(i, j);
    }
  }
  return ordered;
}

}  // namespace

std::vector<std::pair<std::string, double>> scalars(const Evaluation& e) {
  std::vector<std::pair<std::string, double>> named;
  if (e.task == Task::classification) {
    const auto& m = e.classification;
    named = {{"accuracy", m.accuracy},
             {"balanced_accuracy", m.balanced_accuracy},
             {"log_loss", m.log_loss},
             {"f1", m.f1},
             {"auc", m.auc},
             {"brier", m.brier},
             {"ece", m.ece}};
  } else {
    const auto& m = e.regression;
    named = {{"rmse", m.rmse}, {"mae", m.mae}, {"r2", m.r2}, {"nlpd", m.nlpd}};
  }
  named.insert(
      named.end(),
      {{"active", e.active}, {"total", e.total}, {"evidence", e.evidence}, {"seconds", e.seconds}});
  return named;
}

Evaluation evaluate(const Model& model, const Dataset& data, const PredictOptions& options) {
  if (data.labels.empty()) {
    throw InputError(fmt::format("{}: evaluation needs labels, and there are none", data.source));
  }
  const auto start = std::chrono::steady_clock::now();
  const Prediction prediction = predict(model, data, options);
  Evaluation e;
  e.seconds = seconds_since(start);
  e.task = model.task;
  e.rows = data.rows();
  e.active = mean_active(model);
  e.total = static_cast<double>(model.total);
  e.evidence = log_evidence(model);
  if (model.task == Task::classification) {
    e.classification =
        classification_metrics(encode(data.labels, model.classes), prediction.classes,
                               prediction.probabilities, model.classes.positive);
  } else {
    if (!data.labels.numeric()) {
      throw InputError(
          fmt::format("{}: a regression model is evaluated on numbers, but label {} "
                      "is none",
                      data.source, quoted(data.labels.names.front())));
    }
    e.regression = regression_metrics(data.labels.numbers, prediction.mean, prediction.variance);
  }
  return e;
}

std::vector<Evaluation> cross_validate(const Dataset& data, const TrainOptions& options,
                                       Index folds, std::uint64_t fold_seed,
                                       const PredictOptions& predict_options,
                                       const ProgressCallback& progress) {
  // The task is settled on all rows: a fold must not take another one for its few labels.
  TrainOptions fold_options = options;
  const Task task = resolve_task(data.labels, options.task);
  fold_options.task = task_name(task);
  const bool classification = task == Task::classification;
  const ClassTable classes = classification ? make_classes(data.labels) : ClassTable{};
  const auto splits = classification
                          ? stratified_folds(encode(data.labels, classes), folds, fold_seed)
                          : shuffled_folds(data.rows(), folds, fold_seed);
  std::vector<Evaluation> evaluations(splits.size());
  std::mutex mutex;
  Index done = 0;
  parallel_for(static_cast<Index>(splits.size()), [&](Index f) {
    const Split& split = splits[static_cast<std::size_t>(f)];
    const auto start = std::chrono::steady_clock::now();
    const Model model = train(select_rows(data, split.train), fold_options);
    Evaluation& e = evaluations[static_cast<std::size_t>(f)];
    e = evaluate(model, select_rows(data, split.test), predict_options);
    e.seconds = seconds_since(start);
    if (classification) {
      auto& confusion = e.classification.confusion;
      confusion = in_order_of(classes, model.classes, confusion);
    }
    const std::lock_guard lock(mutex);
    ++done;
    if (progress) progress({"cross-validation", done, folds, e.evidence, Index(e.active)});
  });
  return evaluations;
}

Summary summarise(std::span<const double> values) {
  const double n = static_cast<double>(values.size());
  if (values.empty()) return {};
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (n - 1)) : 0.0};
}

}  // namespace ardent
