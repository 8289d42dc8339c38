// What `--support-prior auto` means: the evidence alone, a price per column (support_prior.h), or
// the path engine instead.
//
// Kernels and hidden nodes count as few candidates and are left alone, and so are engines for data
// too large for a Hessian; but a regression by `diagonal` or `probes` with more columns than a
// tenth of its rows is priced: the evidence alone would take its noise away. For a linear map no
// one rule wins everywhere: with independent columns the price wins by far, with few rows and
// strongly correlated columns (microarrays) ℓ1 or the evidence alone. So
//
//   at most ten columns    of at most 20 rows each: the mean of all subsets (subset_fit.h); of more
//                          the evidence alone, where what it keeps is worth its price together;
//                          else the bias alone; one column is not chosen, and stays
//   rows ≥ 10 × columns    the price: nothing else would differ by much
//   rows < 40              the price: too few for folds
//   else                   of classes both the price and the path, averaged (averaged_fit.h);
//                          for a regression five inner folds that repeat the selection compare the
//                          price and, where ℓ1 does better on the first of them, the path
//
// by the squared error of held-out rows. The price stands unless
// the path does better than no column at all, and better than the price by more than chance: two
// standard errors of the mean difference, row by row. (Sums of five folds have four degrees of
// freedom: where rows are few one of twenty comparisons is won by chance, and more where folds
// happen to agree.)
//
// Of classes no choice between the two is made: rows that are few against columns do not tell them
// apart, and their average predicts better than the better of them. It is taken at the path's
// sparsest stop within a standard error of its best, so that few columns join those of the price,
// and not where the path's held-out rows are no likelier than by the bias alone: then the price
// stands, and pure noise keeps next to nothing.
//
// Classes whose columns are correlated, their effective number (support_prior.h) below half of
// their number: there ℓ1 does better than the price, and the evidence alone no worse (microarrays).
// So the path, where it does better than no column, stands unless another does better in that way:
// the price, or the evidence alone, which is asked where a Hessian takes no more than 1e8
// multiplications.
//
// Of many classes, five of the pairs choose for the others, too: as their rows are of the same kind
// the folds of five tell as much as those of all, at a small part of the cost.
//
// Where the truth is all columns a little, each selection loses. So one precision for all columns
// (`shrinkage`) is asked, too, on the same folds, and is the answer where held-out rows are better
// for it, z > 0 standard errors of the differences row by row, and
//
//   z + ½(log evidence of shrinkage − log evidence of what stands − log p(its support)) > 2
//
// Neither alone is enough: folds of a hundred rows see a true difference by one or two standard
// errors, and the evidence of one support forgets that others say the same.
//
// An engine that was asked for by name stays: then only the prior is chosen. A regression does not
// ask about the evidence alone, which takes its noise away; and its noise is not below what the
// held-out rows show, since the evidence at the chosen columns does not know that they were chosen.
#pragma once

#include <optional>

#include "ardent/estimators/training_set.h"
#include "ardent/inference/path/path.h"

namespace ardent {

/// What folds have chosen, for the other problems of the same data.
struct SupportRule {
  SupportChoice prior = SupportChoice::none;
  /// Where the path won, or is averaged with the price: where it stops.
  std::optional<PathPlace> path = std::nullopt;
  std::optional<double> strength = std::nullopt;  // where shrinkage won (sparse_choice.h)
};

struct FittedProblem {
  Fit fit;
  /// Where folds chose the prior on the support, or how to shrink.
  std::optional<SupportRule> rule = std::nullopt;
  /// Several sparse classes: f of each row by the fold that does not know it.
  Vector held_out = {};
};

/// One precision for all columns, where rows that folds hold out are no worse for it.
struct ShrinkageCandidate {
  Fit fit;
  double log_evidence = 0;
  double strength = 0;
  /// By how many standard errors of the rows' differences held-out rows prefer it to what stands.
  double standard_errors = 0;
};

/// Rows, each as often as it counts: fewer are not dealt out to folds.
inline constexpr double kFewestFoldedRows = 40;

struct SupportDecision {
  SupportChoice prior = SupportChoice::none;
  double candidates = 0;                   // of that prior; 0: their effective number
  std::string reason = "";                 // empty: the user's own choice
  double noise_variance = 0;               // of held-out rows, where folds compared; else 0
  std::optional<Fit> path = std::nullopt;  // where the path won, or is averaged
  std::optional<ShrinkageCandidate> shrinkage = std::nullopt;  // to be compared with the fit
  std::optional<SupportRule> rule = std::nullopt;              // where folds compared
  bool averaged = false;                                       // the path, with the price
  bool few_columns = false;  // no price one by one, but one for all
  bool subsets = false;      // the mean of all subsets (subset_fit.h)
  /// The problem's design, where folds have left it sums (fold_sums.h); else null.
  std::shared_ptr<const Design> design = nullptr;
};

/// What most of the rules say (the first of equals; at least one), with the stop or the
/// strength in the middle of theirs.
SupportRule common_rule(const std::vector<SupportRule>& rules);

/// Whether one precision for all columns is the better model: folds and evidence are two witnesses,
/// two nats of one as good as a standard error of the other, and both have a say. `log_evidence`:
/// of what stands, with the price of its size.
bool shrinkage_wins(const ShrinkageCandidate& candidate, double log_evidence);

/// options.support_prior, or what it means here if that is auto. `engine` is a name, not auto.
/// Where folds would compare, the `rule` decides instead, if there is one. `design`: the problem's.
/// options.engine_options.checkpoint: where the fits that are compared have parts of their own.
SupportDecision choose_support_prior(const TrainingSet& set, const Problem& problem,
                                     const Design& design, const TrainOptions& options,
                                     const std::string& engine,
                                     const std::optional<SupportRule>& rule,
                                     const ProgressCallback& progress);

}  // namespace ardent
