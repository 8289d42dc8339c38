// Training.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "ardent/estimators/doubly_sparse_training.h"
#include "ardent/estimators/engine_by_name.h"
#include "ardent/estimators/trainer.h"
#include "arrays.h"
#include "bind.h"
#include "calling.h"
#include "tables.h"

namespace ardent::python {
namespace {

Dataset dataset(const Table& table, const Labels& labels,
                const std::optional<Array1<double>>& weights) {
  Dataset data{.features = table.features,
               .labels = labels,
               .feature_names = table.names,
               .label_name = table.label_name,
               .source = "X"};
  if (weights) data.weights.assign(weights->data(), weights->data() + weights->size());
  return data;
}

/// `warm_start`: None, or an earlier model to begin from.
Model trained(const Table& table, const Labels& labels,
              const std::optional<Array1<double>>& weights, const OptionTexts& texts,
              const Model* warm_start, int threads, const nb::object& progress) {
  TrainOptions options = with_options(TrainOptions{}, texts);
  if (warm_start) options.warm_start = std::make_shared<const Model>(*warm_start);
  const Dataset data = dataset(table, labels, weights);
  return without_gil(threads, progress, [&](const ProgressCallback& callback) {
    return train(data, options, callback);
  });
}

using doubly_sparse::Estimate;

nb::dict estimate_of(const Estimate& estimate) {
  nb::dict about;
  about["mean"] = estimate.mean;
  about["error"] = estimate.error;
  about["effective"] = estimate.effective;
  about["r_hat"] = estimate.r_hat;
  return about;
}

nb::dict estimates_of(const std::vector<Estimate>& estimates) {
  std::vector<double> mean, error, effective, r_hat;
  for (const Estimate& estimate : estimates) {
    mean.push_back(estimate.mean);
    error.push_back(estimate.error);
    effective.push_back(estimate.effective);
    r_hat.push_back(estimate.r_hat);
  }
  nb::dict about;
  about["mean"] = numpy_of(std::move(mean));
  about["error"] = numpy_of(std::move(error));
  about["effective"] = numpy_of(std::move(effective));
  about["r_hat"] = numpy_of(std::move(r_hat));
  return about;
}

/// Sweeps × chains each; empty where there is nothing to show.
nb::dict traces_of(const doubly_sparse::ChainsTraces& traces) {
  nb::dict about;
  about["log_likelihood"] = numpy_of(traces.log_likelihood);
  about["features_on"] = numpy_of(traces.features_on);
  about["basis_on"] = numpy_of(traces.basis_on);
  about["log_delta"] = numpy_of(traces.log_delta);
  about["log_xi"] = numpy_of(traces.log_xi);
  about["log_noise"] = numpy_of(traces.log_noise);
  about["features"] = numpy_of(traces.features);
  return about;
}

nb::dict summary_of(const DoublySparseReport& fit) {
  const doubly_sparse::ChainsSummary& summary = fit.summary;
  nb::dict about;
  about["columns"] = numpy_of(fit.columns);
  about["candidates"] = numpy_of(fit.candidates);
  about["features"] = estimates_of(summary.features);
  about["basis"] = estimates_of(summary.basis);
  about["log_likelihood"] = estimate_of(summary.log_likelihood);
  about["features_on"] = estimate_of(summary.features_on);
  about["basis_on"] = estimate_of(summary.basis_on);
  about["log_delta"] = estimate_of(summary.log_delta);
  about["log_xi"] = estimate_of(summary.log_xi);
  about["log_noise"] = estimate_of(summary.log_noise);
  about["traces"] = traces_of(summary.traces);
  about["feature_flips"] = summary.feature_flips;
  about["basis_flips"] = summary.basis_flips;
  about["delta_acceptance"] = summary.delta_acceptance;
  about["ended_by"] = doubly_sparse::ending_name(summary.ending);
  about["warnings"] = summary.warnings;
  about["delta"] = fit.delta;
  return about;
}

/// The model, and for each of its parts what the chains say.
nb::tuple trained_doubly_sparse(const Table& table, const Labels& labels,
                                const std::optional<Array1<double>>& weights,
                                const OptionTexts& texts, const std::string& checkpoint,
                                int threads, const nb::object& progress) {
  const TrainOptions options = with_options(TrainOptions{}, texts);
  const Dataset data = dataset(table, labels, weights);
  DoublySparseFit fit = without_gil(threads, progress, [&](const ProgressCallback& callback) {
    return fit_doubly_sparse(data, options, {.path = checkpoint}, callback);
  });
  nb::list summaries;
  for (const DoublySparseReport& one : fit.fits) summaries.append(summary_of(one));
  return nb::make_tuple(nb::cast(std::move(fit.model)), summaries);
}

}  // namespace

void bind_estimators(nb::module_& module) {
  module.def("train", &trained, nb::arg("table"), nb::arg("labels"), nb::arg("weights").none(),
             nb::arg("options"), nb::arg("warm_start").none(), nb::arg("threads"),
             nb::arg("progress").none());
  module.def("train_doubly_sparse", &trained_doubly_sparse, nb::arg("table"), nb::arg("labels"),
             nb::arg("weights").none(), nb::arg("options"), nb::arg("checkpoint"),
             nb::arg("threads"), nb::arg("progress").none());
  module.def(
      "resolve_task",
      [](const Labels& labels, const std::string& task) {
        return std::string(task_name(resolve_task(labels, task)));
      },
      nb::arg("labels"), nb::arg("task"));
  module.def(
      "choose_engine",
      [](const std::string& engine, const std::string& map, Index rows, Index cols) {
        return choose_engine(engine, map, rows, cols);
      },
      nb::arg("engine"), nb::arg("map"), nb::arg("rows"), nb::arg("cols"),
      "What the engine 'auto' means for a design of this size.");
}

}  // namespace ardent::python
