// What you ask of training.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ardent/base/option_schema.h"
#include "ardent/base/task_farm.h"
#include "ardent/estimators/class_weights.h"
#include "ardent/estimators/coder_options.h"
#include "ardent/estimators/device.h"
#include "ardent/estimators/doubly_sparse_options.h"
#include "ardent/estimators/engine_by_name.h"
#include "ardent/estimators/training_checkpoint.h"
#include "ardent/inference/engine.h"
#include "ardent/model/model.h"

namespace ardent {

struct TrainOptions {
  std::string task = "auto";
  std::string map = "linear";
  std::string engine = "auto";
  std::string device = "cpu";
  std::string scale = "auto";
  std::string multiclass = "auto";
  std::string class_weight = "none";
  double sigma = 0;                       // rbf; 0: automatic
  Index centres = 500;                    // rbf
  std::string widths = "auto";            // rbf
  std::string variance = "augmented";     // rbf
  Index hidden = 200;                     // elm
  std::string hidden_weights = "scaled";  // elm
  std::uint64_t seed = 1;
  std::string early_stop = "none";
  bool refit = false;
  std::string support_prior = "auto";
  EngineOptions engine_options = {};
  DoublySparseOptions doubly_sparse = {};  // doubly-sparse
  Index atoms = 0;                         // dictionary; 0: all training rows
  std::string vote = "residual";           // dictionary
  CoderOptions coder = {};                 // dictionary
  /// An earlier model to begin from (linear, rbf, elm; see warm_start.h); null: none.
  std::shared_ptr<const Model> warm_start = nullptr;
  /// Where the training is kept on disk while it runs (linear, rbf, elm); null: nowhere.
  std::shared_ptr<const CheckpointPlan> checkpoint = nullptr;
  /// Processes of which each has all rows, that models and chains are dealt out to; null: none.
  TaskFarm* farm = nullptr;
};

inline void add_problem_options(Schema& schema, TrainOptions& options) {
  schema.add("task", options.task,
             "classification (Bernoulli likelihood, logit link) or regression (Gaussian "
             "likelihood, noise variance estimated); auto: classification if the labels are text, "
             "or at most 20 distinct whole numbers",
             {"auto", "classification", "regression"});
  schema.add("map", options.map, map_help(), map_names());
  schema.add(
      "scale", options.scale,
      "feature scaling, fitted on the training rows and kept in the model: minmax to [-1, "
      "1]; standard, mean 0 and standard deviation 1; rms, root mean square 1 (keeps zeros "
      "zero); tfidf, x * (ln((1 + N)/(1 + df)) + 1) with df the training rows that have the "
      "feature (smooth idf), then each row to unit length (keeps zeros zero; for text); "
      "none; auto: minmax for dense data, rms for sparse; where penalties depend on it (sparse "
      "data with the engine path or shrinkage) none, or tfidf where values are counts and "
      "held-out rows prefer it; standard for the map doubly-sparse; none for dictionary",
      {"auto", "minmax", "standard", "rms", "tfidf", "none"});
  schema.add("seed", options.seed, "seed of everything random (hidden nodes, folds)");
}

inline void add_evidence_options(Schema& schema, TrainOptions& options) {
  const Condition evidence = unless("map", {"doubly-sparse", "dictionary"});
  const Condition classes = unless("task", {"regression"});
  std::vector<std::string> engines = engine_names();
  engines.insert(engines.begin(), "auto");
  schema.group("", {evidence});
  schema.add(
      "engine", options.engine,
      "exact: Laplace approximation with Newton steps and Cholesky, O(N M^2 + M^3) time per "
      "stage and O(N M + M^2) memory (N rows, M basis functions; O(N^2 M + N^3) where M > N); "
      "diagonal: Newton-CG and the diagonal of the Hessian, O(non-zeros) time per product and "
      "memory of the data and about ten vectors of length M; dqn: the published diagonal "
      "quasi-Newton method, the same memory; probes: as diagonal with the covariance's diagonal "
      "from random probes; sequential: adds, re-estimates and deletes one weight at a time "
      "(Tipping and Faul), fast where few survive; growing: grows a model once from nothing, "
      "without trial fits, faster still and on kernels on average with a lower log loss than "
      "those that search on; path: l1-penalised regression along a path, reweighted towards "
      "sparse Bayesian learning, with the stop chosen on five folds that repeat the path (for "
      "text, and for columns many against rows); shrinkage: one precision for all weights, "
      "l2-penalised logistic or ridge regression, its strength chosen on five folds; keeps every "
      "column (for text); thinned: one precision for all weights, learnt from rows as they are "
      "left out, and of the columns only so many as are needed to predict the same (for hidden "
      "nodes); auto: growing for rbf; else exact where a Hessian takes "
      "a second or less to form, beyond that for linear maps shrinkage where data are sparse and "
      "have classes, else diagonal, and sequential for elm",
      engines);
  schema.add("device", options.device, device_help(), {"cpu", "cuda", "auto"});
  schema
      .add("multiclass", options.multiclass,
           "more than two classes: ovo, one binary model for each pair of classes with pairwise "
           "coupling of their probabilities (Wu, Lin and Weng's second method); ovr, one for each "
           "class against the rest; folds, whichever gives the held-out rows of four folds the "
           "higher likelihood, with its probabilities calibrated there by a temperature (up to 500 "
           "rows; beyond, ovo); auto, ovo, but ovr, calibrated by a temperature as held-out rows "
           "prefer, for sparse data by the engine that auto takes for text and for linear models "
           "of more columns than rows",
           {"auto", "ovo", "ovr", "folds"})
      .needing(classes);
  Option& class_weight = schema.add_text(
      "class-weight", options.class_weight,
      "balanced: rows of a class count N/(classes * rows of the class) times, so that each class "
      "counts the same; 1=5,-1=0.5: rows of the class 1 count five times, those of -1 half; none: "
      "every row counts once",
      "none, balanced or LABEL=WEIGHT,...");
  class_weight.needing(classes).set = [&options](std::string_view text) {
    if (!is_class_weight(text)) return false;
    options.class_weight = text;
    return true;
  };
  schema.include(ardent::schema(options.engine_options));
  for (const char* name : {"multiclass", "class-weight"}) {
    schema.option(name).needs = {unless("map", {"dictionary"}), classes};
  }
  schema.option("bias").needs = {unless("map", {"dictionary"}), where("sampler", {"collapsed"})};
}

/// What the evidence alone does not decide.
inline void add_selection_options(Schema& schema, TrainOptions& options) {
  schema.group("evidence", {unless("map", {"doubly-sparse", "dictionary"})});
  schema
      .add(
          "support-prior", options.support_prior,
          "beta-binomial: a price per column, log((P - k)/(k + 1)) nats for one more than k of P "
          "effective candidates, so that the best of many columns that say nothing is not kept "
          "for its luck; none: the evidence alone; auto, for linear maps of more than ten columns: "
          "beta-binomial where rows are ten times as many as columns, else what predicts held-out "
          "rows of five inner folds best, the engines path and shrinkage included where the engine "
          "is auto, too; of fewer columns, at most 20 rows each, the mean of all their subsets; "
          "none for other maps and for data too large for a Hessian",
          {"auto", "none", "beta-binomial"})
      .needing(unless("engine", {"dqn", "path", "shrinkage", "thinned"}));
  schema.add("early-stop", options.early_stop,
             "cv: stop after the number of stages whose weights have the best log-likelihood (for "
             "a regression, squared error) on the held-out rows of five inner folds; none: at "
             "convergence. On text the evidence prunes on past the best model",
             {"none", "cv"});
  schema.add(
      "refit", options.refit,
      "fit the kept weights again with precisions alpha_k = a * c * h_k^p, h_k = "
      "|phi_k|^2/4 (one pooled strength instead of a precision each), a and p chosen on "
      "five inner folds that repeat the selection: selection apart from shrinkage; left alone "
      "where held-out rows do not gain by it");
}

inline Schema schema(TrainOptions& options) {
  Schema schema;
  add_problem_options(schema, options);
  add_evidence_options(schema, options);
  add_selection_options(schema, options);
  schema.group("rbf", {where("map", {"rbf"})});
  schema.add(
      "sigma", options.sigma,
      "width of the rbf map; auto: of 1/4, 1/2, 1, 2 and 4 times the median distance between "
      "training rows the one that predicts the held-out rows of four folds best, by "
      "log-likelihood or predictive density (twice the median where rows are too few)",
      above(0), "auto");
  schema.add("widths", options.widths,
             "of a regression or two classes by the rbf map: common, sigma for all features; "
             "per-feature, the "
             "features are first scaled by factors that the evidence of a Gaussian process learns, "
             "so that those that say nothing count for nothing; auto: the latter where sigma is "
             "auto and held-out rows say clearly that it predicts better",
             {"auto", "common", "per-feature"});
  schema.add("centres", options.centres,
             "training rows of a binary model or a regression that may be centres of kernels, at "
             "most; of more rows so many, evenly spaced in the order of their contents; 0: all",
             0);
  schema
      .add("variance", options.variance,
           "variance of a regression by the rbf map: augmented, that of the process with a kernel "
           "on every training row (1,000 at most), which the model keeps, so that it grows away "
           "from them; posterior, that of the kept kernels alone, which is smallest where no "
           "kernel reaches",
           {"augmented", "posterior"})
      .needing(unless("task", {"classification"}));
  schema.group("elm", {where("map", {"elm"})});
  schema.add("hidden", options.hidden, "hidden nodes of the elm map", 1);
  schema
      .add("hidden-weights", options.hidden_weights,
           "of the elm map: scaled, a random in [-1, 1]/sqrt(features), so that nodes do not "
           "saturate where features are many; published, in [-1, 1]",
           {"scaled", "published"})
      .also_in("published");
  schema.group("doubly-sparse", {where("map", {"doubly-sparse"})});
  schema.include(ardent::schema(options.doubly_sparse));
  schema.group("dictionary", {where("map", {"dictionary"})});
  schema.add("atoms", options.atoms,
             "training rows kept, drawn evenly over the classes; 0: all of them", 0);
  schema
      .add("vote", options.vote,
           "residual: the class whose atoms in the code explain the row best when fitted alone, "
           "with probabilities calibrated on training rows; coefficients: the class with the "
           "largest sum of |coefficients| (published)",
           {"residual", "coefficients"})
      .also_in("published");
  schema.include(coding_schema(options.coder));
  return schema;
}

/// Throws InputError naming field, rule and value.
inline void validate(const TrainOptions& options) {
  validate_fields(options);
  validate(options.engine_options);
}

/// Every option by name and value, as a model records them: all that the result depends on, which
/// the device is not.
inline std::map<std::string, std::string> recorded(TrainOptions options) {
  auto values = schema(options).values();
  values.erase("device");
  return values;
}

}  // namespace ardent
