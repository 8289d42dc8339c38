#include "ardent/model/public_model.h"

#include <cmath>

#include "ardent/data/public_dataset.h"
#include "ardent/data/reader.h"
#include "ardent/model/model_file.h"
#include "ardent/model/predict.h"
#include "ardent/model/read_for.h"

namespace ardent {
namespace {

std::vector<v0::Weight> public_weights(const Model& model, const Posterior& posterior) {
  std::vector<v0::Weight> weights;
  for (std::size_t k = 0; k < posterior.active.size(); ++k) {
    const Index basis = posterior.active[k];
    weights.push_back({.name = basis_name(model, basis),
                       .origin = origin(model)[basis],
                       .mean = posterior.mean[k],
                       .sd = std::sqrt(posterior.variance[k]),
                       .relevance = posterior.gamma[k]});
  }
  return weights;
}

std::vector<v0::Part> public_parts(const Model& model) {
  const auto class_name = [&](Index k) { return k < 0 ? std::string() : model.classes.names[k]; };
  std::vector<v0::Part> parts;
  for (const Part& part : model.parts) {
    parts.push_back({.positive = class_name(part.positive),
                     .negative = class_name(part.negative),
                     .weights = public_weights(model, part.posterior),
                     .bias = part.posterior.bias,
                     .noise_variance = part.posterior.noise_variance,
                     .log_evidence = part.posterior.log_evidence,
                     .status = std::string(status_name(part.report.status))});
  }
  return parts;
}

}  // namespace

v0::Model published(Model model) {
  std::vector<v0::Part> parts = public_parts(model);
  return v0::Model(std::make_shared<const v0::Model::Held>(std::move(model), std::move(parts)));
}

PredictOptions internal_options(const v0::PredictOptions& options) {
  return {.moderated = options.moderated, .plug_in = options.plug_in};
}

namespace v0 {

Task Model::task() const {
  return held_->model.task == ardent::Task::regression ? Task::regression : Task::classification;
}

std::string Model::map() const {
  return std::string(map_name(held_->model));
}

Index Model::features() const {
  return held_->model.features;
}

std::vector<std::string> Model::classes() const {
  return held_->model.classes.names;
}

const std::vector<Part>& Model::parts() const {
  return held_->parts;
}

double Model::kept() const {
  return mean_active(held_->model);
}

Index Model::candidates() const {
  return held_->model.total;
}

double Model::log_evidence() const {
  return ardent::log_evidence(held_->model);
}

OptionTexts Model::options() const {
  return held_->model.options;
}

std::string Model::summary() const {
  return describe_fit(held_->model);
}

void save_model(const Model& model, const std::string& path) {
  ardent::save_model(model.held().model, path);
}

Model load_model(const std::string& path) {
  return published(ardent::load_model(path));
}

Prediction predict(const Model& model, const Dataset& data, const PredictOptions& options) {
  const ardent::Model& held = model.held().model;
  ardent::Prediction found = ardent::predict(held, data.held().data, internal_options(options));
  Prediction prediction;
  for (const std::uint32_t id : found.classes) {
    prediction.labels.push_back(held.classes.names[id]);
  }
  prediction.probabilities = public_matrix(found.probabilities);
  prediction.mean.assign(found.mean.begin(), found.mean.end());
  prediction.variance.assign(found.variance.begin(), found.variance.end());
  prediction.warnings = std::move(found.warnings);
  return prediction;
}

Prediction predict(const Model& model, const Matrix& rows, const PredictOptions& options) {
  return predict(model, Dataset(rows), options);
}

Dataset read_dataset_for(const Model& model, const std::string& path, const ReadOptions& options) {
  const ardent::ReadOptions read =
      read_options_for(model.held().model, internal_options(options), true);
  return published(ardent::read_dataset(path, read));
}

}  // namespace v0
}  // namespace ardent
