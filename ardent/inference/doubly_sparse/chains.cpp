#include "ardent/inference/doubly_sparse/chains.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"
#include "ardent/inference/doubly_sparse/checkpoint.h"
#include "ardent/inference/doubly_sparse/masked_distances.h"

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

std::vector<std::uint32_t> narrow(const std::vector<Index>& indices) {
  return {indices.begin(), indices.end()};
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
        last_saved_(start.size(), std::chrono::steady_clock::now()) {
    for (const ChainTrace& trace : start) done_ += trace.done;
  }

  /// After a sweep of a chain; false: stop.
  bool report(Index chain, const ChainTrace& trace, double log_likelihood) {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (checkpoint_.enabled()) save(chain, trace);
    if (progress_ && !stopped_) {
      const Index total = options_.chains * (options_.burn_in + options_.sweeps);
      stopped_ =
          !progress_({fmt::format("chain {}/{} sweep{}", chain + 1, options_.chains, shown_), done_,
                      total, log_likelihood, trace.state.basis_on(), "log likelihood"});
    }
    return !stopped_;
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
  Index done_ = 0;
  bool stopped_ = false;
};

/// States that a chain gives to prediction, at most.
Index wanted_draws(const ChainOptions& options) {
  return std::min(options.sweeps, std::max<Index>(1, options.draws / options.chains));
}

/// Keeps the present state, sweep number `place` after burn-in, where it is one of those that are
/// spread evenly.
void keep_draw(ChainTrace& trace, Index place, const ChainOptions& options) {
  const Index wanted = wanted_draws(options);
  if (!options.until_agreement) {
    // Draw number d is the sweep at which d+1 shares of the sweeps are through.
    if ((place + 1) * wanted / options.sweeps > place * wanted / options.sweeps) {
      trace.draws.push_back(trace.state);
    }
    return;
  }
  // The end is not known: every stride-th sweep, and half of them once there are too many.
  Index stride = 1;
  while (place / stride >= 2 * wanted) stride *= 2;
  if (std::ssize(trace.draws) == 2 * wanted) {
    for (Index d = 0; d < wanted; ++d) trace.draws[d] = std::move(trace.draws[2 * d + 1]);
    trace.draws.resize(wanted);
  }
  if ((place + 1) % stride == 0) trace.draws.push_back(trace.state);
}

/// Leaves as many draws as were asked for, spread evenly.
void thin_draws(ChainTrace& trace, const ChainOptions& options) {
  const Index wanted = wanted_draws(options), count = std::ssize(trace.draws);
  if (!options.until_agreement || count <= wanted) return;
  for (Index d = 0; d < wanted; ++d) {
    trace.draws[d] = trace.draws[(d + 1) * count / wanted - 1];
  }
  trace.draws.resize(wanted);
}

/// Notes a sweep after burn-in.
void note(ChainTrace& trace, const SweepCounts& counts, double log_likelihood, double log_joint,
          const ChainOptions& options) {
  const KernelState& state = trace.state;
  const Index place = trace.kept();
  trace.log_likelihood.push_back(log_likelihood);
  trace.log_delta.push_back(elementary::log(state.delta));
  trace.xi.push_back(state.xi);
  trace.noise_variance.push_back(state.noise_variance);
  trace.features.push_back(narrow(indices_on(state.features)));
  std::vector<std::uint32_t> basis = narrow(state.basis);
  std::sort(basis.begin(), basis.end());
  trace.basis.push_back(std::move(basis));
  trace.feature_flips += counts.feature_flips;
  trace.basis_flips += counts.births + counts.deaths;
  trace.delta_accepted += counts.delta_accepted;
  keep_draw(trace, place, options);
  if (log_joint > trace.best_log_joint) {
    trace.best_log_joint = log_joint;
    trace.best = state;
  }
}

void run_chain(const RowPlan& plan, const CollapsedOptions& sampler_options,
               const ChainOptions& options, Index goal, Index chain, ChainTrace& trace,
               Recorder& recorder) {
  std::optional<CollapsedSampler> sampler;
  for (Index sweep = trace.done; sweep < goal; ++sweep) {
    const KernelProblem& problem = plan.rows_of(sweep);
    if (!sampler || sweep == plan.subset_sweeps) sampler.emplace(problem, sampler_options);
    if (sweep == 0) {
      Random random = stream(options.seed, chain, -1);
      trace.state = sampler->start(chain, random);
    }
    Random random = stream(options.seed, chain, sweep);
    const bool burning = sweep < options.burn_in;
    const SweepCounts counts = sampler->sweep(trace.state, trace.delta_step, burning, random);
    const double value = log_likelihood(problem, sampler->predictor(), trace.state.noise_variance);
    if (!burning) note(trace, counts, value, sampler->log_joint(trace.state, value), options);
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

  /// Sweeps, burn-in included, up to the next look.
  Index goal() const { return options_.burn_in + kept_; }

  /// All chains have reached the goal: why it ends here, or nothing.
  std::optional<Ending> look(ChainsResult& result) {
    if (!options_.until_agreement) return Ending::sweeps;
    result.agreement = agreement(result.chains, kept_, features_);
    if (result.agreement.reached()) return Ending::agreement;
    if (kept_ == options_.sweeps) return Ending::sweeps;
    Index next = std::min(options_.sweeps, kept_ + (kept_ + 1) / 2);
    if (options_.seconds > 0) {
      const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start_;
      const double share = options_.seconds / used.count() - 1;
      const auto possible = static_cast<Index>(static_cast<double>(goal()) * std::min(share, 1.0));
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
  const Checkpoint checkpoint(options.checkpoint, fingerprint(problem, filled, options));
  ChainsResult result;
  result.options = filled;
  result.chains =
      checkpoint.load(problem, filled, options).value_or(std::vector<ChainTrace>(options.chains));
  for (const ChainTrace& trace : result.chains) result.resumed += trace.done;
  const RowPlan plan(problem, options);
  Recorder recorder(options, progress, checkpoint, result.chains);
  std::optional<Ending> ending;
  for (Looks looks(options, problem.features()); !ending;) {
    const Index goal = looks.goal();
    parallel_for(options.chains, [&](Index chain) {
      run_chain(plan, filled, options, goal, chain, result.chains[chain], recorder);
    });
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
