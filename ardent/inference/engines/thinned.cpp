#include "ardent/inference/engines/thinned.h"

#include <algorithm>
#include <numbers>

#include "ardent/base/index_range.h"
#include "ardent/base/stopwatch.h"
#include "ardent/inference/engines/exact.h"
#include "ardent/inference/engines/one_precision.h"
#include "ardent/inference/evidence/column_choice.h"
#include "ardent/inference/evidence/precision_update.h"
#include "ardent/inference/evidence/standard_units.h"

namespace ardent {
namespace {

constexpr Index kThinnedStages = 50;
constexpr double kThinnedTolerance = 0.05;  // of log alpha: γ/4 times its square in nats
constexpr double kFirstVariance = 10;       // of f
constexpr double kUnsaid = 0.01;            // of the variance of f and what is beside it
constexpr double kLogisticVariance = std::numbers::pi * std::numbers::pi / 3;

/// Where to begin, in the reference's precision and in the number of columns.
struct Beginning {
  Precisions precisions;
  Index columns = 1;
  bool settled = false;  // columns have been chosen: the precision was learnt
};

/// One precision for all: the first of a search, or what it is at the starting point.
Beginning beginning(const StandardProblem& standard, const EngineOptions& options) {
  const auto start = standard_start(standard, options);
  const double variance = start ? start->alpha.cwiseInverse().sum() : kFirstVariance;
  const Index columns = standard.problem.active();
  Beginning first{{Vector::Constant(columns, static_cast<double>(columns) / variance),
                   start ? start->noise_variance : kFirstNoiseVariance}};
  if (!start || std::ssize(start->positions) == columns) return first;
  first.columns = std::ssize(start->positions);
  first.settled = true;
  return first;
}

/// A fit's report while it is written, and who hears of it.
struct Account {
  const StandardUnits& units;
  const EngineOptions& options;
  const ProgressCallback& progress;
  Report report = {};

  /// As many stages as were asked for at most.
  bool finished() const {
    return options.max_stages > 0 && std::ssize(report.stages) >= options.max_stages;
  }

  /// False: the caller wants to stop.
  bool add(const EvidenceState& state, double change) {
    const Index active = state.problem.active();
    report.stages.push_back(
        {state.log_evidence, active, state.mode.newton_steps, change, state.objective});
    if (options.keep_stages) report.path.push_back(path_point(state, units));
    const Index stage = std::ssize(report.stages), limit = stage_limit(options, kThinnedStages);
    const bool stopped = progress && !progress({"thinned", stage, std::max(stage, limit),
                                                state.log_evidence, active});
    if (stopped) report.status = Status::stopped;
    return !stopped;
  }
};

EvidenceState reference_state(const StandardProblem& standard, const Beginning& first,
                              const EngineOptions& options, Account& account) {
  const Index limit = stage_limit(options, kThinnedStages);
  const auto on_state = [&](const EvidenceState& state, double change) {
    if (!account.add(state, change)) return false;
    const bool settled = change < options.tolerance;
    account.report.status = settled ? Status::converged : Status::iteration_limit;
    return std::ssize(account.report.stages) < limit;
  };
  return learn_one_precision(standard.problem, first.precisions, first.settled, options,
                             part_of(options.checkpoint, "one precision"), on_state,
                             account.report);
}

/// How often each row counts.
Vector counts_of(const ActiveProblem& problem) {
  return problem.row_weights.size() > 0 ? problem.row_weights : Vector::Ones(problem.rows());
}

/// Σ c (f − its mean)²; without a bias about 0.
double squares_about_mean(const Vector& f, const Vector& counts, bool bias) {
  const double mean = bias ? counts.dot(f) / counts.sum() : 0;
  return counts.dot((f.array() - mean).square().matrix());
}

Index next_size(Index size) {
  return std::max(size + 1, static_cast<Index>(std::numbers::sqrt2 * static_cast<double>(size)));
}

/// Steps 2 and 3.
EvidenceState thin(const EvidenceState& reference, Index first_size, const EngineOptions& options,
                   Account& account) {
  const ActiveProblem& whole = reference.problem;
  const Vector& f = reference.mode.predictor.fitted;
  const Vector counts = counts_of(whole);
  const bool gaussian = whole.likelihood == Likelihood::gaussian;
  const double noise = gaussian ? reference.precisions.noise_variance : kLogisticVariance;
  const double allowed =
      kUnsaid * (squares_about_mean(f, counts, options.bias) + noise * whole.row_count());
  const double variance = static_cast<double>(whole.active()) / reference.precisions.alpha[0];
  ColumnChoice choice(*whole.phi, counts, f, options.bias);
  for (Index size = first_size;; size = next_size(size)) {
    bool more = true;
    while (more && std::ssize(choice.chosen()) < size) more = choice.add_next();
    std::vector<Index> kept = choice.chosen();
    if (kept.empty()) kept.push_back(0);  // f is constant: any column will do
    std::ranges::sort(kept);
    EvidenceState state =
        tied_state(restricted(whole, kept), static_cast<double>(kept.size()) / variance,
                   reference.precisions.noise_variance, options);
    if (!account.add(state, 0) || !more) return state;
    const Vector unsaid = f - state.mode.predictor.fitted;
    if (counts.dot(unsaid.cwiseAbs2()) <= allowed) return state;
    if (account.finished()) {
      account.report.status = Status::iteration_limit;
      return state;
    }
  }
}

}  // namespace

Fit fit_thinned(const Design& design, const Target& target, const EngineOptions& given,
                const ProgressCallback& progress) {
  refuse_shared_rows(design, "the engine thinned");
  const Stopwatch watch;
  validate(given);
  EngineOptions options = with_tolerance(given, kThinnedTolerance);
  options.support_prior = SupportChoice::none;
  std::vector<std::string> warnings;
  const StandardProblem standard = standardise(design, target, options, warnings);
  if (standard.units.target_scale == 0 || standard.problem.active() == 0) {
    return fit_exact(design, target, options, progress);  // nothing but a bias to learn
  }
  check_memory("thinned", standard.problem.rows(), standard.problem.active());
  Account account{standard.units, options, progress};
  const Beginning first = beginning(standard, options);
  EvidenceState state = reference_state(standard, first, options, account);
  if (account.report.status != Status::stopped) {
    if (account.finished()) {
      account.report.status = Status::iteration_limit;
    } else {
      state = thin(state, first.columns, options, account);
    }
  }
  Fit fit{to_posterior(state, standard.units), std::move(account.report)};
  fit.report.warnings = std::move(warnings);
  warn_of_overfit(spent_rows(state), fit.report.warnings);
  warn_of_jitter(state.space->jitter(), fit.report.warnings);
  fit.report.seconds = watch.seconds();
  return fit;
}

}  // namespace ardent
