#include "ardent/estimators/design_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/estimators/fit_problem.h"
#include "ardent/estimators/shared_basis.h"

namespace ardent {
namespace {

constexpr std::array<std::string_view, 3> kProductEngines{"diagonal", "probes", "dqn"};

/// The linear map whose Phi is there already.
class GivenDesign : public LinearMap {
 public:
  explicit GivenDesign(std::shared_ptr<const Design> design)
      : LinearMap(index_range(0, design->cols())), design_(std::move(design)) {}

  std::unique_ptr<Design> training_design(const Features&, std::span<const Index>) const override {
    return design_->clone();
  }

 private:
  std::shared_ptr<const Design> design_;
};

void refuse_what_needs_rows(const TrainOptions& options) {
  const auto refuse = [](std::string_view option, std::string_view value,
                         std::string_view instead) {
    throw InputError(
        fmt::format("{} {} needs the rows themselves, but a design of products (a LinearOperator, "
                    "rows on other "
                    "machines) has products alone: {}",
                    option, value, instead));
  };
  if (options.engine != "auto" && !std::ranges::count(kProductEngines, options.engine)) {
    refuse("engine", options.engine, "use the engine diagonal, probes or dqn");
  }
  if (options.device == "cuda") refuse("device", "cuda", "use device cpu");
  if (options.early_stop != "none") refuse("early_stop", options.early_stop, "leave it out");
  if (options.refit) refuse("refit", "on", "leave it out");
  if (options.multiclass == "folds") refuse("multiclass", "folds", "use ovo or ovr");
  if (options.map != LinearMap::kName) refuse("map", options.map, "use the linear map");
}

void check_design_scaling(const DesignData& data, const TrainOptions& options) {
  const Index cols = data.design->cols();
  const bool none = data.scaling.factor.size() == 0;
  if (none && options.scale != "auto" && options.scale != "none") {
    throw InputError(fmt::format(
        "scale {} needs the values of single columns, which a design of products does not show: "
        "use auto or none (the engines give every column a root mean square of 1 by themselves)",
        options.scale));
  }
  if (data.scaling.unit_rows()) {
    throw InputError("scale tfidf is not for a design of products: use rms, or none");
  }
  if (!none && (data.scaling.factor.size() != cols || data.scaling.offset.size() != cols)) {
    throw InputError(fmt::format("a scaling of {} factors and {} offsets for {} columns",
                                 data.scaling.factor.size(), data.scaling.offset.size(), cols));
  }
}

/// The problem over all rows: those that it leaves out count nothing.
Problem over_all_rows(Problem problem, Index rows) {
  const Target own = std::move(problem.target);
  problem.target = {own.likelihood, Vector::Zero(rows), {}};
  const bool all = std::ssize(problem.rows) == rows;
  if (!all || own.weights.size() > 0) problem.target.weights = Vector::Zero(rows);
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    const auto at = static_cast<Index>(k);
    problem.target.t[problem.rows[k]] = own.t[at];
    if (problem.target.weights.size() > 0) {
      problem.target.weights[problem.rows[k]] = own.weights.size() > 0 ? own.weights[at] : 1;
    }
  }
  problem.rows = index_range(0, rows);
  return problem;
}

/// Rows without entries stand for those that are elsewhere.
Dataset stand_in(const DesignData& data) {
  const Index rows = data.design->rows();
  SparseRows nothing{.rows = rows,
                     .cols = data.design->cols(),
                     .offsets = {},
                     .columns = {},
                     .values = {},
                     .transpose = nullptr};
  nothing.offsets = Buffer<std::uint64_t>::allocate(static_cast<std::size_t>(rows) + 1);
  std::fill_n(nothing.offsets.mutable_data(), rows + 1, std::uint64_t{0});
  return {.features = std::move(nothing),
          .labels = data.labels,
          .weights = data.weights,
          .feature_names = {},
          .source = "the design",
          .layout = {}};
}

TrainingSet training_set_of(const DesignData& data, const TrainOptions& options) {
  const Index rows = data.design->rows(), cols = data.design->cols();
  TrainingSet set;
  set.data = stand_in(data);
  check_training_data(set.data);
  set.rows = index_range(0, rows);
  set.scaled = set.data.features;
  Model& model = set.model;
  model.task = resolve_task(data.labels, options.task);
  model.features = cols;
  model.total = cols;
  model.label_name = data.label_name;
  model.options = recorded(options);
  model.inputs = index_range(0, cols);
  model.scaling = data.scaling.factor.size() > 0
                      ? data.scaling
                      : Scaling{ScaleKind::none, Vector::Zero(cols), Vector::Ones(cols)};
  if (model.task == Task::classification) {
    model.classes = make_classes(data.labels);
    apply_class_weights(parse_class_weights(options.class_weight), model.classes, set.data);
    set.problems =
        class_problems(set.data, model.classes, options.multiclass, options.class_weight);
  } else {
    set.problems = {regression_problem(set.data)};
  }
  for (Problem& problem : set.problems) problem = over_all_rows(std::move(problem), rows);
  set.map = std::make_shared<GivenDesign>(data.design);
  return set;
}

}  // namespace

Model train_on_design(const DesignData& data, const TrainOptions& options,
                      const ProgressCallback& progress) {
  validate(options);
  refuse_what_needs_rows(options);
  check_design_scaling(data, options);
  TrainOptions decided = options;
  if (decided.engine == "auto") decided.engine = "diagonal";
  if (decided.multiclass == "auto") decided.multiclass = "ovo";
  TrainingSet set = training_set_of(data, decided);
  set.model.options = recorded(options);
  PartProgress shared(progress, set.problems.size(), false);
  std::vector<Fit> fits;
  for (std::size_t p = 0; p < set.problems.size(); ++p) {
    const auto part = static_cast<Index>(p);
    fits.push_back(std::move(fit_problem(set, set.problems[p], decided, {}, shared.of(part)).fit));
    shared.finish_part();
  }
  const std::vector<Index> kept = share_basis(set.map->size(), fits);
  Model model = std::move(set.model);
  model.kind = EvidenceModel{set.map->restricted(kept)};
  keep_inputs(kept, model);
  name_inputs(data.feature_names, model);
  for (std::size_t p = 0; p < fits.size(); ++p) {
    model.parts.push_back({set.problems[p].positive, set.problems[p].negative,
                           std::move(fits[p].posterior), std::move(fits[p].report)});
  }
  return model;
}

}  // namespace ardent
