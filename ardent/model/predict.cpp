#include "ardent/model/predict.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"
#include "ardent/model/combine.h"
#include "ardent/model/dictionary_classes.h"
#include "ardent/model/kernel_draws.h"
#include "ardent/model/model_inputs.h"
#include "ardent/model/moments.h"

namespace ardent {
namespace {

double sigmoid(double f) {
  return 1 / (1 + elementary::exp(-f));
}

Features row_range(const Features& features, Index begin, Index end) {
  if (begin == 0 && end == rows(features)) return features;
  std::vector<Index> which(static_cast<std::size_t>(end - begin));
  std::iota(which.begin(), which.end(), begin);
  return select_rows(features, which);
}

/// Of two classes the positive one from probability ½ on; of more the likeliest, the first of
/// equals.
std::uint32_t choose(const Model& model, const Vector& p) {
  const Index positive = model.parts[0].positive;
  if (p.size() == 2) {
    return static_cast<std::uint32_t>(p[positive] >= 0.5 ? positive : 1 - positive);
  }
  return static_cast<std::uint32_t>(std::max_element(p.begin(), p.end()) - p.begin());
}

/// Rows × parts: the probability of each part's positive class.
Matrix part_probabilities(const Model& model, const Moments& moments, bool plug_in) {
  Matrix p = moments.mean;
  for (Index k = 0; k < p.cols(); ++k) {
    const bool joint = model.parts[static_cast<std::size_t>(k)].posterior.covariance.size() > 0;
    for (Index i = 0; i < p.rows(); ++i) {
      const bool mean_only = plug_in || !joint;
      p(i, k) = mean_only ? sigmoid(p(i, k)) : moderated(p(i, k), moments.variance(i, k));
    }
  }
  return p;
}

void classify(const Model& model, const Matrix& part_probability, Index begin,
              Prediction& prediction) {
  for (Index i = 0; i < part_probability.rows(); ++i) {
    const Vector classes = combine(model, part_probability.row(i).transpose());
    prediction.probabilities.row(begin + i) = classes;
    prediction.classes[static_cast<std::size_t>(begin + i)] = choose(model, classes);
  }
}

}  // namespace

double moderated(double mean, double variance) {
  return sigmoid(mean / std::sqrt(1 + std::numbers::pi / 8 * variance));
}

Prediction predict(const Model& model, const Dataset& data, const PredictOptions& options) {
  const Features inputs = model_inputs(model, data);
  const Vector lengths = row_lengths(data.features, model.scaling);
  if (model.basis.kind == MapKind::dictionary) {
    return predict_by_dictionary(model, apply_scaling(inputs, model.scaling, lengths));
  }
  const bool classification = model.task == Task::classification;
  const bool plug_in = classification && options.plug_in;
  const bool coupled = classification && model.parts.size() > 1;
  const bool plug_in_parts = plug_in || (coupled && !options.moderated);
  Prediction prediction;
  if (classification) {
    prediction.classes.resize(static_cast<std::size_t>(data.rows()));
    prediction.probabilities.resize(data.rows(), model.classes.size());
  } else {
    prediction.mean.resize(data.rows());
    prediction.variance.resize(data.rows());
  }
  parallel_blocks(data.rows(), rows_per_block(model), [&](Index begin, Index end) {
    const bool unit_rows = model.scaling.unit_rows();
    const Features scaled =
        apply_scaling(row_range(inputs, begin, end), model.scaling,
                      unit_rows ? lengths.segment(begin, end - begin) : lengths.head(0));
    const bool draws = model.basis.kind == MapKind::doubly_sparse;
    if (draws && classification) {
      classify(model, draw_probabilities(model, scaled, plug_in), begin, prediction);
      return;
    }
    const Moments moments =
        draws ? draw_moments(model, scaled) : part_moments(model, scaled, !plug_in_parts);
    if (classification) {
      classify(model, part_probabilities(model, moments, plug_in_parts), begin, prediction);
    } else {
      const double noise = model.parts[0].posterior.noise_variance;
      prediction.mean.segment(begin, end - begin) = moments.mean.col(0);
      prediction.variance.segment(begin, end - begin) = moments.variance.col(0).array() + noise;
    }
  });
  return prediction;
}

}  // namespace ardent
