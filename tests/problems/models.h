// Models made up of random numbers, without training, for tests of prediction and of model files.
#pragma once

#include <string>
#include <vector>

#include "ardent/base/random.h"
#include "ardent/maps/elm.h"
#include "ardent/maps/rbf.h"
#include "ardent/model/model.h"

namespace ardent::problems {

inline Vector random_vector(Random& random, Index size) {
  Vector v(size);
  for (double& x : v) x = random.normal();
  return v;
}

inline DenseRows random_dense(Random& random, Index rows, Index cols) {
  const Vector values = random_vector(random, rows * cols);
  return {rows, cols, Buffer<double>::copy_of({values.data(), static_cast<size_t>(values.size())})};
}

/// About half of the values are zero; the others are exact in float32.
inline DenseRows random_half_empty(Random& random, Index rows, Index cols) {
  std::vector<double> values(rows * cols);
  for (double& x : values) {
    const auto value = static_cast<float>(random.normal());
    x = random.uniform() < 0.5 ? 0.0 : value;
  }
  return {rows, cols, Buffer<double>::copy_of(values)};
}

/// Keeps each of `offered` basis functions with probability ½, but at least the last.
inline Posterior random_posterior(Random& random, Index candidates, bool bias, bool covariance,
                                  bool gaussian) {
  Posterior posterior;
  for (Index k = 0; k < candidates; ++k) {
    if (k + 1 == candidates || random.uniform() < 0.5) posterior.active.push_back(k);
  }
  const auto m = std::ssize(posterior.active);
  const Index weights = m + (bias ? 1 : 0);
  posterior.mean = random_vector(random, m);
  posterior.alpha = random_vector(random, m).cwiseAbs();
  posterior.gamma = random_vector(random, m).cwiseAbs().cwiseMin(1.0);
  Matrix root(weights, weights);
  for (Index j = 0; j < weights; ++j) root.col(j) = random_vector(random, weights);
  Matrix spread(weights, weights);
  for (Index i = 0; i < weights; ++i) {
    for (Index j = 0; j <= i; ++j) {
      spread(i, j) = spread(j, i) = 0.1 * root.row(i).dot(root.row(j));
    }
  }
  posterior.variance = spread.diagonal();
  if (covariance) posterior.covariance = spread;
  posterior.has_bias = bias;
  posterior.bias = bias ? random.normal() : 0;
  posterior.noise_variance = gaussian ? 0.25 + random.uniform() : 0;
  posterior.log_evidence = -100 * random.uniform();
  return posterior;
}

struct ModelKind {
  std::string map = "linear";
  Index classes = 2;  // 0: regression
  bool pairs = false;
  bool sparse_centres = false;
  bool covariance = true;
  bool bias = true;
  ScaleKind scale = ScaleKind::standard;
};

inline MapPointer random_map(Random& random, const ModelKind& kind, const Model& model) {
  constexpr Index kBasis = 6;
  const auto inputs = std::ssize(model.inputs);
  const std::vector<Index> origin{0, 2, 3, 7, 11, 12};
  if (kind.map == "linear") return std::make_shared<LinearMap>(model.inputs);
  if (kind.map == "rbf") {
    const DenseRows centres = random_half_empty(random, kBasis, inputs);
    if (kind.sparse_centres) return std::make_shared<RbfMap>(to_sparse(centres), 1.7, origin);
    return std::make_shared<RbfMap>(centres, 1.7, origin);
  }
  HiddenLayer layer{random_dense(random, kBasis, inputs), {}};
  for (Index k = 0; k < kBasis; ++k) layer.biases.push_back(random.normal());
  return std::make_shared<ElmMap>(std::move(layer), origin);
}

inline void add_random_parts(Random& random, const ModelKind& kind, Model& model) {
  std::vector<std::pair<Index, Index>> sides;
  if (kind.classes == 0) sides = {{-1, -1}};
  if (kind.classes == 2) sides = {{model.classes.positive, 1 - model.classes.positive}};
  for (Index i = 0; i < kind.classes && kind.classes > 2; ++i) {
    if (!kind.pairs) sides.emplace_back(i, -1);
    for (Index j = i + 1; j < kind.classes && kind.pairs; ++j) sides.emplace_back(i, j);
  }
  const auto candidates = std::ssize(origin(model));
  for (const auto& [positive, negative] : sides) {
    Part part{positive,
              negative,
              random_posterior(random, candidates, kind.bias, kind.covariance, kind.classes == 0),
              {}};
    part.report.status = Status::stalled;
    part.report.stages = {{-3.5, 6, 4, 1.0 / 3}, {-2.25, 5, 2, 1e-4}};
    part.report.warnings = {"first", std::string("not UTF-8: \xff\x00!", 13)};
    model.parts.push_back(std::move(part));
  }
}

/// Uses 5 of 8 features.
inline Model random_model(const ModelKind& kind, std::uint64_t seed = 1) {
  Random random(seed);
  Model model;
  model.task = kind.classes == 0 ? Task::regression : Task::classification;
  model.features = 8;
  model.inputs = {0, 2, 3, 5, 7};
  const auto inputs = std::ssize(model.inputs);
  model.scaling = {kind.scale, Vector::Zero(inputs), Vector::Ones(inputs)};
  if (kind.scale != ScaleKind::none) {
    model.scaling.factor = random_vector(random, inputs).cwiseAbs();
  }
  if (kind.scale == ScaleKind::standard) model.scaling.offset = random_vector(random, inputs);
  for (Index c = 0; c < kind.classes; ++c) {
    model.classes.names.push_back("class " + std::to_string(c));
  }
  model.classes.positive = kind.classes == 2 ? 1 : 0;
  model.label_name = "kind";
  model.total = 20;
  model.options = {{"map", kind.map}, {"sigma", "auto"}};
  model.kind = EvidenceModel{random_map(random, kind, model)};
  add_random_parts(random, kind, model);
  return model;
}

/// The map of an evidence model, known to be of that class.
template <class Map>
const Map& map_of(const Model& model) {
  return dynamic_cast<const Map&>(*std::get<EvidenceModel>(model.kind).map);
}

/// Rows of the 8 features that random_model was made for, half of them empty.
inline Dataset random_data(Index rows, std::uint64_t seed) {
  Random random(seed);
  Dataset data;
  data.features = random_half_empty(random, rows, 8);
  data.source = "data";
  return data;
}

}  // namespace ardent::problems
