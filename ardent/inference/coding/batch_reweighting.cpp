#include "ardent/inference/coding/batch_reweighting.h"

#include <cmath>
#include <numeric>

#include "ardent/base/elementary.h"
#include "ardent/base/stopwatch.h"
#include "ardent/inference/coding/lambda_steps.h"
#include "ardent/inference/coding/noise_level.h"

namespace ardent {
namespace {

class BatchReweighting {
 public:
  BatchReweighting(SignalBatch& batch, Index rows, Index cols, const CodeOptions& options)
      : batch_(batch),
        rows_(rows),
        cols_(cols),
        options_(options),
        signals_(batch.signals()),
        codes_(signals_.size()),
        scale_(signals_.size()) {}

  std::vector<std::vector<SparseBayesCode>> run() {
    const std::vector<std::vector<double>> steps = lambdas();
    for (std::size_t step = 0;; ++step) {
      std::vector<Index> which;
      std::vector<double> at;
      for (std::size_t s = 0; s < steps.size(); ++s) {
        if (step >= steps[s].size()) continue;
        which.push_back(static_cast<Index>(s));
        at.push_back(steps[s][step]);
      }
      if (which.empty()) return std::move(codes_);
      if (step == 0) batch_.clear_codes(which);
      code_at(which, at);
      take_codes(which);
    }
  }

 private:
  double largest(std::size_t s) const {
    const double cosine = signals_[s].largest_cosine;
    return options_.code_start == CodeStart::ones ? signals_[s].largest : cosine * cosine;
  }

  double square(std::size_t s) const { return signals_[s].norm * signals_[s].norm; }

  /// Of each signal the values of λ on the way.
  std::vector<std::vector<double>> lambdas() {
    std::vector<double> asked(signals_.size());
    std::vector<Index> automatic;
    for (std::size_t s = 0; s < asked.size(); ++s) {
      asked[s] = asked_lambda(largest(s), options_);
      if (asked[s] == 0) automatic.push_back(static_cast<Index>(s));
    }
    if (!automatic.empty()) choose_lambdas(automatic, asked);
    std::vector<std::vector<double>> steps;
    for (std::size_t s = 0; s < asked.size(); ++s) {
      steps.push_back(lambdas_down_to(asked[s], largest(s), options_));
    }
    return steps;
  }

  /// λ = κ v̂, as noise_level.h has it.
  void choose_lambdas(const std::vector<Index>& which, std::vector<double>& lambdas) {
    const double factor = noise_factor(cols_, options_);
    std::vector<double> noise, at(which.size());
    for (const Index s : which) noise.push_back(square(place(s)) / static_cast<double>(rows_));
    batch_.clear_codes(which);
    for (int round = 0; round < kNoiseRounds; ++round) {
      for (std::size_t k = 0; k < which.size(); ++k) at[k] = factor * noise[k];
      code_at(which, at);
      const std::vector<LeastSquaresFit> fits = batch_.fit_least_squares(which);
      for (std::size_t k = 0; k < which.size(); ++k) {
        noise[k] = noise_variance(fits[k].square, fits[k].rank, rows_, square(place(which[k])),
                                  noise[k]);
      }
    }
    for (std::size_t k = 0; k < which.size(); ++k) lambdas[place(which[k])] = factor * noise[k];
    for (const Index s : which) codes_[place(s)].clear();
  }

  /// From the codes that the signals have.
  void code_at(const std::vector<Index>& which, const std::vector<double>& lambdas) {
    batch_.set_weights(which, lambdas, options_.code_start == CodeStart::ones);
    for (std::size_t k = 0; k < which.size(); ++k) {
      codes_[place(which[k])].emplace_back().lambda = lambdas[k];
    }
    std::vector<Index> open = which;
    for (Index outer = 1; outer <= options_.max_outer && !open.empty(); ++outer) {
      outer_iteration(open, outer < options_.max_outer);
      std::erase_if(open, [&](Index s) { return converged(s); });
    }
  }

  void outer_iteration(const std::vector<Index>& open, bool reweight) {
    const Stopwatch watch;
    const std::vector<SolvedLasso> solved = batch_.solve(open);
    const std::vector<double> scales = batch_.find_posteriors(open, reweight);
    const double each = watch.seconds() / static_cast<double>(open.size());
    for (std::size_t k = 0; k < open.size(); ++k) {
      SparseBayesCode& code = codes_[place(open[k])].back();
      scale_[place(open[k])] = scales[k];
      OuterStep step;
      step.loss = static_cast<double>(rows_) * elementary::log(code.lambda) + scales[k];
      step.active = solved[k].active;
      step.relative_gap = solved[k].relative_gap;
      step.rounds = solved[k].rounds;
      step.seconds = each;
      code.report.steps.push_back(step);
      code.report.seconds += each;
    }
  }

  bool converged(Index signal) {
    CodeReport& report = codes_[place(signal)].back().report;
    if (!reweighting_converged(report.steps, scale_[place(signal)], options_)) return false;
    report.status = Status::converged;
    return true;
  }

  void take_codes(const std::vector<Index>& which) {
    std::vector<SignalBatch::Code> taken = batch_.codes(which);
    for (std::size_t k = 0; k < which.size(); ++k) {
      SparseBayesCode& code = codes_[place(which[k])].back();
      code.code = std::move(taken[k].code);
      code.variance = std::move(taken[k].variance);
    }
  }

  static std::size_t place(Index signal) { return static_cast<std::size_t>(signal); }

  SignalBatch& batch_;
  Index rows_, cols_;
  const CodeOptions& options_;
  std::vector<SignalBatch::Signal> signals_;
  std::vector<std::vector<SparseBayesCode>> codes_;
  std::vector<double> scale_;  // of the last step: its loss without N log λ
};

}  // namespace

std::vector<std::vector<SparseBayesCode>> codes_of_batch(SignalBatch& batch, Index rows, Index cols,
                                                         const CodeOptions& options) {
  return BatchReweighting(batch, rows, cols, options).run();
}

}  // namespace ardent
