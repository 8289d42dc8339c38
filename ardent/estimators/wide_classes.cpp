#include "ardent/estimators/wide_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "ardent/base/in_turn.h"
#include "ardent/base/packed.h"
#include "ardent/base/task_farm.h"
#include "ardent/estimators/averaged_fit.h"
#include "ardent/estimators/engine_by_name.h"
#include "ardent/estimators/support_choice.h"
#include "ardent/estimators/training_checkpoint.h"
#include "ardent/inference/path/path.h"
#include "ardent/inference/path/shrinkage.h"
#include "ardent/maps/linear.h"

namespace ardent {
namespace {

constexpr std::uint32_t kFewestToHoldOut = 2;  // of each class, to hold one out
constexpr std::array<const char*, 3> kWays{"path", "shrinkage", "the mean of both"};
using Ways = std::array<std::vector<Vector>, kWays.size()>;

/// One class against the rest, and f of each row by the fold that does not know it.
struct FittedClass {
  Fit path, shrunk;
  Vector by_path, by_shrinkage;
};

template <class Stream, class Class>
void transfer_class(Stream& stream, Class& fitted) {
  const auto fit = [&](auto& own) {
    if constexpr (std::is_same_v<Stream, Packer>) {
      stream.field("fit", bytes_of(own));
    } else {
      std::string bytes;
      stream.field("fit", bytes);
      own = fit_of(bytes, "what another process fitted");
    }
  };
  fit(fitted.path);
  fit(fitted.shrunk);
  stream.list("by_path", fitted.by_path);
  stream.list("by_shrinkage", fitted.by_shrinkage);
}

EngineOptions options_of_classes(const TrainOptions& options) {
  EngineOptions own = options.engine_options;
  own.seed = options.seed;
  own.support_prior = SupportChoice::none;
  own.accelerator = nullptr;
  return own;
}

/// Of models that keep all columns: a covariance of each class would be most of the model file.
EngineOptions without_covariance(EngineOptions options) {
  options.covariance = false;
  return options;
}

FittedClass fit_class(const Design& design, const Target& target, const EngineOptions& options,
                      const ProgressCallback& progress) {
  PathOnFolds path = fit_path_on_folds(design, target, options, progress);
  ShrinkageOnFolds shrunk =
      fit_shrinkage_on_folds(design, target, without_covariance(options), progress);
  path.fit.report.engine = "path";
  shrunk.fit.report.engine = "shrinkage";
  return {std::move(path.fit), std::move(shrunk.fit), std::move(path.held_out),
          std::move(shrunk.held_out)};
}

/// Classes have up to 10,000 rows whose f the folds keep, and none where they were stopped.
bool has_held_out(const FittedClass& fitted) {
  return fitted.by_path.size() > 0 && fitted.by_path.size() == fitted.by_shrinkage.size();
}

Fit fit_of_way(std::size_t way, FittedClass fitted, const Design& design, const Target& target,
               const EngineOptions& options) {
  if (way == 0) return std::move(fitted.path);
  if (way == 1) return std::move(fitted.shrunk);
  Fit mean = averaged_fit(std::move(fitted.path), fitted.shrunk, design, target,
                          without_covariance(options));
  mean.report.engine = "path and shrinkage, averaged";
  return mean;
}

/// The way and its temperature, by the log loss of all classes' held-out rows.
ClassDecision choose_way(const TrainingSet& set, const Ways& held_out, std::size_t& way) {
  const auto truth = encode(set.data.labels, set.model.classes);
  ClassDecision best;
  std::string losses;
  for (std::size_t w = 0; w < kWays.size(); ++w) {
    const ClassDecision own = calibrate_rest(set.model.classes, set.problems, held_out[w], truth);
    losses += fmt::format("{}{} {:.4f}", w == 0 ? "" : ", ", kWays[w], own.log_loss);
    if (w > 0 && !(own.log_loss < best.log_loss)) continue;
    best = own;
    way = w;
  }
  best.note =
      fmt::format("classes: ovr by {} at temperature {:.3g} (log loss of held-out rows: {})",
                  kWays[way], best.temperature, losses);
  return best;
}

/// Enough for folds, and fewer than columns. A row of weight two is as good as two rows.
bool has_few_rows(const Dataset& data) {
  const double counted = std::accumulate(data.weights.begin(), data.weights.end(), 0.0);
  const double rows = data.weights.empty() ? static_cast<double>(data.rows()) : counted;
  return rows >= kFewestFoldedRows && rows < static_cast<double>(data.cols());
}

}  // namespace

bool prefers_rest_of_wide(const Dataset& data, const TrainOptions& options) {
  const bool nothing_else = options.engine == "auto" && options.support_prior == "auto" &&
                            options.early_stop == "none" && !options.refit &&
                            !options.engine_options.keep_stages && !options.warm_start &&
                            options.multiclass == "auto" && options.map == LinearMap::kName;
  if (!nothing_else || data.share || !has_few_rows(data)) return false;
  if (choose_engine("auto", options.map, data.rows(), data.cols()) != "exact") return false;
  if (resolve_task(data.labels, options.task) != Task::classification) return false;
  const ClassTable classes = make_classes(data.labels);
  if (classes.size() <= 2) return false;
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(classes.size()));
  const auto class_of = encode(data.labels, classes);
  for (std::size_t i = 0; i < class_of.size(); ++i) {
    if (data.weights.empty() || data.weights[i] > 0) ++counts[class_of[i]];
  }
  return *std::ranges::min_element(counts) >= kFewestToHoldOut;
}

WideClasses fit_wide_classes(const TrainingSet& set, const TrainOptions& options,
                             const ProgressCallback& progress) {
  const std::vector<Problem>& problems = set.problems;
  const EngineOptions own = options_of_classes(options);
  const auto design = set.map->training_design(set.scaled, problems.front().rows);
  PartProgress shared(progress, problems.size(), false);
  const auto fit_one = [&](Index p) {
    FittedClass fitted = fit_class(*design, problems[p].target, own, shared.of(p));
    shared.finish_part();
    return fitted;
  };
  std::vector<FittedClass> fitted(problems.size());
  if (options.farm) {
    fitted = dealt_out<FittedClass>(
        options.farm, std::ssize(problems), fit_one,
        [](auto& stream, auto& of_class) { transfer_class(stream, of_class); });
  } else {
    parallel_for(std::ssize(problems), [&](Index p) { fitted[p] = fit_one(p); });
  }
  WideClasses result;
  std::size_t way = 0;
  if (std::ranges::all_of(fitted, has_held_out)) {
    Ways held_out;
    for (const FittedClass& f : fitted) {
      held_out[0].push_back(f.by_path);
      held_out[1].push_back(f.by_shrinkage);
      held_out[2].push_back((f.by_path + f.by_shrinkage) / 2);
    }
    result.decision = choose_way(set, held_out, way);
  }
  const std::vector<Index> columns = set.map->candidates(problems.front().rows);
  result.fits.resize(problems.size());
  parallel_for(std::ssize(problems), [&](Index p) {
    Fit& fit = result.fits[p];
    fit = fit_of_way(way, std::move(fitted[p]), *design, problems[p].target, own);
    for (Index& k : fit.posterior.active) k = columns[k];
  });
  return result;
}

}  // namespace ardent
