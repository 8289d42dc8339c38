#include "ardent/model/predict.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "ardent/base/parallel.h"
#include "ardent/model/combine.h"
#include "ardent/model/model_inputs.h"
#include "ardent/model/moments.h"

namespace ardent {
namespace {

double sigmoid(double f) {
  return 1 / (1 + std::exp(-f));
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

void classify(const Model& model, const Moments& moments, bool plug_in, Index begin,
              Prediction& prediction) {
  Vector parts(moments.mean.cols());
  for (Index i = 0; i < moments.mean.rows(); ++i) {
    for (Index p = 0; p < parts.size(); ++p) {
      const double f = moments.mean(i, p);
      const bool joint = model.parts[static_cast<std::size_t>(p)].posterior.covariance.size() > 0;
      parts[p] = plug_in || !joint ? sigmoid(f) : moderated(f, moments.variance(i, p));
    }
    const Vector classes = combine(model, parts);
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
  const bool classification = model.task == Task::classification;
  const bool plug_in = classification && options.plug_in;
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
    const Moments moments = part_moments(model, scaled, !plug_in);
    if (classification) {
      classify(model, moments, plug_in, begin, prediction);
    } else {
      const double noise = model.parts[0].posterior.noise_variance;
      prediction.mean.segment(begin, end - begin) = moments.mean.col(0);
      prediction.variance.segment(begin, end - begin) = moments.variance.col(0).array() + noise;
    }
  });
  return prediction;
}

}  // namespace ardent
