#include "ardent/estimators/train_options.h"

#include "ardent/model/model.h"

namespace ardent {

OptionTable option_table(TrainOptions& options) {
  EngineOptions& engine = options.engine_options;
  OptionTable table;
  table.add("task", options.task,
            "classification (Bernoulli likelihood, logit link) or regression (Gaussian likelihood, "
            "noise variance estimated); auto: classification if the labels are text, or at most 20 "
            "distinct whole numbers",
            {"auto", "classification", "regression"});
  table.add(
      "map", options.map,
      "feature map: linear, phi_k(x) = x_k; rbf, phi_k(x) = exp(-|x - x_k|^2/sigma^2) on the "
      "training rows x_k (relevance vector machine); elm, phi_k(x) = 1/(1 + exp(-a_k.x - "
      "b_k)) with random a, b in [-1, 1] (sparse Bayesian extreme learning machine); "
      "doubly-sparse, exp(-delta*|x - x_k|^2) over the features that a sampled mask leaves "
      "on, averaged over masks (engine and its options are not used); dictionary, a row is "
      "coded as a combination of few training rows, all of length 1, and the classes of those "
      "rows vote by sum |coefficient| (engine and its options are not used)",
      map_names());
  table.add("sigma", options.sigma,
            "width of the rbf map; auto: twice the median distance between training rows", 0,
            "auto");
  table.add("hidden", options.hidden, "hidden nodes of the elm map", 1);
  table.add(
      "engine", options.engine,
      "exact: Laplace approximation with Newton steps and Cholesky, O(N M^2 + M^3) time a "
      "stage and O(N M + M^2) memory (N rows, M basis functions; O(N^2 M + N^3) where M > N); "
      "diagonal: Newton-CG and the diagonal of the Hessian, O(non-zeros) time a product and "
      "memory of the data and about ten vectors of length M; dqn: the published diagonal "
      "quasi-Newton method, the same memory; probes: as diagonal with the covariance's "
      "diagonal from random probes; sequential: adds, re-estimates and deletes one weight at "
      "a time (Tipping and Faul), fast where few survive; auto: exact where a Hessian takes "
      "a second or less to form, beyond that diagonal for linear maps and sequential for rbf "
      "and elm",
      {"auto", "exact", "diagonal", "dqn", "probes", "sequential"});
  table.add(
      "scale", options.scale,
      "feature scaling, fitted on the training rows and kept in the model: minmax to [-1, "
      "1]; standard, mean 0 and standard deviation 1; rms, root mean square 1 (keeps zeros "
      "zero); tfidf, x * (ln((1 + N)/(1 + df)) + 1) with df the training rows that have the "
      "feature (smooth idf), then each row to unit length (keeps zeros zero; for text); none; "
      "auto: minmax for dense data, rms for sparse; standard for the map doubly-sparse; none for "
      "dictionary",
      {"auto", "minmax", "standard", "rms", "tfidf", "none"});
  table.add("multiclass", options.multiclass,
            "more than two classes: ovo, one binary model for each pair of classes with pairwise "
            "coupling of their probabilities (Wu, Lin and Weng's second method); ovr, one for "
            "each class against the rest",
            {"ovo", "ovr"});
  table.add("class-weight", options.class_weight,
            "balanced: rows of a class count N/(classes * rows of the class) times, so that each "
            "class counts the same; none: every row counts once",
            {"none", "balanced"});
  table.add("bias", engine.bias, "a free intercept, never pruned");
  table.add("alpha-init", engine.alpha_init,
            "initial precision of every weight (columns scaled to root mean square 1)", 0);
  table.add("alpha-max", engine.alpha_max, "a weight is pruned when its precision exceeds this", 0);
  table.add("tolerance", engine.tolerance,
            "converged when max |change of log alpha| is below this; auto: exact 1e-7 or rounding, "
            "the others 1e-3",
            0, "auto");
  table.add("max-stages", engine.max_stages,
            "updates of the precisions, at most; 0: the engine's own limit (exact 1000; diagonal, "
            "dqn and probes 100; sequential 5000 single weights)",
            0);
  table.add("early-stop", options.early_stop,
            "cv: stop after the number of stages whose weights have the best log-likelihood (for a "
            "regression, squared error) on the held-out rows of five inner folds; none: at "
            "convergence. On text the evidence prunes on past the best model",
            {"none", "cv"});
  table.add("refit", options.refit,
            "fit the kept weights again with precisions alpha_k = a * c * h_k^p, h_k = |phi_k|^2/4 "
            "(one pooled strength instead of a precision each), a and p chosen on five inner folds "
            "that repeat the selection: selection apart from shrinkage");
  table.add("path", engine.keep_path,
            "keep every stage's weights in the model, for evaluate --path and predict --stage");
  table.add("probes", engine.probes, "engine probes: random probes a stage", 1);
  table.add("second-start", engine.second_start,
            "engine sequential: having grown a model from nothing, prune one from many "
            "columns, too, and keep the one of higher evidence; off: several times faster");
  table.add("warm-b", engine.warm_b,
            "engine dqn: carry the diagonal B from stage to stage (published: off)");
  add_mask_options(table, options.masks);
  table.add("atoms", options.atoms,
            "map dictionary: training rows kept, drawn evenly over the classes; 0: all", 0);
  table.add("vote", options.vote,
            "map dictionary: refit, the class whose atoms in the code explain the row best when "
            "fitted alone, with probabilities calibrated on training rows; coefficients, the class "
            "with the largest sum of |coefficients| (published)",
            {"refit", "coefficients"});
  add_coding_options(table, options.coder);
  table.add("seed", options.seed, "seed of everything random (hidden nodes, folds)");
  return table;
}

}  // namespace ardent
