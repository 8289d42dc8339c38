#include "ardent/estimators/doubly_sparse_training.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/in_turn.h"
#include "ardent/estimators/bundle_draws.h"
#include "ardent/estimators/doubly_sparse_sampling.h"
#include "ardent/estimators/training_set.h"

namespace ardent {
namespace {

void require_finite(const Dataset& data) {
  const DenseRows dense = to_dense(data.features);
  for (Index i = 0; i < dense.rows; ++i) {
    for (Index k = 0; k < dense.cols; ++k) {
      if (std::isfinite(dense.row(i)[k])) continue;
      throw InputError(fmt::format("{}: row {}, {} is {}: give finite numbers", data.source, i + 1,
                                   feature_name(data, k), dense.row(i)[k]));
    }
  }
}

void check_request(const Dataset& data, const TrainOptions& options,
                   const CheckpointOptions& checkpoint) {
  validate(options);
  const bool weighted = !data.weights.empty() || options.class_weight != "none";
  if (weighted && options.doubly_sparse.sampler != "collapsed") {
    throw InputError(
        fmt::format("row and class weights belong to the sampler collapsed; the sampler is {}",
                    options.doubly_sparse.sampler));
  }
  if (options.multiclass == "folds") {
    throw InputError("doubly sparse models do not choose on folds: multiclass must be ovo or ovr");
  }
  if (!checkpoint.path.empty() && options.doubly_sparse.sampler != "collapsed") {
    throw InputError(fmt::format("checkpoint belongs to the sampler collapsed; the sampler is {}",
                                 options.doubly_sparse.sampler));
  }
}

/// Beyond these the sums of the sampler lose the other rows to rounding.
void check_weights(const std::string& source, const std::vector<Problem>& problems) {
  constexpr double kLargest = 1e6;
  for (const Problem& problem : problems) {
    for (const double weight : problem.target.weights) {
      if (weight == 0 || (weight >= 1 / kLargest && weight <= kLargest)) continue;
      throw InputError(
          fmt::format("{}: a row counts {:g} times: doubly sparse models take weights from {:g} to "
                      "{:g}, class weights "
                      "included",
                      source, weight, 1 / kLargest, kLargest));
    }
  }
}

}  // namespace

DoublySparseFit fit_doubly_sparse(const Dataset& data, const TrainOptions& options,
                                  const CheckpointOptions& checkpoint,
                                  const ProgressCallback& progress) {
  check_request(data, options, checkpoint);
  require_finite(data);
  TrainOptions recorded = options;
  recorded.map = DoublySparseModel::kMap;
  TrainingSet set = make_training_set(data, recorded, {.automatic_scale = ScaleKind::standard});
  const std::vector<Problem>& problems = set.problems;
  check_weights(data.source, problems);
  if (set.model.inputs.empty()) {
    throw InputError(
        fmt::format("{}: every feature is constant: there is nothing to select from", data.source));
  }
  const Matrix scaled = dense_matrix(set.scaled);

  std::vector<DoublySparseSample> sampled(problems.size());
  PartProgress joint(progress, problems.size(), true);
  parallel_for_unless(options.farm != nullptr, std::ssize(problems), [&](Index p) {
    const std::uint64_t seed =
        p == 0 ? options.seed : Random(options.seed, static_cast<std::uint64_t>(p)).bits();
    CheckpointOptions own_checkpoint = checkpoint;
    if (problems.size() > 1 && !checkpoint.path.empty()) {
      own_checkpoint.path += fmt::format(".{}", p + 1);
    }
    sampled[p] =
        sample_doubly_sparse(scaled, problems[p], options, seed, own_checkpoint, joint.of(p));
    sampled[p].fit.columns = set.model.inputs;
  });
  DoublySparseFit result{std::move(set.model), {}};
  bundle_draws(set.scaled, sampled, result.model);
  name_inputs(data.feature_names, result.model);
  for (DoublySparseSample& one : sampled) result.fits.push_back(std::move(one.fit));
  return result;
}

}  // namespace ardent
