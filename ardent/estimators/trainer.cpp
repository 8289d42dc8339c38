#include "ardent/estimators/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ardent/base/error.h"
#include "ardent/base/in_turn.h"
#include "ardent/estimators/class_choice.h"
#include "ardent/estimators/dictionary_training.h"
#include "ardent/estimators/doubly_sparse_training.h"
#include "ardent/estimators/feature_widths.h"
#include "ardent/estimators/fit_problem.h"
#include "ardent/estimators/memory_need.h"
#include "ardent/estimators/shared_basis.h"
#include "ardent/estimators/sparse_choice.h"
#include "ardent/estimators/width_choice.h"
#include "ardent/maps/linear.h"
#include "ardent/maps/rbf.h"
#include "ardent/model/augmented_variance.h"

namespace ardent {
namespace {

constexpr Index kAskedProblems = 5;  // of many, whose folds choose for all

/// Evenly spaced problems whose own folds choose the prior on the support, or how to shrink, where
/// others follow.
std::vector<Index> asked_problems(const TrainingSet& set, const TrainOptions& options) {
  const Index count = std::ssize(set.problems);
  std::vector<Index> asked;
  if (prefers_shrinkage(set.data, options)) {
    return problems_for_folds(set.problems, count < 2 * kAskedProblems ? count : kAskedProblems,
                              set.data.share.get());
  }
  if (count < 2 * kAskedProblems || options.support_prior != "auto" || !set.map->linear())
    return asked;
  for (Index k = 0; k < kAskedProblems; ++k)
    asked.push_back((2 * k + 1) * count / (2 * kAskedProblems));
  return asked;
}

struct FittedParts {
  std::vector<Fit> fits;
  std::vector<Vector> held_out;  // f of each row by the fold that does not know it; or nothing

  /// Every part has some.
  bool has_held_out() const {
    return std::ranges::none_of(held_out, [](const Vector& f) { return f.size() == 0; });
  }
};

/// A problem's fit, or what a checkpoint has of it. Fits that others follow are done again.
FittedProblem fit_or_take_up(const TrainingSet& set, Index p, const TrainOptions& options,
                             const std::optional<SupportRule>& rule,
                             const ProgressCallback& progress, TrainingCheckpoint* checkpoint) {
  if (!checkpoint) return fit_problem(set, set.problems[p], options, rule, progress);
  if (auto fit = checkpoint->finished(p)) return {std::move(*fit)};
  FittedProblem fitted =
      fit_problem(set, set.problems[p], options, rule, progress, checkpoint->stages_of(p));
  const bool whole = !fitted.rule && fitted.held_out.size() == 0;
  if (set.problems.size() > 1 && whole) checkpoint->finish(p, fitted.fit);
  return fitted;
}

FittedParts fit_all(const TrainingSet& set, const TrainOptions& options,
                    const ProgressCallback& progress, TrainingCheckpoint* checkpoint) {
  PartProgress shared(progress, set.problems.size(), false);
  FittedParts parts{std::vector<Fit>(set.problems.size()),
                    std::vector<Vector>(set.problems.size())};
  std::vector<SupportRule> rules;
  std::optional<SupportRule> rule;
  const auto fit_these = [&](const std::vector<Index>& problems) {
    std::vector<std::optional<SupportRule>> chosen(problems.size());
    parallel_for_unless(set.data.share != nullptr, std::ssize(problems), [&](Index k) {
      const Index p = problems[k];
      FittedProblem fitted = fit_or_take_up(set, p, options, rule, shared.of(p), checkpoint);
      parts.fits[p] = std::move(fitted.fit);
      parts.held_out[p] = std::move(fitted.held_out);
      chosen[k] = fitted.rule;
      shared.finish_part();
    });
    for (const auto& own : chosen) {
      if (own) rules.push_back(*own);
    }
  };
  const std::vector<Index> asked = asked_problems(set, options);
  std::vector<Index> others;
  for (Index p = 0; p < std::ssize(set.problems); ++p) {
    if (!std::ranges::binary_search(asked, p)) others.push_back(p);
  }
  fit_these(asked);
  if (!rules.empty()) rule = common_rule(rules);
  fit_these(others);
  return parts;
}

/// The width that the user gave, or that of the model to begin from, or one chosen on folds.
WidthDecision decide_width(const TrainingSet& set, const TrainOptions& options,
                           const ProgressCallback& progress) {
  if (options.map != RbfMap::kName || options.sigma > 0) return {options.sigma};
  if (options.warm_start) {
    for (const auto& [name, value] : map_parameters(*options.warm_start)) {
      if (name == "sigma") return {value};
    }
  }
  // The bar of several models counts models.
  return choose_width(set, options, set.problems.size() == 1 ? progress : ProgressCallback());
}

/// `decided`: everything but the classes, which `multiclass` may leave open.
ClassDecision decide_classes(const Dataset& data, const TrainingSet& set,
                             const std::string& multiclass, TrainOptions decided) {
  if (multiclass != "folds" || set.model.classes.size() <= 2) return {decided.multiclass};
  decided.warm_start = nullptr;
  decided.checkpoint = nullptr;
  decided.engine_options.keep_stages = false;
  decided.task = task_name(set.model.task);
  // As given: the weights of the set's rows have those of its classes in them already.
  return choose_classes(
      select_rows(data, set.rows), decided,
      [](const Dataset& rows, const TrainOptions& own) { return train(rows, own); });
}

/// What a regression by kernels keeps of its training rows, for its variance.
std::shared_ptr<const Augmentation> augmentation(const TrainingSet& set,
                                                 const TrainOptions& options,
                                                 const FeatureMap& kept,
                                                 const Posterior& posterior) {
  if (set.model.task != Task::regression || options.variance != "augmented") return nullptr;
  const Target& target = set.problems.front().target;
  return make_augmentation(kept, posterior, set.scaled, target.t, target.weights);
}

/// The map that the options ask for, of these rows.
MapPointer build_map(const TrainingSet& set, const TrainOptions& options,
                     SharedDistances* distances) {
  const MapEntry* entry = find_map(options.map);
  if (!entry) {
    throw InputError(fmt::format("map must be one of {}, not {}", fmt::join(map_names(), ", "),
                                 in_quotes(options.map)));
  }
  return entry->build({set.scaled, set.rows, set.model.inputs, distances},
                      {.sigma = options.sigma,
                       .centres = options.centres,
                       .hidden = options.hidden,
                       .published_hidden = options.hidden_weights == "published",
                       .seed = options.seed});
}

/// Says so where not every row may be a centre.
std::string centres_note(const TrainingSet& set, const TrainOptions& options) {
  if (options.map != RbfMap::kName || options.centres == 0) return "";
  Index rows = 0, candidates = 0;
  for (const Problem& problem : set.problems) {
    if (std::ssize(problem.rows) <= rows) continue;
    rows = std::ssize(problem.rows);
    candidates = std::ssize(set.map->candidates(problem.rows));
  }
  if (rows <= options.centres || candidates < options.centres) return "";
  return fmt::format(
      "centres: {} candidates of up to {} rows, evenly spaced in the order of their contents "
      "(option centres)",
      candidates, rows);
}

/// What several processes that share the rows can train.
void check_shared(const Dataset& data, const TrainOptions& options) {
  if (!data.share) return;
  const auto refuse = [&](std::string_view what) {
    throw InputError(fmt::format(
        "{} needs all rows in one process, and {} processes share them: they train linear models "
        "by the engines diagonal, probes, dqn, path and shrinkage, without early-stop, refit and "
        "multiclass folds",
        what, data.share->shares()));
  };
  if (options.map != LinearMap::kName) refuse("the map " + options.map);
  if (options.early_stop != "none") refuse("early-stop");
  if (options.refit) refuse("refit");
  if (options.multiclass == "folds") refuse("multiclass folds");
}

void check_checkpoint(const TrainOptions& options) {
  if (options.checkpoint && options.map == DictionaryModel::kMap) {
    throw InputError(fmt::format("training with the map {} has no checkpoint", options.map));
  }
}

CheckpointOptions chain_checkpoint(const TrainOptions& options) {
  if (!options.checkpoint) return {};
  return {.path = options.checkpoint->path, .resume = options.checkpoint->resume};
}

/// One against the rest: the temperature that held-out rows of the parts choose.
void calibrate(const TrainingSet& set, const FittedParts& parts, Model& model) {
  const ClassDecision own =
      calibrate_rest(model.classes, set.problems, parts.held_out,
                     encode(set.data.labels, model.classes), set.data.share.get());
  model.temperature = own.temperature;
  model.parts.front().report.notes.push_back(own.note);
}

}  // namespace

Model train(const Dataset& data, const TrainOptions& options, const ProgressCallback& progress,
            SharedDistances* distances) {
  validate(options);
  check_shared(data, options);
  check_checkpoint(options);
  require_memory(data, options);
  if (options.map == DoublySparseModel::kMap)
    return fit_doubly_sparse(data, options, chain_checkpoint(options), progress).model;
  if (options.map == DictionaryModel::kMap) return train_dictionary(data, options);
  TrainOptions decided = options;
  decided.engine_options =
      on_device(options.engine_options, options.device, options.engine, data.share != nullptr);
  const bool rest = options.multiclass == "auto" && prefers_shrinkage(data, options);
  if (options.multiclass == "auto" || options.multiclass == "folds") {
    decided.multiclass = rest ? "ovr" : "ovo";
  }
  const ScaleDecision scale = decide_scale(data, decided);
  decided.scale = scale.scale;
  TrainingSet set = make_training_set(data, decided);
  const FeatureWidthDecision widths = choose_feature_widths(
      data, set, decided,
      [](const Dataset& rows, const TrainOptions& own) { return train(rows, own); });
  const std::string factors_note = widths.per_feature ? scale_by_feature_widths(set) : "";
  const WidthDecision width = decide_width(set, decided, progress);
  decided.sigma = width.sigma;
  const ClassDecision classes = decide_classes(data, set, options.multiclass, decided);
  if (classes.multiclass != decided.multiclass) {
    decided.multiclass = classes.multiclass;
    set = make_training_set(data, decided);
  }
  set.model.options = recorded(options);
  set.model.temperature = classes.temperature;
  // Distances are among the rows given: they are no use where some of them are left out.
  set.map = build_map(set, decided, set.data.rows() == data.rows() ? distances : nullptr);
  std::optional<TrainingCheckpoint> checkpoint;
  if (options.checkpoint) checkpoint.emplace(*options.checkpoint, data, recorded(options));
  FittedParts parts = fit_all(set, decided, progress, checkpoint ? &*checkpoint : nullptr);
  std::vector<Fit>& fits = parts.fits;
  for (const std::string& note : {scale.note, widths.note, factors_note, width.note, classes.note,
                                  centres_note(set, options)}) {
    if (!note.empty()) fits.front().report.notes.push_back(note);
  }
  const std::vector<Index> kept = share_basis(set.map->size(), fits);
  Model model = std::move(set.model);
  const MapPointer kept_map = set.map->restricted(kept);
  model.kind =
      EvidenceModel{kept_map, augmentation(set, options, *kept_map, fits.front().posterior)};
  model.total = set.map->linear() ? data.cols() : set.map->size();
  if (set.map->linear()) keep_inputs(kept, model);
  name_inputs(data.feature_names, model);
  for (std::size_t p = 0; p < fits.size(); ++p) {
    model.parts.push_back({set.problems[p].positive, set.problems[p].negative,
                           std::move(fits[p].posterior), std::move(fits[p].report)});
  }
  if (rest && model.classes.size() > 2 && parts.has_held_out()) calibrate(set, parts, model);
  return model;
}

}  // namespace ardent
