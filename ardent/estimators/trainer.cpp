#include "ardent/estimators/trainer.h"

#include <fmt/format.h>

#include <mutex>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/estimators/candidates.h"
#include "ardent/estimators/dictionary_training.h"
#include "ardent/estimators/doubly_sparse.h"
#include "ardent/estimators/fit_problem.h"
#include "ardent/estimators/problem.h"
#include "ardent/estimators/warm_start.h"

namespace ardent {
namespace {

/// Progress of several fits at once, told as one: stages of all parts against an unknown total.
class SharedProgress {
 public:
  SharedProgress(const ProgressCallback& callback, Index parts)
      : callback_(callback), parts_(parts) {}

  ProgressCallback of_part(Index part) {
    if (!callback_) return {};
    return [this, part](const ProgressEvent& event) {
      const std::lock_guard lock(mutex_);
      ProgressEvent told = event;
      if (parts_ > 1) told.task = fmt::format("model {}/{}", part + 1, parts_);
      return callback_(told);
    };
  }

 private:
  const ProgressCallback& callback_;
  Index parts_;
  std::mutex mutex_;
};

/// `model`: as far as it is known before its parts are fitted.
std::vector<Fit> fit_all(const std::vector<Problem>& problems, const Candidates& candidates,
                         const Model& model, const TrainOptions& options,
                         const ProgressCallback& progress) {
  SharedProgress shared(progress, static_cast<Index>(problems.size()));
  std::vector<Fit> fits(problems.size());
  parallel_for(static_cast<Index>(problems.size()), [&](Index p) {
    const auto at = static_cast<std::size_t>(p);
    const auto start = options.warm_start
                           ? starting_point({*options.warm_start, model, candidates}, problems[at])
                           : nullptr;
    fits[at] = fit_problem(problems[at], candidates, options, shared.of_part(p), start);
  });
  return fits;
}

/// Every active set of a fit: the posterior's, and those of the stages on its path.
template <class Visit>
void visit_active(Fit& fit, const Visit& visit) {
  visit(fit.posterior.active);
  for (PathPoint& stage : fit.report.path) visit(stage.active);
}

/// Makes the parts' active sets refer to the union of what they keep, and returns that union.
std::vector<Index> share_basis(const std::vector<Problem>& problems, const Candidates& candidates,
                               std::vector<Fit>& fits) {
  std::vector<Index> place(static_cast<std::size_t>(candidates.size()), -1);
  const bool rbf = candidates.kind() == MapKind::rbf;
  for (std::size_t p = 0; p < fits.size(); ++p) {
    const auto centres = rbf ? candidates.centres(problems[p].rows) : std::vector<Index>{};
    visit_active(fits[p], [&](std::vector<Index>& active) {
      for (Index& k : active) {
        if (rbf) k = centres[static_cast<std::size_t>(k)];
        place[static_cast<std::size_t>(k)] = 0;
      }
    });
  }
  std::vector<Index> kept;
  for (std::size_t k = 0; k < place.size(); ++k) {
    if (place[k] < 0) continue;
    place[k] = static_cast<Index>(kept.size());
    kept.push_back(static_cast<Index>(k));
  }
  for (Fit& fit : fits) {
    visit_active(fit, [&](std::vector<Index>& active) {
      for (Index& k : active) k = place[static_cast<std::size_t>(k)];
    });
  }
  return kept;
}

/// Rows that count; all of them where no weights are given.
std::vector<Index> rows_that_count(const Dataset& data) {
  std::vector<Index> rows;
  for (Index i = 0; i < data.rows(); ++i) {
    if (data.weights.empty() || data.weights[static_cast<std::size_t>(i)] != 0) rows.push_back(i);
  }
  return rows;
}

/// As if the rows of weight 0 were not there: they would still stretch a scaling, be centres of
/// kernels, or be a class of their own.
Model train_without_zeros(const Dataset& data, const std::vector<Index>& rows,
                          const TrainOptions& options, const ProgressCallback& progress) {
  if (rows.empty()) throw InputError(fmt::format("{}: every row has weight 0", data.source));
  Model model = train(select_rows(data, rows), options, progress);
  if (model.basis.kind != MapKind::rbf) return model;
  for (Index& origin : model.basis.origin) origin = rows[static_cast<std::size_t>(origin)];
  return model;
}

}  // namespace

Model train(const Dataset& data, const TrainOptions& options, const ProgressCallback& progress,
            SharedDistances* distances) {
  validate(options);
  check_training_data(data);
  if (parse_map(options.map) == MapKind::doubly_sparse) {
    return fit_doubly_sparse(data, options, {}, progress).model;
  }
  if (parse_map(options.map) == MapKind::dictionary) return train_dictionary(data, options);
  if (static_cast<Index>(data.weights.size()) == data.rows()) {
    const std::vector<Index> rows = rows_that_count(data);
    if (static_cast<Index>(rows.size()) < data.rows()) {
      return train_without_zeros(data, rows, options, progress);
    }
  }
  Model model;
  model.task = resolve_task(data.labels, options.task);
  model.features = data.cols();
  model.label_name = data.label_name;
  model.options = recorded(options);

  std::vector<Problem> problems;
  if (model.task == Task::classification) {
    model.classes = make_classes(data.labels);
    problems = class_problems(data, model.classes, options.multiclass, options.class_weight);
  } else {
    problems.push_back(regression_problem(data));
  }

  const Scaling scaling = fit_scaling(data.features, parse_scale(options.scale), data.weights);
  model.inputs = varying_columns(scaling);
  model.scaling = select_columns(scaling, model.inputs);
  const Candidates candidates(
      apply_scaling(select_columns(data.features, model.inputs), model.scaling), options,
      distances);

  std::vector<Fit> fits = fit_all(problems, candidates, model, options, progress);
  const std::vector<Index> kept = share_basis(problems, candidates, fits);
  model.basis = candidates.basis(kept);
  model.total = candidates.kind() == MapKind::linear ? data.cols() : candidates.size();
  if (candidates.kind() == MapKind::linear) {
    // A linear basis function is an input: only the inputs that survive are kept.
    std::vector<Index> used;
    for (const Index k : kept) used.push_back(model.inputs[static_cast<std::size_t>(k)]);
    model.scaling = select_columns(model.scaling, kept);
    model.inputs = used;
    model.basis.origin = used;
  }
  for (const Index column : model.inputs) {
    if (data.feature_names.empty()) break;
    model.feature_names.push_back(data.feature_names[static_cast<std::size_t>(column)]);
  }
  for (std::size_t p = 0; p < fits.size(); ++p) {
    model.parts.push_back({problems[p].positive, problems[p].negative, std::move(fits[p].posterior),
                           std::move(fits[p].report)});
  }
  return model;
}

}  // namespace ardent
