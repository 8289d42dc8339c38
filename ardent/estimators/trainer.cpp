#include "ardent/estimators/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ardent/base/error.h"
#include "ardent/base/in_turn.h"
#include "ardent/cuda/accelerator_for.h"
#include "ardent/estimators/class_choice.h"
#include "ardent/estimators/dictionary_training.h"
#include "ardent/estimators/doubly_sparse_training.h"
#include "ardent/estimators/feature_widths.h"
#include "ardent/estimators/fit_parts.h"
#include "ardent/estimators/memory_need.h"
#include "ardent/estimators/shared_basis.h"
#include "ardent/estimators/sparse_choice.h"
#include "ardent/estimators/wide_classes.h"
#include "ardent/estimators/width_choice.h"
#include "ardent/maps/linear.h"
#include "ardent/maps/rbf.h"
#include "ardent/model/augmented_variance.h"

namespace ardent {
namespace {

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
  const std::string needing = needs_all_rows(options);
  if (!needing.empty()) refuse(needing);
}

/// What several processes of which each has all rows can train.
void check_farm(const TrainOptions& options) {
  if (!options.farm) return;
  if (options.map == DictionaryModel::kMap) {
    throw InputError("training with the map dictionary is no work that processes could share");
  }
  if (options.checkpoint && options.map != DoublySparseModel::kMap) {
    throw InputError(
        "models that are dealt out to several processes have no checkpoint: those that finish "
        "would be in different processes");
  }
}

/// One model is not dealt out.
void check_dealt_out(const TrainingSet& set, const TrainOptions& options) {
  if (!options.farm || set.problems.size() > 1) return;
  throw InputError(fmt::format(
      "{} needs all rows in one process, and here is one model: several processes deal out those "
      "of three classes and more, and share the rows of linear models by the engines diagonal, "
      "probes, dqn, path and shrinkage, without early-stop, refit and multiclass folds",
      needs_all_rows(options)));
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

/// The model of a map that has no engine; nothing for the others.
std::optional<Model> train_without_engine(const Dataset& data, const TrainOptions& options,
                                          const ProgressCallback& progress) {
  if (options.map == DoublySparseModel::kMap) {
    if (options.device == "cuda") {
      throw InputError("the map doubly-sparse is sampled on the processor: take device cpu");
    }
    return fit_doubly_sparse(data, options, chain_checkpoint(options), progress).model;
  }
  if (options.map != DictionaryModel::kMap) return std::nullopt;
  // An error where there is no card, also where so few rows are given that none is coded.
  if (options.device == "cuda") accelerator_for(Device::cuda);
  TrainOptions there = options;
  there.coder.device = options.device;
  return train_dictionary(data, there);
}

/// One against the rest: the temperature that held-out rows of the parts choose.
void calibrate(const TrainingSet& set, const FittedParts& parts, Model& model) {
  const ClassDecision own =
      calibrate_rest(model.classes, set.problems, parts.held_out,
                     encode(set.data.labels, model.classes), set.data.share.get());
  model.temperature = own.temperature;
  model.parts.front().report.notes.push_back(own.note);
}

/// Classes of more columns than rows; `note` says how.
FittedParts fit_together(TrainingSet& set, const TrainOptions& options,
                         const ProgressCallback& progress, std::string& note) {
  WideClasses classes = fit_wide_classes(set, options, progress);
  set.model.temperature = classes.decision.temperature;
  note = classes.decision.note;
  return {std::move(classes.fits), {}};
}

}  // namespace

std::string needs_all_rows(const TrainOptions& options) {
  if (options.map != LinearMap::kName) return "the map " + options.map;
  for (const char* engine : {"exact", "sequential", "growing", "thinned"}) {
    if (options.engine == engine) return fmt::format("the engine {}", engine);
  }
  if (options.early_stop != "none") return "early-stop";
  if (options.refit) return "refit";
  if (options.multiclass == "folds") return "multiclass folds";
  return "";
}

Model train(const Dataset& data, const TrainOptions& options, const ProgressCallback& progress,
            SharedDistances* distances) {
  validate(options);
  check_shared(data, options);
  check_farm(options);
  check_checkpoint(options);
  require_memory(data, options);
  if (auto model = train_without_engine(data, options, progress)) return std::move(*model);
  TrainOptions decided = options;
  decided.engine_options =
      on_device(options.engine_options, options.device, options.engine, data.share != nullptr);
  const bool wide = prefers_rest_of_wide(data, options);
  const bool rest = options.multiclass == "auto" && prefers_shrinkage(data, options);
  if (options.multiclass == "auto" || options.multiclass == "folds") {
    decided.multiclass = rest || wide ? "ovr" : "ovo";
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
  ClassDecision classes = decide_classes(data, set, options.multiclass, decided);
  if (classes.multiclass != decided.multiclass) {
    decided.multiclass = classes.multiclass;
    set = make_training_set(data, decided);
  }
  set.model.options = recorded(options);
  set.model.temperature = classes.temperature;
  // Distances are among the rows given: they are no use where some of them are left out.
  set.map = build_map(set, decided, set.data.rows() == data.rows() ? distances : nullptr);
  check_dealt_out(set, decided);
  std::optional<TrainingCheckpoint> checkpoint;
  if (options.checkpoint) checkpoint.emplace(*options.checkpoint, data, recorded(options));
  FittedParts parts = wide ? fit_together(set, decided, progress, classes.note)
                           : fit_all(set, decided, progress, checkpoint ? &*checkpoint : nullptr);
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
