#include "ardent/estimators/doubly_sparse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/estimators/mask_model.h"
#include "ardent/estimators/mask_sampling.h"
#include "ardent/estimators/problem.h"

namespace ardent {
namespace {

void require_finite(const Dataset& data) {
  const auto refuse = [&](Index row, Index column, double value) {
    throw InputError(fmt::format("{}: row {}, {} is {}: give finite numbers", data.source, row + 1,
                                 feature_name(data, column), value));
  };
  if (const auto* dense = std::get_if<DenseRows>(&data.features)) {
    for (Index i = 0; i < dense->rows; ++i) {
      for (Index k = 0; k < dense->cols; ++k) {
        const double value = dense->row(i)[static_cast<std::size_t>(k)];
        if (!std::isfinite(value)) refuse(i, k, value);
      }
    }
    return;
  }
  const auto& sparse = std::get<SparseRows>(data.features);
  for (Index i = 0; i < sparse.rows; ++i) {
    const auto end = sparse.offsets[static_cast<std::size_t>(i) + 1];
    for (auto e = sparse.offsets[static_cast<std::size_t>(i)]; e < end; ++e) {
      if (!std::isfinite(sparse.values[e])) refuse(i, sparse.columns[e], sparse.values[e]);
    }
  }
}

void check_request(const Dataset& data, const TrainOptions& options,
                   const MaskCheckpoint& checkpoint) {
  validate(options);
  check_training_data(data);
  if (!data.weights.empty() || options.class_weight != "none") {
    throw InputError("doubly sparse models count every row once: leave out row and class weights");
  }
  if (options.multiclass != "ovo") {
    throw InputError("doubly sparse models of more classes are for pairs: multiclass must be ovo");
  }
  if (!checkpoint.path.empty() && options.masks.sampler != "collapsed") {
    throw InputError(fmt::format("checkpoint belongs to the sampler collapsed; the sampler is {}",
                                 options.masks.sampler));
  }
}

/// Sweeps of several problems told as one count.
class JointProgress {
 public:
  JointProgress(const ProgressCallback& callback, Index problems)
      : callback_(callback), problems_(problems) {}

  ProgressCallback of(Index problem) {
    if (!callback_) return {};
    return [this, problem](const ProgressEvent& event) {
      const std::lock_guard lock(mutex_);
      ProgressEvent told = event;
      told.done = ++done_;
      told.total = event.total * problems_;
      if (problems_ > 1) {
        told.task = fmt::format("model {}/{} {}", problem + 1, problems_, event.task);
      } else {
        told.done = event.done;
      }
      return callback_(told);
    };
  }

 private:
  const ProgressCallback& callback_;
  Index problems_;
  std::mutex mutex_;
  Index done_ = 0;
};

}  // namespace

DoublySparseFit fit_doubly_sparse(const Dataset& data, const TrainOptions& options,
                                  const MaskCheckpoint& checkpoint,
                                  const ProgressCallback& progress) {
  check_request(data, options, checkpoint);
  DoublySparseFit result;
  Model& model = result.model;
  model.task = resolve_task(data.labels, options.task);
  model.features = data.cols();
  model.label_name = data.label_name;
  model.options = recorded(options);
  model.options["map"] = map_name(MapKind::doubly_sparse);
  std::vector<Problem> problems;
  if (model.task == Task::classification) {
    model.classes = make_classes(data.labels);
    problems = class_problems(data, model.classes, options.multiclass, options.class_weight);
  } else {
    problems.push_back(regression_problem(data));
  }

  require_finite(data);
  const ScaleKind kind = parse_scale(options.scale);
  const Scaling scaling =
      fit_scaling(data.features, kind == ScaleKind::automatic ? ScaleKind::standard : kind);
  const std::vector<Index> columns = varying_columns(scaling);
  if (columns.empty()) {
    throw InputError(
        fmt::format("{}: every feature is constant: there is nothing to select from", data.source));
  }
  const Scaling own = select_columns(scaling, columns);
  const Vector lengths = row_lengths(data.features, scaling);
  const Matrix scaled =
      dense_matrix(apply_scaling(select_columns(data.features, columns), own, lengths));

  std::vector<SampledMasks> sampled(problems.size());
  JointProgress joint(progress, static_cast<Index>(problems.size()));
  parallel_for(static_cast<Index>(problems.size()), [&](Index p) {
    const auto place = static_cast<std::size_t>(p);
    const std::uint64_t seed =
        p == 0 ? options.seed : Random(options.seed, static_cast<std::uint64_t>(p)).bits();
    MaskCheckpoint own_checkpoint = checkpoint;
    if (problems.size() > 1 && !checkpoint.path.empty()) {
      own_checkpoint.path += fmt::format(".{}", p + 1);
    }
    sampled[place] =
        sample_masks(scaled, problems[place], options, seed, own_checkpoint, joint.of(p));
    sampled[place].fit.columns = columns;
  });
  bundle_draws(data, scaled, own, sampled, model);
  for (SampledMasks& masks : sampled) result.fits.push_back(std::move(masks.fit));
  return result;
}

}  // namespace ardent
