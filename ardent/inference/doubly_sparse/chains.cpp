#include "ardent/inference/doubly_sparse/chains.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>

#include "ardent/base/task_farm.h"
#include "ardent/inference/doubly_sparse/chain_notes.h"
#include "ardent/inference/doubly_sparse/checkpoint.h"
#include "ardent/inference/doubly_sparse/tempering.h"
#include "ardent/inference/doubly_sparse/trace_layout.h"

namespace ardent::doubly_sparse {
namespace {

/// The stream of a chain's sweep; sweep −1 is its start.
Random stream(std::uint64_t seed, Index chain, Index sweep) {
  return Random(
      seed, (static_cast<std::uint64_t>(chain + 1) << 32) + static_cast<std::uint64_t>(sweep + 1));
}

Index subset_rows(const ChainOptions& options, Index rows) {
  if (options.burn_in_rows > 0) return std::min(rows, options.burn_in_rows);
  return rows <= 4000 ? rows : std::max<Index>(2000, rows / 10);
}

std::vector<Index> random_rows(Index rows, Index count, std::uint64_t seed) {
  std::vector<Index> all(rows);
  std::iota(all.begin(), all.end(), Index{0});
  Random random(seed, 0);
  random.shuffle(all);
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

/// Which rows a sweep uses.
struct RowPlan {
  const KernelProblem& full;
  std::optional<KernelProblem> subset = std::nullopt;
  Index subset_sweeps = 0;

  RowPlan(const KernelProblem& problem, const ChainOptions& options) : full(problem) {
    const Index few = subset_rows(options, problem.size());
    if (few == problem.size()) return;
    subset = with_rows(problem, random_rows(problem.size(), few, options.seed));
    subset_sweeps = options.burn_in * 3 / 4;
  }

  const KernelProblem& rows_of(Index sweep) const { return sweep < subset_sweeps ? *subset : full; }
};

/// Reports progress and writes checkpoints; chains call it from their threads.
class Recorder {
 public:
  Recorder(const ChainOptions& options, const ProgressCallback& progress, Checkpoint checkpoint,
           const std::vector<ChainTrace>& start)
      : options_(options),
        progress_(progress),
        checkpoint_(std::move(checkpoint)),
        saved_(start),
        last_saved_(start.size(), std::chrono::steady_clock::now()),
        total_(options.chains * (options.burn_in + options.sweeps)) {
    for (const ChainTrace& trace : start) done_ += trace.done;
  }

  /// After a sweep of a chain; false: stop.
  bool report(Index chain, const ChainTrace& trace, double log_likelihood) {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (checkpoint_.enabled()) save(chain, trace);
    if (progress_ && !stopped_) {
      stopped_ =
          !progress_({fmt::format("chain {}/{} sweep{}", chain + 1, options_.chains, shown_), done_,
                      total_, log_likelihood, trace.state.basis_on(), "log likelihood"});
    }
    return !stopped_;
  }

  /// No chain runs: they begin again from these traces.
  void restart(const std::vector<ChainTrace>& traces) {
    saved_ = traces;
    total_ = done_ + options_.chains * (options_.burn_in + options_.sweeps);
    finish(traces);
  }

  /// No chain runs: what progress says of the chains from here on.
  void show(const Agreement& agreement) {
    if (agreement.r_hat == 0) return;
    shown_ = fmt::format(" (R-hat {:.3f}, {:.0f} effective)", agreement.r_hat, agreement.effective);
  }

  /// When all chains have ended: writes them as they are.
  void finish(const std::vector<ChainTrace>& traces) const {
    if (checkpoint_.enabled()) checkpoint_.save(traces);
  }
  bool stopped() const { return stopped_; }

 private:
  /// The traces of other chains are being written to: only copies of them are available.
  void save(Index chain, const ChainTrace& trace) {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> since = now - last_saved_[chain];
    if (since.count() < options_.checkpoint_seconds) return;
    last_saved_[chain] = now;
    saved_[chain] = trace;
    checkpoint_.save(saved_);
  }

  const ChainOptions& options_;
  const ProgressCallback& progress_;
  Checkpoint checkpoint_;
  std::mutex mutex_;
  std::vector<ChainTrace> saved_;
  std::vector<std::chrono::steady_clock::time_point> last_saved_;
  std::string shown_;  // of the last look
  Index done_ = 0, total_;
  bool stopped_ = false;
};

/// The first sweep of those of a burn-in that say how much each feature is in doubt.
Index first_learning(const RowPlan& plan, const ChainTrace& trace) {
  return std::max(plan.subset_sweeps, trace.burn_from + (trace.burned - trace.burn_from) / 3);
}

void run_chain(const RowPlan& plan, const CollapsedOptions& sampler_options,
               const ChainOptions& options, const std::vector<Vector>& inclusion, Index goal,
               Index chain, ChainTrace& trace, Recorder& recorder) {
  std::optional<TemperedSampler> sampler;
  for (Index sweep = trace.done; sweep < goal; ++sweep) {
    if (!sampler || sweep == plan.subset_sweeps) {
      sampler.emplace(plan.rows_of(sweep), sampler_options, std::ssize(trace.hot));
    }
    const bool burning = sweep < trace.burned;
    if (!burning) sampler->set_inclusion(inclusion);
    if (sweep == 0) {
      Random random = stream(options.seed, chain, -1);
      trace.state = sampler->start(chain, random);
    }
    Random random = stream(options.seed, chain, sweep);
    const bool learning =
        burning && sampler_options.adaptive_flips && sweep >= first_learning(plan, trace);
    const SweepCounts counts = sampler->sweep(trace, burning, learning, random);
    const double value = sampler->log_likelihood();
    if (!burning) note(trace, counts, value, sampler->log_joint(trace.state), options);
    trace.done = sweep + 1;
    if (!recorder.report(chain, trace, value)) return;
  }
}

/// When chains that run until they agree are looked at, and whether that is the end.
class Looks {
 public:
  Looks(const ChainOptions& options, Index features)
      : options_(options),
        features_(features),
        kept_(options.until_agreement ? std::min(options.sweeps, kFirstLook) : options.sweeps),
        start_(std::chrono::steady_clock::now()) {}

  /// Sweeps kept up to the next look.
  Index kept() const { return kept_; }

  /// All chains have reached the goal: why it ends here, or nothing.
  std::optional<Ending> look(ChainsResult& result) {
    if (!options_.until_agreement) return Ending::sweeps;
    result.agreement = agreement(result.chains, kept_, features_);
    if (result.agreement.reached()) return Ending::agreement;
    if (kept_ == options_.sweeps) return Ending::sweeps;
    Index next = std::min(options_.sweeps, kept_ + (kept_ + 1) / 2);
    if (options_.seconds > 0) {
      const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start_;
      const double share = options_.seconds / number_of_leader(options_.farm, used.count()) - 1;
      const auto done = static_cast<double>(result.chains.front().done);
      const auto possible = static_cast<Index>(done * std::min(share, 1.0));
      if (possible < 10) return Ending::time;
      next = std::min(next, kept_ + possible);
    }
    kept_ = next;
    return std::nullopt;
  }

 private:
  const ChainOptions& options_;
  Index features_;
  Index kept_;
  std::chrono::steady_clock::time_point start_;
};

/// What the checkpoint has, or chains that have not begun.
std::vector<ChainTrace> first_traces(const Checkpoint& checkpoint, const KernelProblem& problem,
                                     const CollapsedOptions& sampler, const ChainOptions& options) {
  ChainTrace fresh;
  fresh.burned = options.burn_in;
  std::vector<ChainTrace> traces(options.chains, fresh);
  if (options.resume) {
    if (auto found = checkpoint.load(problem, sampler, options)) traces = std::move(*found);
  }
  for (ChainTrace& trace : traces) {
    if (!sampler.adaptive_flips) trace.burned = options.burn_in;  // files of version 0.1 do not say
  }
  return traces;
}

/// Whether chains disagree so much at their first look that they go on with tempered companions.
bool needs_companions(const CollapsedOptions& sampler, const ChainOptions& options, Index kept,
                      const ChainsResult& result) {
  const ChainTrace& first = result.chains.front();
  if (!options.tempering || !options.until_agreement || !sampler.adaptive_flips) return false;
  if (kept != std::min(options.sweeps, kFirstLook) || !first.hot.empty()) return false;
  const Index features = std::ssize(first.state.features);
  return agreement(result.chains, kept, features).r_hat > kTemperedRHat;
}

}  // namespace

const char* ending_name(Ending ending) {
  constexpr const char* kNames[] = {"sweeps", "agreement", "time", "stopped"};
  return kNames[static_cast<std::size_t>(ending)];
}

ChainsResult run_chains(const KernelProblem& problem, const CollapsedOptions& sampler,
                        const ChainOptions& options, const ProgressCallback& progress) {
  validate(problem);
  validate(options);
  const CollapsedOptions filled = CollapsedSampler(problem, sampler).options();
  const Checkpoint checkpoint(options.checkpoint, fingerprint(problem, filled, options),
                              filled.adaptive_flips);
  ChainsResult result;
  result.options = filled;
  result.likelihood = problem.likelihood;
  result.chains = first_traces(checkpoint, problem, filled, options);
  for (const ChainTrace& trace : result.chains) result.resumed += trace.done;
  const RowPlan plan(problem, options);
  // Of several processes none has all chains while these run: the first writes them in between.
  const Checkpoint nowhere("", 0, false);
  Recorder recorder(options, progress, options.farm ? nowhere : checkpoint, result.chains);
  std::vector<Vector> inclusion;
  const auto run_to = [&](Index goal) {
    if (recorder.stopped()) return;
    const auto work = [&](Index chain) {
      ChainTrace trace = std::move(result.chains[chain]);
      run_chain(plan, filled, options, inclusion, goal, chain, trace, recorder);
      return trace;
    };
    result.chains = dealt_out<ChainTrace>(
        options.farm, options.chains, work,
        [](auto& stream, auto& trace) { transfer(stream, trace, true); });
    if (options.farm && options.farm->leads() && checkpoint.enabled()) {
      checkpoint.save(result.chains);
    }
  };
  const auto burn_in = [&] {
    run_to(result.chains.front().burned);
    if (recorder.stopped()) return;
    const ChainTrace& first = result.chains.front();
    inclusion = pooled_inclusion(result.chains, first.burned - first_learning(plan, first));
  };
  burn_in();
  std::optional<Ending> ending;
  for (Looks looks(options, problem.features()); !ending;) {
    run_to(result.chains.front().burned + looks.kept());
    if (!recorder.stopped() && needs_companions(filled, options, looks.kept(), result)) {
      for (ChainTrace& trace : result.chains) restart_with_companions(trace, options.burn_in);
      recorder.restart(result.chains);
      burn_in();
      continue;
    }
    ending = recorder.stopped() ? Ending::stopped : looks.look(result);
    recorder.show(result.agreement);
  }
  recorder.finish(result.chains);
  result.ending = *ending;
  result.stopped = recorder.stopped();
  for (ChainTrace& trace : result.chains) thin_draws(trace, options);
  return result;
}

}  // namespace ardent::doubly_sparse
