// What include/ardent/train.h and evaluate.h declare.
#include "ardent/base/given_options.h"
#include "ardent/data/public_dataset.h"
#include "ardent/estimators/evaluation.h"
#include "ardent/estimators/trainer.h"
#include "ardent/evaluate.h"
#include "ardent/model/public_model.h"
#include "ardent/train.h"

namespace ardent {
namespace {

TrainOptions internal_options(const v0::TrainOptions& options) {
  TrainOptions training;
  Schema fields = schema(training);
  GivenOptions(fields)
      .set("task", options.task)
      .set("map", options.map)
      .set("engine", options.engine)
      .set("scale", options.scale)
      .set("sigma", options.sigma)
      .set("centres", options.centres)
      .set("hidden", options.hidden)
      .set("bias", options.bias)
      .set("size", options.size)
      .set("seed", options.seed)
      .finish(options.more);
  return training;
}

v0::Metrics public_metrics(const Evaluation& evaluation) {
  v0::Metrics metrics;
  for (const auto& [name, value] : scalars(evaluation)) metrics[name] = value;
  return metrics;
}

}  // namespace

namespace v0 {

Model train(const Dataset& data, const TrainOptions& options, const ProgressCallback& progress) {
  return published(ardent::train(data.held().data, internal_options(options), progress));
}

Metrics evaluate(const Model& model, const Dataset& data, const PredictOptions& options) {
  return public_metrics(
      ardent::evaluate(model.held().model, data.held().data, ardent::internal_options(options)));
}

std::vector<Metrics> cross_validate(const Dataset& data, const TrainOptions& options, Index folds,
                                    std::uint64_t seed, const ProgressCallback& progress) {
  std::vector<Metrics> metrics;
  for (const Evaluation& fold : ardent::cross_validate(data.held().data, internal_options(options),
                                                       folds, seed, {}, progress)) {
    metrics.push_back(public_metrics(fold));
  }
  return metrics;
}

}  // namespace v0
}  // namespace ardent
