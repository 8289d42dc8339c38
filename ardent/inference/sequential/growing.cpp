#include "ardent/inference/sequential/growing.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ardent/base/elementary.h"
#include "ardent/base/stopwatch.h"
#include "ardent/inference/evidence/precision_update.h"
#include "ardent/inference/evidence/saved_climb.h"
#include "ardent/inference/evidence/standard_units.h"
#include "ardent/inference/evidence/support_pruning.h"
#include "ardent/inference/sequential/first_model.h"
#include "ardent/inference/sequential/shortlist.h"

namespace ardent {
namespace {

constexpr Index kGrowingSteps = 5000;
constexpr double kGrowingTolerance = 1e-3;
constexpr double kLeastPromise = 1e-2;   // nats
constexpr double kLongestStep = 3.4012;  // log 30: of log alpha
constexpr double kNoiseMoves = 0.1;      // nats that an addition promises at most for σ² to move
constexpr Index kGrowingStage = 20;      // steps, to a checkpoint, which scans all from scratch
constexpr double kGrowingNewton = 1e-4;  // nats
constexpr Index kGrowingNewtonSteps = 4;

/// How long precisions may take to settle: until so many stages in a row brought less than that.
struct Patience {
  Index stages;
  double gain;  // nats
};
constexpr Patience kRough{3, 1e-2};  // before others are looked at,
constexpr Patience kFull{20, 1e-5};  // and before the end
constexpr double kBeyond = 1e-9;     // of alpha_max: rounding

/// MacKay's update of every precision, by a factor of 30 at most; the noise only if `noise`.
Precisions moved_precisions(const EvidenceState& state, bool noise, const EngineOptions& options) {
  const Proposal proposal = mackay_proposal(state, options);
  Vector factors = proposal.log_alpha.cwiseMax(-kLongestStep).cwiseMin(kLongestStep);
  elementary::exp_in_place(factors);
  Precisions moved = state.precisions;
  moved.alpha.array() *= factors.array();
  if (noise) {
    const double step = std::clamp(proposal.log_noise, -kLongestStep, kLongestStep);
    moved.noise_variance = std::max(kNoiseFloor, moved.noise_variance * elementary::exp(step));
  }
  return moved;
}

/// The model with one basis more, all other precisions moved, and without those beyond alpha_max.
SequentialModel grown(const ActiveProblem& candidates, const SequentialModel& model,
                      const Action& addition, const EngineOptions& options) {
  const EvidenceState& state = model.state;
  Precisions precisions = moved_precisions(state, addition.gain <= kNoiseMoves, options);
  SequentialModel next;
  std::vector<Index> kept;
  for (Index k = 0; k < state.problem.active(); ++k) {
    if (precisions.alpha[k] > options.alpha_max * (1 + kBeyond)) continue;
    kept.push_back(k);
    next.active.push_back(model.active[k]);
  }
  const auto place = std::ranges::lower_bound(next.active, addition.basis);
  const Index position = place - next.active.begin();
  next.active.insert(place, addition.basis);
  precisions.alpha =
      inserted(precisions.alpha(kept).cwiseMin(options.alpha_max), position, addition.alpha);
  const Vector start = inserted(state.w(kept), position, 0);
  const bool all = std::ssize(kept) == state.problem.active();
  const ActiveProblem problem = all ? state.problem : restricted(state.problem, kept);
  next.state = evaluate(extended(candidates, problem, position, addition.basis, options.bias),
                        std::move(precisions), options, &state.mode, &start);
  find_relevance(next.state);
  return next;
}

class Growth {
 public:
  Growth(const ActiveProblem& candidates, const EngineOptions& options, SequentialModel first)
      : candidates_(candidates),
        options_(options),
        quick_(options),
        shortlist_(candidates),
        model_(std::move(first)),
        checkpoint_(options.checkpoint, candidates, options) {
    quick_.newton_tolerance = std::max(options.newton_tolerance, kGrowingNewton);
    quick_.max_newton = std::min(options.max_newton, kGrowingNewtonSteps);
    if (take_up() || !model_.active.empty() || candidates.active() == 0) return;
    const Action action = first_action(model_, shortlist_.scan_all(model_), options);
    model_ = applied(candidates, model_, action, 1, options);
  }

  const SequentialModel& model() const { return model_; }
  /// Of the last step.
  Index newton_steps() const { return newton_steps_; }
  double change() const { return change_; }

  /// After this step, where one is due: leaves all that decides the rest, and goes on from it.
  void leave(Index step, const Report& report) {
    if (step % kGrowingStage != 0 || !checkpoint_.due(step / kGrowingStage)) return;
    take(checkpoint_.renewed(step, model_.state, carried(), report));
  }
  /// What a checkpoint had when this began; nothing: there was none.
  std::optional<Report> taken_up() const { return taken_up_; }

  /// Adds a basis or, where none is worth it, moves the precisions. False: converged.
  bool step() {
    while (true) {
      // As the noise falls, more is worth adding: a look costs little there.
      if (!settling_ || candidates_.likelihood == Likelihood::gaussian) {
        const auto addition = shortlist_.best(model_, kLeastPromise, options_);
        if (addition) {
          add(*addition);
          return true;
        }
        if (!settling_ && settled_ == Settled::fully) return false;
        if (!settling_) begin_settling();
      }
      if (settle()) return true;
      settling_ = false;
      settled_ = settled_ == Settled::no ? Settled::roughly : Settled::fully;
    }
  }

 private:
  enum class Settled { no, roughly, fully };

  bool take_up() {
    auto left = checkpoint_.found();
    if (!left) return false;
    taken_up_ = std::move(left->report);
    take(std::move(*left));
    return true;
  }

  /// How far settling has come, and how often each basis was named that was.
  std::vector<double> carried() const {
    std::vector<double> numbers{settling_ ? 1.0 : 0.0,
                                static_cast<double>(settled_),
                                gain_,
                                highest_,
                                static_cast<double>(stages_since_),
                                stretch_.own,
                                stretch_.mackay};
    for (std::size_t k = 0; k < shortlist_.named().size(); ++k) {
      if (shortlist_.named()[k] == 0) continue;
      numbers.push_back(static_cast<double>(k));
      numbers.push_back(shortlist_.named()[k]);
    }
    return numbers;
  }

  void take(SavedClimb left) {
    const std::vector<double>& n = left.carried;
    constexpr std::size_t kOwn = 7;
    std::vector<int> named(static_cast<std::size_t>(candidates_.active()));
    for (std::size_t i = kOwn; i + 1 < n.size(); i += 2) {
      named.at(static_cast<std::size_t>(n[i])) = static_cast<int>(n[i + 1]);
    }
    shortlist_ = Shortlist(candidates_, std::move(named));
    settling_ = n.at(0) != 0;
    settled_ = static_cast<Settled>(n.at(1));
    gain_ = n.at(2);
    highest_ = n.at(3);
    stages_since_ = static_cast<Index>(n.at(4));
    stretch_ = {n.at(5), n.at(6)};
    model_.active = positions_in(candidates_, left.state.problem.columns);
    model_.state = std::move(left.state);
  }

  void add(const Action& addition) {
    model_ = grown(candidates_, model_, addition, quick_);
    newton_steps_ = model_.state.mode.newton_steps;
    change_ = std::abs(elementary::log(addition.alpha / options_.alpha_max));
    settling_ = false;
    settled_ = Settled::no;
  }

  /// The mode to full accuracy: while the model grew it was found roughly.
  void begin_settling() {
    const EvidenceState& rough = model_.state;
    EvidenceState state =
        evaluate(rough.problem, rough.precisions, options_, &rough.mode, &rough.w);
    find_relevance(state);
    model_.state = std::move(state);
    settling_ = true;
    highest_ = model_.state.objective;
    stages_since_ = 0;
    gain_ = 0;
  }

  /// One stage of the precisions alone, or columns gone that cost more than they bring. False:
  /// they are settled.
  bool settle() {
    const Patience patience = settled_ == Settled::no ? kRough : kFull;
    if (stages_since_ >= patience.stages) return false;
    const double before = model_.state.objective;
    const StageResult result =
        update_precisions(model_.state, options_, gain_ < kSlowGain, &stretch_);
    newton_steps_ = result.newton_steps;
    change_ = result.change;
    if (result.outcome != StageOutcome::moved && !drop_costly(model_.state, options_)) return false;
    model_.active = positions_in(candidates_, model_.state.problem.columns);
    gain_ = model_.state.objective - before;
    ++stages_since_;
    if (model_.state.objective > highest_ + patience.gain) {
      highest_ = model_.state.objective;
      stages_since_ = 0;
    }
    return true;
  }

  const ActiveProblem& candidates_;
  const EngineOptions& options_;
  EngineOptions quick_;  // while the model grows
  Shortlist shortlist_;
  SequentialModel model_;
  Index newton_steps_ = 0;
  double change_ = 0;
  bool settling_ = false;          // no basis was worth adding at the last look
  Settled settled_ = Settled::no;  // the precisions of these bases
  double gain_ = 0;                // of the last stage of settling
  double highest_ = 0;             // objective while settling,
  Index stages_since_ = 0;         // and the stages since
  Stretch stretch_;
  ClimbCheckpoint checkpoint_;
  std::optional<Report> taken_up_;
};

Status grow(Growth& growth, const StandardUnits& units, const EngineOptions& options,
            const ProgressCallback& progress, Report& report) {
  const Index limit = stage_limit(options, kGrowingSteps);
  if (const auto before = growth.taken_up()) {
    report.stages = before->stages;
    report.path = before->path;
  }
  for (Index step = std::ssize(report.stages) + 1; step <= limit; ++step) {
    if (step > 1 && !growth.step()) return Status::converged;
    const EvidenceState& state = growth.model().state;
    report.stages.push_back({state.log_evidence, state.problem.active(), growth.newton_steps(),
                             growth.change(), state.objective});
    if (options.keep_stages) report.path.push_back(path_point(state, units));
    if (progress &&
        !progress({"growing", step, limit, state.log_evidence, state.problem.active()})) {
      return Status::stopped;
    }
    growth.leave(step, report);
  }
  return Status::iteration_limit;
}

}  // namespace

Fit fit_growing(const Design& design, const Target& target, const EngineOptions& given,
                const ProgressCallback& progress) {
  refuse_shared_rows(design, "the engine growing");
  const Stopwatch watch;
  validate(given);
  const EngineOptions options = with_tolerance(given, kGrowingTolerance);
  Fit fit;
  StandardProblem standard = standardise(design, target, options, fit.report.warnings);
  fit.report.candidates = standard.problem.support.candidates();
  if (standard.units.target_scale == 0) {
    const SequentialModel model =
        constant_model(standard.problem, options, standard.units, fit.report.warnings);
    fit.report.status = Status::converged;
    fit.posterior = to_posterior(model.state, standard.units);
  } else {
    Growth growth(standard.problem, options, first_model(standard, options));
    fit.report.status = grow(growth, standard.units, options, progress, fit.report);
    warn_of_end(growth.model(), options, fit.report);
    fit.posterior = to_posterior(growth.model().state, standard.units);
  }
  fit.report.seconds = watch.seconds();
  return fit;
}

}  // namespace ardent
