#include "ardent/estimators/evaluation.h"

#include <fmt/format.h>

#include <cmath>
#include <mutex>
#include <numeric>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/base/stopwatch.h"

namespace ardent {
namespace {

/// A fold's model meets the classes in another order; its confusion is reported in the order of
/// all.
Eigen::MatrixXi in_order_of(const ClassTable& all, const ClassTable& fold,
                            const Eigen::MatrixXi& confusion) {
  Eigen::MatrixXi ordered = Eigen::MatrixXi::Zero(all.size(), all.size());
  std::vector<Index> place;
  for (const std::string& name : fold.names) place.push_back(all.find(name).value());
  for (Index i = 0; i < fold.size(); ++i) {
    for (Index j = 0; j < fold.size(); ++j) {
      ordered(place[i], place[j]) = confusion(i, j);
    }
  }
  return ordered;
}

/// What a process sends of the fold that it evaluated (packed.h).
template <class Stream, class AnEvaluation>
void transfer_evaluation(Stream& stream, AnEvaluation& e) {
  stream.field("task", e.task);
  auto& m = e.classification;
  for (auto* score : {&m.accuracy, &m.balanced_accuracy, &m.log_loss, &m.f1, &m.auc, &m.brier,
                      &m.ece}) {
    stream.field("classes", *score);
  }
  stream.matrix("confusion", m.confusion);
  stream.field("regression", e.regression);
  stream.field("rows", e.rows);
  for (auto* number : {&e.active, &e.total, &e.evidence, &e.seconds}) stream.field("numbers", *number);
  stream.each("warnings", e.warnings, [](auto& s, auto& text) { s.field("warning", text); });
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
  const Stopwatch watch;
  const Prediction prediction = predict(model, data, options);
  Evaluation e;
  e.seconds = watch.seconds();
  e.task = model.task;
  e.rows = data.rows();
  e.active = prediction.active;
  e.warnings = prediction.warnings;
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
                      data.source, in_quotes(data.labels.names.front())));
    }
    e.regression = regression_metrics(data.labels.numbers, prediction.mean, prediction.variance);
  }
  return e;
}

FoldPlan plan_folds(const Dataset& data, const std::string& task, Index folds,
                    std::uint64_t fold_seed) {
  FoldPlan plan;
  plan.task = resolve_task(data.labels, task);
  if (plan.task == Task::classification) {
    plan.classes = make_classes(data.labels);
    plan.splits = stratified_folds(encode(data.labels, plan.classes), folds, fold_seed);
  } else {
    plan.splits = shuffled_folds(data.rows(), folds, fold_seed);
  }
  return plan;
}

Evaluation evaluate_fold(const Dataset& data, const FoldPlan& plan, Index fold,
                         const TrainOptions& options, const PredictOptions& predict_options,
                         SharedDistances* distances) {
  TrainOptions fold_options = options;
  fold_options.task = task_name(plan.task);
  const Split& split = plan.splits[fold];
  const Stopwatch watch;
  const Model model = train(select_rows(data, split.train), fold_options, {}, distances);
  Evaluation e = evaluate(model, select_rows(data, split.test), predict_options);
  e.seconds = watch.seconds();
  if (plan.task == Task::classification) {
    auto& confusion = e.classification.confusion;
    confusion = in_order_of(plan.classes, model.classes, confusion);
  }
  return e;
}

std::vector<Evaluation> cross_validate(const Dataset& data, const TrainOptions& options,
                                       Index folds, std::uint64_t fold_seed,
                                       const PredictOptions& predict_options,
                                       const ProgressCallback& progress, TaskFarm* farm) {
  const FoldPlan plan = plan_folds(data, options.task, folds, fold_seed);
  std::mutex mutex;
  Index done = 0;
  const auto work = [&](Index f) {
    Evaluation e = evaluate_fold(data, plan, f, options, predict_options);
    const std::lock_guard lock(mutex);
    ++done;
    if (progress) progress({"cross-validation", done, folds, e.evidence, Index(e.active)});
    return e;
  };
  return dealt_out<Evaluation>(farm, std::ssize(plan.splits), work,
                               [](auto& stream, auto& e) { transfer_evaluation(stream, e); });
}

NamedValues by_name(std::span<const Evaluation> evaluations) {
  NamedValues named;
  for (const Evaluation& evaluation : evaluations) {
    const auto values = scalars(evaluation);
    named.resize(values.size());
    for (std::size_t s = 0; s < values.size(); ++s) {
      named[s].first = values[s].first;
      named[s].second.push_back(values[s].second);
    }
  }
  return named;
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
