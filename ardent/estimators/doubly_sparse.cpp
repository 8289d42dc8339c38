#include "ardent/estimators/doubly_sparse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/estimators/mask_model.h"
#include "ardent/estimators/mask_sampling.h"
#include "ardent/estimators/trainer.h"

namespace ardent {
namespace {

MaskTask pair_task(std::span<const std::uint32_t> classes, Index positive, Index negative) {
  MaskTask task{positive, negative, {}, {}};
  std::vector<double> t;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const Index c = classes[i];
    if (c != positive && c != negative) continue;
    task.rows.push_back(static_cast<Index>(i));
    t.push_back(c == positive ? 1.0 : 0.0);
  }
  task.t = Eigen::Map<const Vector>(t.data(), static_cast<Index>(t.size()));
  return task;
}

std::vector<MaskTask> class_tasks(const ClassTable& table, const Labels& labels) {
  const std::vector<std::uint32_t> classes = encode(labels, table);
  if (table.size() == 2) return {pair_task(classes, table.positive, 1 - table.positive)};
  std::vector<MaskTask> tasks;
  for (Index i = 0; i < table.size(); ++i) {
    for (Index j = i + 1; j < table.size(); ++j) tasks.push_back(pair_task(classes, i, j));
  }
  return tasks;
}

MaskTask regression_task(const Dataset& data) {
  if (!data.labels.numeric()) {
    throw InputError(fmt::format("{}: regression needs numbers as labels, but {} is none",
                                 data.source, quoted(data.labels.names.front())));
  }
  MaskTask task;
  task.rows.resize(static_cast<std::size_t>(data.rows()));
  std::iota(task.rows.begin(), task.rows.end(), Index{0});
  task.t = Eigen::Map<const Vector>(data.labels.numbers.data(), data.rows());
  return task;
}

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

void check_request(const Dataset& data, const TrainOptions& options) {
  if (data.rows() == 0 || data.cols() == 0) {
    throw InputError(fmt::format("{}: training needs rows and features, found {} × {}", data.source,
                                 data.rows(), data.cols()));
  }
  if (data.labels.size() != data.rows()) {
    throw InputError(fmt::format("{}: training needs a label for each of the {} rows, found {}",
                                 data.source, data.rows(), data.labels.size()));
  }
  if (!data.weights.empty() || options.class_weight != "none") {
    throw InputError("doubly sparse models count every row once: leave out row and class weights");
  }
  if (options.multiclass != "ovo") {
    throw InputError("doubly sparse models of more classes are for pairs: use --multiclass ovo");
  }
}

/// Columns that scaling leaves something of.
std::vector<Index> varying_columns(const Scaling& scaling) {
  std::vector<Index> columns;
  for (Index k = 0; k < scaling.factor.size(); ++k) {
    if (scaling.factor[k] != 0) columns.push_back(k);
  }
  return columns;
}

Matrix as_matrix(const Features& features) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const DenseRows dense = to_dense(features);
  return Eigen::Map<const RowMajor>(dense.values.data(), dense.rows, dense.cols);
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
  check_request(data, options);
  DoublySparseFit result;
  Model& model = result.model;
  model.task = resolve_task(data.labels, options.task);
  model.features = data.cols();
  model.label_name = data.label_name;
  TrainOptions recorded = options;
  recorded.map = map_name(MapKind::doubly_sparse);
  model.options = option_table(recorded).values();
  std::vector<MaskTask> tasks;
  if (model.task == Task::classification) {
    model.classes = make_classes(data.labels);
    tasks = class_tasks(model.classes, data.labels);
  } else {
    tasks.push_back(regression_task(data));
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
      as_matrix(apply_scaling(select_columns(data.features, columns), own, lengths));

  std::vector<SampledMasks> sampled(tasks.size());
  JointProgress joint(progress, static_cast<Index>(tasks.size()));
  parallel_for(static_cast<Index>(tasks.size()), [&](Index p) {
    const auto place = static_cast<std::size_t>(p);
    const std::uint64_t seed =
        p == 0 ? options.seed : Random(options.seed, static_cast<std::uint64_t>(p)).bits();
    MaskCheckpoint own_checkpoint = checkpoint;
    if (tasks.size() > 1 && !checkpoint.path.empty()) {
      own_checkpoint.path += fmt::format(".{}", p + 1);
    }
    sampled[place] =
        sample_masks(scaled, tasks[place], model.task, options, seed, own_checkpoint, joint.of(p));
    sampled[place].fit.columns = columns;
  });
  bundle_draws(data, scaled, own, sampled, model);
  for (SampledMasks& masks : sampled) result.fits.push_back(std::move(masks.fit));
  return result;
}

}  // namespace ardent
