#include "ardent/model/block_prediction.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ardent/base/index_range.h"
#include "ardent/base/parallel.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/model/combine.h"

namespace ardent {
namespace {

/// `in_place`: dense rows stay where they are, at whatever address that is. Sums over them would
/// have other bits; what is scaled is copied anyway.
Features row_range(const Features& features, Index begin, Index end, bool in_place) {
  if (begin == 0 && end == rows(features)) return features;
  const auto* dense = std::get_if<DenseRows>(&features);
  if (dense && in_place) {
    return DenseRows{end - begin, dense->cols,
                     Buffer<double>::view(std::make_shared<Buffer<double>>(dense->values),
                                          dense->row(begin).data(), (end - begin) * dense->cols)};
  }
  return select_rows(features, index_range(begin, end));
}

/// The likeliest, the first of equals.
std::uint32_t choose(const Vector& p) {
  return static_cast<std::uint32_t>(std::max_element(p.begin(), p.end()) - p.begin());
}

/// Two classes, without a vector per row: the positive one from probability ½ on.
void classify_two(const ModelFrame& model, const Matrix& part_probability, Index begin,
                  Prediction& prediction) {
  const Index positive = model.parts[0].positive, negative = 1 - positive;
  for (Index i = 0; i < part_probability.rows(); ++i) {
    const double p = part_probability(i, 0);
    if (prediction.probabilities.size() > 0) {
      prediction.probabilities(begin + i, positive) = p;
      prediction.probabilities(begin + i, negative) = 1 - p;
    }
    prediction.classes[begin + i] = static_cast<std::uint32_t>(p >= 0.5 ? positive : negative);
  }
}

void classify(const ModelFrame& model, const Matrix& part_probability, Index begin,
              Prediction& prediction) {
  if (model.classes.size() == 2) {
    classify_two(model, part_probability, begin, prediction);
    return;
  }
  for (Index i = 0; i < part_probability.rows(); ++i) {
    const Vector classes = combine(model, part_probability.row(i).transpose());
    prediction.probabilities.row(begin + i) = classes;
    prediction.classes[begin + i] = choose(classes);
  }
}

}  // namespace

double moderated(double mean, double variance) {
  return bernoulli::sigmoid(moderated_logit(mean, variance));
}

double moderated_logit(double mean, double variance) {
  return mean / std::sqrt(1 + std::numbers::pi / 8 * variance);
}

ModelRows::ModelRows(const ModelFrame& model, const Dataset& data)
    : scaling_(model.scaling),
      inputs_(model_inputs(model, data)),
      lengths_(row_lengths(data.features, model.scaling)) {}

Features ModelRows::scaled(Index begin, Index end) const {
  return apply_scaling(
      row_range(inputs_.features, begin, end, scaling_.kind != ScaleKind::none), scaling_,
      scaling_.unit_rows() ? lengths_.segment(begin, end - begin) : lengths_.head(0));
}

Index row_block(Index basis_functions) {
  constexpr Index kNumbers = Index{1} << 20;  // 8 MiB of phi per block
  return std::clamp<Index>(kNumbers / std::max<Index>(1, basis_functions), 64, 4096);
}

Prediction predict_blocks(const ModelFrame& model, const ModelRows& rows, Index basis_functions,
                          const PredictOptions& options,
                          const std::function<Matrix(Index begin, Index end)>& probabilities,
                          const std::function<Moments(Index begin, Index end)>& moments) {
  const bool classification = model.task == Task::classification;
  const bool with_probabilities = options.probabilities || model.classes.size() != 2;
  Prediction prediction;
  if (classification) {
    prediction.classes.resize(rows.size());
    if (with_probabilities) prediction.probabilities.resize(rows.size(), model.classes.size());
  } else {
    prediction.mean.resize(rows.size());
    if (options.variance) prediction.variance.resize(rows.size());
  }
  parallel_blocks(rows.size(), row_block(basis_functions), [&](Index begin, Index end) {
    if (classification) {
      classify(model, probabilities(begin, end), begin, prediction);
      return;
    }
    const Moments found = moments(begin, end);
    const double noise = model.parts[0].posterior.noise_variance;
    prediction.mean.segment(begin, end - begin) = found.mean.col(0);
    if (!options.variance) return;
    prediction.variance.segment(begin, end - begin) = found.variance.col(0).array() + noise;
  });
  return prediction;
}

}  // namespace ardent
