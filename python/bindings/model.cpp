// Model: what was learnt, its file, its predictions.
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/model/combine.h"
#include "ardent/model/model_file.h"
#include "ardent/model/path.h"
#include "ardent/model/predict.h"
#include "arrays.h"
#include "bind.h"
#include "calling.h"
#include "tables.h"

namespace ardent::python {
namespace {

nb::dict stages_of(const Report& report) {
  std::vector<double> evidence, change;
  std::vector<Index> active, newton_steps;
  for (const Stage& stage : report.stages) {
    evidence.push_back(stage.log_evidence);
    change.push_back(stage.change);
    active.push_back(stage.active);
    newton_steps.push_back(stage.newton_steps);
  }
  nb::dict stages;
  stages["log_evidence"] = numpy_of(std::move(evidence));
  stages["active"] = numpy_of(std::move(active));
  stages["newton_steps"] = numpy_of(std::move(newton_steps));
  stages["change"] = numpy_of(std::move(change));
  return stages;
}

nb::dict report_of(const Part& part) {
  nb::dict report;
  report["status"] = std::string(status_name(part.report.status));
  report["stages"] = stages_of(part.report);
  report["warnings"] = part.report.warnings;
  report["notes"] = part.report.notes;
  report["candidates"] = part.report.candidates;
  report["seconds"] = part.report.seconds;
  report["engine"] = part.report.engine;
  return report;
}

nb::dict posterior_of(const Model& model, std::size_t p) {
  const Part& part = model.parts[p];
  const Posterior& posterior = part.posterior;
  const auto* doubly_sparse = std::get_if<DoublySparseModel>(&model.kind);
  nb::dict about;
  about["positive"] = part.positive;
  about["negative"] = part.negative;
  about["active"] = numpy_of(posterior.active);
  about["mean"] = numpy_of(posterior.mean);
  about["alpha"] = numpy_of(posterior.alpha);
  about["gamma"] = numpy_of(posterior.gamma);
  about["variance"] = numpy_of(posterior.variance);
  about["has_bias"] = posterior.has_bias;
  about["bias"] = posterior.bias;
  about["noise_variance"] = posterior.noise_variance;
  about["log_evidence"] = posterior.log_evidence;
  about["inclusion"] =
      numpy_of(doubly_sparse ? doubly_sparse->samples[p].inclusion : std::vector<double>{});
  return about;
}

/// Which inputs are on in each draw of a part (draws × inputs); of other models nothing.
NumPy2<double> masks_of(const Model& model, std::size_t p) {
  const auto* doubly_sparse = std::get_if<DoublySparseModel>(&model.kind);
  if (!doubly_sparse) return numpy_of(Matrix(0, 0));
  const auto& draws = doubly_sparse->samples.at(p).draws;
  Matrix masks = Matrix::Zero(std::ssize(draws), std::ssize(model.inputs));
  for (std::size_t d = 0; d < draws.size(); ++d) {
    for (const Index input : draws[d].inputs) masks(static_cast<Index>(d), input) = 1;
  }
  return numpy_of(std::move(masks));
}

/// A linear model over its own inputs alone: new data need just those columns. For kernels that
/// Python computes, whose columns are training rows.
Model compacted(Model model) {
  if (!is_linear(model) || model.scaling.unit_rows()) {
    throw InputError("only linear models whose scaling looks at single columns can be compacted");
  }
  model.features = std::ssize(model.inputs);
  model.inputs = index_range(0, model.features);
  model.kind = EvidenceModel{std::make_shared<LinearMap>(model.inputs)};
  return model;
}

nb::dict prediction_of(const Model& model, const Table& table, bool moderated, bool plug_in,
                       bool variance, bool probabilities, int threads) {
  Dataset data{
      .features = table.features, .labels = {}, .feature_names = table.names, .source = "X"};
  const PredictOptions options{.moderated = moderated,
                               .plug_in = plug_in,
                               .variance = variance,
                               .probabilities = probabilities};
  Prediction prediction = without_gil(
      threads, nb::none(), [&](const ProgressCallback&) { return predict(model, data, options); });
  nb::dict result;
  if (model.task == Task::classification) {
    result["classes"] = numpy_of(std::move(prediction.classes));
    result["probabilities"] = numpy_of(std::move(prediction.probabilities));
  } else {
    result["mean"] = numpy_of(prediction.mean);
    result["variance"] = numpy_of(prediction.variance);
  }
  result["warnings"] = prediction.warnings;
  return result;
}

nb::dict latent_of(const Model& model, const Table& table, int threads) {
  Dataset data{
      .features = table.features, .labels = {}, .feature_names = table.names, .source = "X"};
  Latent found = without_gil(threads, nb::none(),
                             [&](const ProgressCallback&) { return latent(model, data); });
  nb::list draws;
  for (Matrix& part : found.draws) draws.append(numpy_of(std::move(part)));
  nb::dict result;
  result["mean"] = numpy_of(std::move(found.moments.mean));
  result["variance"] = numpy_of(std::move(found.moments.variance));
  result["draws"] = draws;
  return result;
}

NumPy2<double> combined(const Model& model, const Array2<double>& part_probabilities, int threads) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Matrix p = Eigen::Map<const RowMajor>(part_probabilities.data(),
                                              static_cast<Index>(part_probabilities.shape(0)),
                                              static_cast<Index>(part_probabilities.shape(1)));
  if (p.cols() != static_cast<Index>(model.parts.size())) {
    throw InputError("the probabilities of every part are needed");
  }
  return numpy_of(without_gil(threads, nb::none(),
                              [&](const ProgressCallback&) { return combine_rows(model, p); }));
}

void set_state(Model* model, const nb::bytes& bytes) {
  new (model) Model(model_from_bytes({bytes.c_str(), bytes.size()}));
}

nb::bytes bytes_of(const Model& model) {
  const std::string bytes = model_bytes(model);
  return nb::bytes(bytes.data(), bytes.size());
}

/// A call of the class with the bytes of the file: what skops accepts without pickle, too.
nb::tuple reduced(const nb::handle& model) {
  return nb::make_tuple(model.type(), nb::make_tuple(bytes_of(nb::cast<const Model&>(model))));
}

void bind_fields(nb::class_<Model>& model) {
  model.def_prop_ro("task", [](const Model& m) { return std::string(task_name(m.task)); })
      .def_prop_ro("map", [](const Model& m) { return std::string(map_name(m)); })
      .def_ro("features", &Model::features)
      .def_ro("total", &Model::total)
      .def_ro("options", &Model::options)
      .def_ro("feature_names", &Model::feature_names)
      .def_rw("label_type", &Model::label_type)
      .def_prop_ro(
          "inputs", [](const Model& m) { return numpy_of(m.inputs); }, nb::rv_policy::move)
      .def_prop_ro(
          "origin", [](const Model& m) { return numpy_of(origin(m)); }, nb::rv_policy::move)
      .def_prop_ro("map_parameters",
                   [](const Model& m) {
                     const auto named = map_parameters(m);
                     return std::map<std::string, double>(named.begin(), named.end());
                   })
      .def_prop_ro("scale", [](const Model& m) { return std::string(scale_name(m.scaling.kind)); })
      .def_prop_ro(
          "offset", [](const Model& m) { return numpy_of(m.scaling.offset); }, nb::rv_policy::move)
      .def_prop_ro(
          "factor", [](const Model& m) { return numpy_of(m.scaling.factor); }, nb::rv_policy::move)
      .def_prop_ro("class_names", [](const Model& m) { return m.classes.names; })
      .def_prop_ro(
          "class_values", [](const Model& m) { return numpy_of(m.classes.values); },
          nb::rv_policy::move)
      .def_prop_ro("log_evidence", [](const Model& m) { return log_evidence(m); })
      .def_prop_ro("mean_active", [](const Model& m) { return mean_active(m); })
      .def_prop_ro("path_stages", [](const Model& m) { return path_stages(m); })
      .def_prop_ro("posteriors",
                   [](const Model& m) {
                     nb::list parts;
                     for (std::size_t p = 0; p < m.parts.size(); ++p) {
                       parts.append(posterior_of(m, p));
                     }
                     return parts;
                   })
      .def_prop_ro("reports", [](const Model& m) {
        nb::list parts;
        for (const Part& part : m.parts) parts.append(report_of(part));
        return parts;
      });
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Model> model(module, "Model",
                          "Feature map, posterior and schema: all that prediction needs.");
  bind_fields(model);
  model
      .def(
          "covariance",
          [](const Model& m, std::size_t part) {
            return numpy_of(m.parts.at(part).posterior.covariance);
          },
          nb::arg("part"), "Of the weights, the bias (if any) last; 0 x 0 where it was not formed.")
      .def(
          "at_stage", [](const Model& m, Index stage) { return at_stage(m, stage); },
          nb::arg("stage"))
      .def("masks", &masks_of, nb::arg("part"),
           "Which inputs are on in each sampled state of a part: states x inputs.")
      .def("compacted", &compacted)
      .def("to_bytes", &bytes_of, "The model file.")
      .def(
          "save", [](const Model& m, const std::string& path) { save_model(m, path); },
          nb::arg("path"))
      .def("__init__", &set_state, nb::arg("bytes"), "From the bytes of a model file.")
      .def("__reduce__", &reduced)
      .def("__setstate__", &set_state);  // of pickles of version 0.1
  module.def("load_model", &load_model, nb::arg("path"));
  module.def("predict", &prediction_of, nb::arg("model"), nb::arg("table"), nb::arg("moderated"),
             nb::arg("plug_in"), nb::arg("variance"), nb::arg("probabilities"), nb::arg("threads"),
             "Without probabilities those of two classes are empty.");
  module.def(
      "latent", &latent_of, nb::arg("model"), nb::arg("table"), nb::arg("threads"),
      "Mean and variance (rows x parts) of the predictors; of mask models their draws, too.");
  module.def("combine", &combined, nb::arg("model"), nb::arg("part_probabilities"),
             nb::arg("threads"),
             "Rows x classes from each part's probability of its positive class.");
}

}  // namespace ardent::python
