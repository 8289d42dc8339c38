#include "ardent/inference/engines/ard_stages.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ardent/base/elementary.h"
#include "ardent/inference/evidence/noise_prior.h"
#include "ardent/inference/evidence/precision_update.h"
#include "ardent/inference/evidence/support_pruning.h"

namespace ardent {
namespace {

constexpr double kMostDropped = 0.2;  // of the columns, in a stage

/// Keeps the weights at these positions, and f = Phi w with them.
void keep(ArdState& state, const std::vector<Index>& kept, ArdMethod& method) {
  std::vector<Index> positions = kept;
  if (state.bias) positions.push_back(state.active());
  state.phi->keep(positions);
  std::vector<Index> columns;
  for (const Index k : kept) columns.push_back(state.columns[k]);
  state.columns = std::move(columns);
  state.alpha = Vector(state.alpha(positions));
  state.point.w = Vector(state.point.w(positions));
  if (state.strides.lengths.size() > 0) {
    state.strides.lengths = Vector(state.strides.lengths(kept));
  }
  state.phi->multiply(state.point.w, state.point.f);
  method.keep(positions);
}

/// Makes the precisions of columns that are worth less than they cost infinite.
void drop_costly_columns(const ArdState& state, Vector& updated) {
  const Index m = state.active();
  const double cost = state.support.cost(m);
  std::vector<std::pair<double, Index>> costly;
  for (Index k = 0; k < m; ++k) {
    const double data = state.hessian_diagonal[k] - state.alpha[k], w = state.point.w[k];
    const double full = w * state.hessian_diagonal[k];
    const double gain = data > 0 ? best_gain(full * (full / data)) : 0;
    if (gain <= cost) costly.emplace_back(gain, k);
  }
  std::ranges::sort(costly);
  costly.resize(std::min(costly.size(), static_cast<std::size_t>(most_dropped(m))));
  for (const auto& [gain, k] : costly) updated[k] = std::numeric_limits<double>::infinity();
}

bool is_suspicious(const ArdState& state, const Vector& updated, double half_explained) {
  return state.likelihood == Likelihood::bernoulli && state.mode_tolerance > kFinestMode &&
         updated.size() > 1 && state.point.log_likelihood < half_explained &&
         (updated.array() > kSuspiciousLeap * state.alpha.head(updated.size()).array()).all();
}

class StagesHere : public ArdStages {
 public:
  StagesHere(ArdState& state, ArdMethod& method, const EngineOptions& options)
      : state_(state),
        method_(method),
        options_(options),
        half_explained_(ardent::half_explained(state)) {}

  Index active() const override { return state_.active(); }
  Index find_mode() override { return method_.find_mode(state_); }
  double measure() override { return ardent::measure(state_); }

  PrecisionProposal propose(bool settled) override {
    const Index m = state_.active();
    update_ = method_.updated_precisions(state_);
    Vector& updated = update_.alpha;
    kept_.clear();
    if (is_suspicious(state_, updated, half_explained_)) return {.suspicious = true};
    if (settled && state_.support.candidates() > 0) drop_costly_columns(state_, updated);
    PrecisionProposal proposal{.promise = update_.promise};
    for (Index k = 0; k < m; ++k) {
      if (!(updated[k] <= options_.alpha_max)) continue;  // also where w_k = 0 made it infinite
      kept_.push_back(k);
      proposal.change =
          std::max(proposal.change, std::abs(elementary::log(updated[k] / state_.alpha[k])));
    }
    proposal.kept = std::ssize(kept_);
    return proposal;
  }

  void refine_mode() override { state_.mode_tolerance *= kFinerMode; }

  void accept() override {
    const Index m = state_.active();
    // The noise belongs to the mode just found, with its own precisions and all of its columns.
    if (state_.likelihood == Likelihood::gaussian && !is_crowded(state_, m)) update_noise(state_);
    state_.alpha.head(m) = update_.alpha;
    state_.strides = std::move(update_.strides);
    if (std::ssize(kept_) < m) keep(state_, kept_, method_);
    state_.objective().evaluate(state_.point);
  }

  void refit() override {
    state_.phi->multiply(state_.point.w, state_.point.f);
    state_.objective().evaluate(state_.point);
  }

  ArdState& state_here() override { return state_; }
  ArdState& state_and_design_here() override { return state_; }

 private:
  ArdState& state_;
  ArdMethod& method_;
  const EngineOptions& options_;
  double half_explained_;
  PrecisionUpdate update_;   // proposed
  std::vector<Index> kept_;  // of the columns, by that
};

}  // namespace

Index most_dropped(Index columns) {
  return std::max<Index>(1, static_cast<Index>(kMostDropped * static_cast<double>(columns)));
}

bool is_crowded(const ArdState& state, Index active) {
  return state.support.matters() && 2 * active > state.phi->all_rows();
}

double half_explained(const ArdState& state) {
  if (state.likelihood == Likelihood::gaussian) return 0;
  const double ones = state.phi->over_rows(state.row_weights.dot(state.t));
  const double all = state.phi->over_rows(state.row_weights.sum()), others = all - ones;
  const double least =
      state.bias ? ones * elementary::log(ones / all) + others * elementary::log(others / all)
                 : all * elementary::log(0.5);
  return 0.5 * least;
}

std::unique_ptr<ArdStages> ArdMethod::stages(ArdState& state, const EngineOptions& options) {
  return stages_here(state, *this, options);
}

std::unique_ptr<ArdStages> stages_here(ArdState& state, ArdMethod& method,
                                       const EngineOptions& options) {
  return std::make_unique<StagesHere>(state, method, options);
}

double measure(ArdState& state) {
  state.phi->weighted_square_norms(state.point.curvature, state.hessian_diagonal);
  state.hessian_diagonal += state.alpha;
  const auto& w = state.point.w.array();
  state.evidence =
      state.point.log_likelihood -
      0.5 * ((state.alpha.array() * w.square()).sum() +
             elementary::sum_of_logs(state.hessian_diagonal.cwiseQuotient(state.alpha)));
  return state.evidence;
}

void update_noise(ArdState& state) {
  const double rows = state.phi->over_rows(state.row_weights.sum());
  const double spent = (1 - state.alpha.array() / state.hessian_diagonal.array()).max(0.0).sum();
  state.noise_variance = updated_noise(square_sum(state), rows, spent);
}

double updated_noise(double squares, double rows, double spent) {
  return std::max(best_noise_variance(squares, rows - std::min(spent, 0.5 * rows)), kNoiseFloor);
}

double square_sum(const ArdState& state) {
  const Vector error = state.t - state.point.f;
  return state.phi->over_rows(error.cwiseProduct(state.row_weights).dot(error));
}

}  // namespace ardent
