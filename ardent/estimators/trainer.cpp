#include "ardent/estimators/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/estimators/candidates.h"
#include "ardent/estimators/dictionary_training.h"
#include "ardent/estimators/doubly_sparse.h"

namespace ardent {
namespace {

/// One binary (or regression) problem to solve: the rows it uses and what they should predict.
struct Problem {
  Index positive = -1;
  Index negative = -1;
  std::vector<Index> rows;
  Target target;
};

std::vector<Index> range(Index count) {
  std::vector<Index> indices(static_cast<std::size_t>(count));
  std::iota(indices.begin(), indices.end(), Index{0});
  return indices;
}

/// Rows of the two classes (negative −1: all other classes), t = 1 for the positive one.
Problem binary_problem(std::span<const std::uint32_t> classes, Index positive, Index negative) {
  Problem problem{positive, negative, {}, {}};
  std::vector<double> t;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const Index c = classes[i];
    if (c != positive && negative >= 0 && c != negative) continue;
    problem.rows.push_back(static_cast<Index>(i));
    t.push_back(c == positive ? 1.0 : 0.0);
  }
  problem.target = {Likelihood::bernoulli,
                    Eigen::Map<const Vector>(t.data(), static_cast<Index>(t.size()))};
  return problem;
}

std::vector<Problem> class_problems(const ClassTable& classes,
                                    std::span<const std::uint32_t> class_of,
                                    const std::string& multiclass) {
  const Index k = classes.size();
  std::vector<Problem> problems;
  if (k == 2) {
    problems.push_back(binary_problem(class_of, classes.positive, 1 - classes.positive));
  } else if (multiclass == "ovr") {
    for (Index i = 0; i < k; ++i) problems.push_back(binary_problem(class_of, i, -1));
  } else {
    for (Index i = 0; i < k; ++i) {
      for (Index j = i + 1; j < k; ++j) problems.push_back(binary_problem(class_of, i, j));
    }
  }
  return problems;
}

Problem regression_problem(const Dataset& data) {
  if (!data.labels.numeric()) {
    throw InputError(fmt::format("{}: regression needs numbers as labels, but {} is none",
                                 data.source, quoted(data.labels.names.front())));
  }
  const auto& t = data.labels.numbers;
  return {-1,
          -1,
          range(data.rows()),
          {Likelihood::gaussian, Eigen::Map<const Vector>(t.data(), static_cast<Index>(t.size()))}};
}

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

/// How often each row counts in a problem: its own weight (none given: 1), and under `balanced`
/// the factor that makes the two classes count the same.
void weigh_rows(const Dataset& data, const std::string& class_weight, Problem& problem) {
  const bool balanced = class_weight == "balanced" && problem.positive >= 0;
  if (data.weights.empty() && !balanced) return;
  Target& target = problem.target;
  target.weights = Vector::Ones(target.t.size());
  for (Index i = 0; !data.weights.empty() && i < target.t.size(); ++i) {
    const Index row = problem.rows[static_cast<std::size_t>(i)];
    target.weights[i] = data.weights[static_cast<std::size_t>(row)];
  }
  if (!balanced) return;
  const double all = target.weights.sum(), ones = target.weights.dot(target.t);
  for (Index i = 0; i < target.t.size(); ++i) {
    target.weights[i] *= 0.5 * all / (target.t[i] > 0.5 ? ones : all - ones);
  }
}

std::vector<Fit> fit_all(const std::vector<Problem>& problems, const Candidates& candidates,
                         const TrainOptions& options, const ProgressCallback& progress) {
  EngineOptions engine_options = options.engine_options;
  engine_options.seed = options.seed;
  SharedProgress shared(progress, static_cast<Index>(problems.size()));
  std::vector<Fit> fits(problems.size());
  parallel_for(static_cast<Index>(problems.size()), [&](Index p) {
    const Problem& problem = problems[static_cast<std::size_t>(p)];
    const auto design = candidates.design(problem.rows);
    const Engine engine = engine_by_name(
        choose_engine(options.engine, candidates.kind(), design->rows(), design->cols()));
    fits[static_cast<std::size_t>(p)] =
        engine(*design, problem.target, engine_options, shared.of_part(p));
  });
  return fits;
}

/// Makes the parts' active sets refer to the union of what they keep, and returns that union.
std::vector<Index> share_basis(const std::vector<Problem>& problems, const Candidates& candidates,
                               std::vector<Fit>& fits) {
  std::vector<Index> kept;
  for (std::size_t p = 0; p < fits.size(); ++p) {
    for (Index& k : fits[p].posterior.active) {
      k = candidates.candidate(problems[p].rows, k);
      kept.push_back(k);
    }
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  for (Fit& fit : fits) {
    for (Index& k : fit.posterior.active) {
      k = std::lower_bound(kept.begin(), kept.end(), k) - kept.begin();
    }
  }
  return kept;
}

/// Columns that scaling leaves something of.
std::vector<Index> varying_columns(const Scaling& scaling) {
  std::vector<Index> columns;
  for (Index k = 0; k < scaling.factor.size(); ++k) {
    if (scaling.factor[k] != 0) columns.push_back(k);
  }
  return columns;
}

}  // namespace

Task resolve_task(const Labels& labels, const std::string& task) {
  if (task == "classification") return Task::classification;
  if (task == "regression") return Task::regression;
  if (!labels.numeric()) return Task::classification;
  const bool few = !labels.ids.empty() && labels.names.size() <= 20;
  const bool whole = std::all_of(labels.numbers.begin(), labels.numbers.end(),
                                 [](double t) { return t == std::floor(t); });
  return few && whole ? Task::classification : Task::regression;
}

std::string choose_engine(const std::string& engine, MapKind map, Index rows, Index cols) {
  if (engine != "auto") return engine;
  const auto n = static_cast<double>(rows), m = static_cast<double>(cols);
  // Multiplications of one Hessian (or kernel) matrix; a second or so at 1e10.
  const double product = std::min(n, m) * n * m;
  if (product <= 1e10 || (m <= 2000 && product <= 2e11)) return "exact";
  return map == MapKind::linear ? "diagonal" : "sequential";
}

Model train(const Dataset& data, const TrainOptions& options, const ProgressCallback& progress,
            SharedDistances* distances) {
  validate(options.engine_options);
  if (data.rows() == 0 || data.cols() == 0) {
    throw InputError(fmt::format("{}: training needs rows and features, found {} × {}", data.source,
                                 data.rows(), data.cols()));
  }
  if (data.labels.size() != data.rows()) {
    throw InputError(fmt::format("{}: training needs a label for each of the {} rows, found {}",
                                 data.source, data.rows(), data.labels.size()));
  }
  if (parse_map(options.map) == MapKind::doubly_sparse) {
    return fit_doubly_sparse(data, options, {}, progress).model;
  }
  if (parse_map(options.map) == MapKind::dictionary) return train_dictionary(data, options);
  Model model;
  model.task = resolve_task(data.labels, options.task);
  model.features = data.cols();
  model.label_name = data.label_name;
  TrainOptions recorded = options;
  model.options = option_table(recorded).values();

  std::vector<Problem> problems;
  if (model.task == Task::classification) {
    model.classes = make_classes(data.labels);
    problems =
        class_problems(model.classes, encode(data.labels, model.classes), options.multiclass);
  } else {
    problems.push_back(regression_problem(data));
  }

  if (!data.weights.empty() && static_cast<Index>(data.weights.size()) != data.rows()) {
    throw InputError(fmt::format("{}: there are {} row weights for {} rows", data.source,
                                 data.weights.size(), data.rows()));
  }
  for (Problem& problem : problems) weigh_rows(data, options.class_weight, problem);

  const Scaling scaling = fit_scaling(data.features, parse_scale(options.scale));
  model.inputs = varying_columns(scaling);
  model.scaling = select_columns(scaling, model.inputs);
  const Candidates candidates(
      apply_scaling(select_columns(data.features, model.inputs), model.scaling), options,
      distances);

  std::vector<Fit> fits = fit_all(problems, candidates, options, progress);
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
