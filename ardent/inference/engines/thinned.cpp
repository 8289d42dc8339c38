#include "ardent/inference/engines/thinned.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/base/stopwatch.h"
#include "ardent/inference/engines/exact.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/inference/evidence/column_choice.h"
#include "ardent/inference/evidence/noise_prior.h"
#include "ardent/inference/evidence/precision_update.h"
#include "ardent/inference/evidence/saved_climb.h"
#include "ardent/inference/evidence/standard_units.h"

namespace ardent {
namespace {

constexpr Index kThinnedStages = 50;
constexpr double kThinnedTolerance = 0.05;  // of log alpha: γ/4 times its square in nats
constexpr double kLongestSecant = 4;        // times MacKay's step
constexpr double kLeastTied = 1e-9, kMostTied = 1e6;
constexpr double kSpentShare = 0.1;

/// One precision for all, from stage to stage.
struct TiedCourse {
  double log_alpha = 0;
  double last_step = 0;  // MacKay's, of the stage before; 0: there was none

  std::vector<double> numbers() const { return {log_alpha, last_step}; }
  static TiedCourse of(const std::vector<double>& n) {
    if (n.size() != 2) throw InputError("a checkpoint of the engine thinned has other numbers");
    return {n[0], n[1]};
  }

  /// Along MacKay's step, and as much farther as the steps shrink from stage to stage.
  void move(double step) {
    const double shrunk = last_step != 0 ? step / last_step : 0;
    const double farther = shrunk > 0 && shrunk < 1 ? 1 / (1 - shrunk) : 1;
    log_alpha += std::min(farther, kLongestSecant) * step;
    log_alpha =
        std::clamp(log_alpha, elementary::log(kLeastTied), elementary::log(kMostTied));
    last_step = step;
  }
};

/// Of log alpha, to Σγ/Σw².
double mackay_step(const EvidenceState& state, double log_alpha) {
  const double spent = state.relevance.gamma.sum(), squares = state.w.squaredNorm();
  const double wanted = spent < kMostTied * squares ? spent / squares : kMostTied;
  return elementary::log(std::max(wanted, kLeastTied)) - log_alpha;
}

double next_noise(const EvidenceState& state) {
  if (state.problem.likelihood != Likelihood::gaussian) return state.precisions.noise_variance;
  const double free =
      state.problem.row_count() - state.relevance.gamma.sum() - state.relevance.bias_gamma;
  return std::max(best_noise_variance(state.mode.square_sum, free), kNoiseFloor);
}

EvidenceState tied_state(const ActiveProblem& problem, double log_alpha, double noise,
                         const EngineOptions& options, const EvidenceState* near = nullptr) {
  const Vector alpha = Vector::Constant(problem.active(), elementary::exp(log_alpha));
  EvidenceState state = evaluate(problem, {alpha, noise}, options, near ? &near->mode : nullptr,
                                 near ? &near->w : nullptr);
  find_relevance(state);
  return state;
}

/// A prior variance of f of 1, or what it is at the starting point, if one is given.
EvidenceState first_tied_state(const StandardProblem& standard, const EngineOptions& options,
                               TiedCourse& course) {
  const auto start = standard_start(standard, options);
  const double variance = start ? start->alpha.cwiseInverse().sum() : 1;
  const double alpha = static_cast<double>(standard.problem.active()) / variance;
  course.log_alpha = elementary::log(std::clamp(alpha, kLeastTied, kMostTied));
  return tied_state(standard.problem, course.log_alpha,
                    start ? start->noise_variance : kFirstNoiseVariance, options);
}

/// A fit's report while it is written, and who is told of it.
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

/// Step 1 from `state` on. The status is that of the whole fit.
void learn_precision(EvidenceState& state, TiedCourse course, const ClimbCheckpoint& checkpoint,
                     const EngineOptions& options, Account& account) {
  Report& report = account.report;
  const Index limit = stage_limit(options, kThinnedStages);
  for (Index stage = std::ssize(report.stages) + 1;; ++stage) {
    const double noise = next_noise(state);
    const double noise_step = elementary::log(noise / state.precisions.noise_variance);
    const double step = mackay_step(state, course.log_alpha);
    const double change = std::max(std::abs(step), std::abs(noise_step));
    if (!account.add(state, change)) return;
    if (change < options.tolerance) {
      report.status = Status::converged;
      return;
    }
    if (stage >= limit) return;
    course.move(step);
    state = tied_state(state.problem, course.log_alpha, noise, options, &state);
    if (!checkpoint.due(stage)) continue;
    state = checkpoint.renewed(stage, state, course.numbers(), report).state;
  }
}

EvidenceState reference_state(const StandardProblem& standard, const EngineOptions& options,
                              Account& account) {
  const ClimbCheckpoint checkpoint(part_of(options.checkpoint, "one precision"), standard.problem,
                                   options);
  TiedCourse course;
  EvidenceState state;
  if (auto left = checkpoint.found()) {
    state = std::move(left->state);
    account.report = std::move(left->report);
    course = TiedCourse::of(left->carried);
  } else {
    state = first_tied_state(standard, options, course);
  }
  learn_precision(state, course, checkpoint, options, account);
  return state;
}

/// Σ c KL of what the rows' targets are by `reference`, from what they are by `other`.
double divergence(const EvidenceState& reference, const EvidenceState& other) {
  const ActiveProblem& problem = reference.problem;
  const Vector &f = reference.mode.predictor.fitted, &g = other.mode.predictor.fitted;
  double sum = 0;
  for (Index i = 0; i < f.size(); ++i) {
    const double count = problem.row_weights.size() > 0 ? problem.row_weights[i] : 1;
    if (problem.likelihood == Likelihood::gaussian) {
      sum += count * (f[i] - g[i]) * (f[i] - g[i]) / (2 * reference.precisions.noise_variance);
    } else {
      const bernoulli::Shares p = bernoulli::shares(f[i]);
      sum += count * (p.y * (bernoulli::log1p_exp(-g[i]) - bernoulli::log1p_exp(-f[i])) +
                      p.not_y * (bernoulli::log1p_exp(g[i]) - bernoulli::log1p_exp(f[i])));
    }
  }
  return sum;
}

/// Of the reference's columns, by how much of its predictor they say. The reference must outlive it.
ColumnChoice choice_of(const EvidenceState& reference, bool bias) {
  const ActiveProblem& problem = reference.problem;
  const Vector& f = reference.mode.predictor.fitted;
  Vector residual, curvature = problem.row_weights;
  if (problem.likelihood == Likelihood::bernoulli) {
    bernoulli::derivatives(problem.t, f, residual, curvature, problem.row_weights);
  } else if (curvature.size() == 0) {
    curvature = Vector::Ones(f.size());
  }
  return {*problem.phi, std::move(curvature), f, bias};
}

Index next_size(Index size) {
  return std::max(size + 1, static_cast<Index>(std::numbers::sqrt2 * static_cast<double>(size)));
}

/// Steps 2 and 3.
EvidenceState thin(const EvidenceState& reference, const EngineOptions& options,
                   Account& account) {
  const ActiveProblem& whole = reference.problem;
  const double allowed = kSpentShare * reference.relevance.gamma.sum() / 2;
  const double variance = static_cast<double>(whole.active()) / reference.precisions.alpha[0];
  ColumnChoice choice = choice_of(reference, options.bias);
  for (Index size = 1;; size = next_size(size)) {
    bool more = true;
    while (more && std::ssize(choice.chosen()) < size) more = choice.add_next();
    std::vector<Index> kept = choice.chosen();
    if (kept.empty()) kept.push_back(0);  // f is constant: any column will do
    std::ranges::sort(kept);
    const double alpha = static_cast<double>(kept.size()) / variance;
    EvidenceState state = tied_state(restricted(whole, kept), elementary::log(alpha),
                                     reference.precisions.noise_variance, options);
    const bool proceed = account.add(state, 0);
    if (!proceed || !more || divergence(reference, state) <= allowed) return state;
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
  Account account{standard.units, options, progress};
  EvidenceState state = reference_state(standard, options, account);
  if (account.report.status != Status::stopped) {
    if (account.finished()) {
      account.report.status = Status::iteration_limit;
    } else {
      state = thin(state, options, account);
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
