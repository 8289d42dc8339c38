#include "ardent/inference/sequential/actions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ardent/base/elementary.h"
#include "ardent/design/dense.h"
#include "ardent/inference/evidence/noise_prior.h"
#include "ardent/inference/evidence/precision_update.h"

namespace ardent {

Vector inserted(const Vector& values, Index position, double value) {
  Vector result(values.size() + 1);
  result.head(position) = values.head(position);
  result[position] = value;
  result.tail(values.size() - position) = values.tail(values.size() - position);
  return result;
}

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kWorthAdding = 1e-6;    // of |E|
constexpr double kGainRounding = 1e-12;  // of |E|
constexpr double kNoiseWaitsFor = 0.1;   // nats of an addition or a removal

/// All of 0 … size−1 but `position`.
std::vector<Index> all_but(Index position, Index size) {
  std::vector<Index> kept(size);
  std::iota(kept.begin(), kept.end(), Index{0});
  kept.erase(kept.begin() + position);
  return kept;
}

/// [Phi 1]ᵀC₀[Phi 1] with one column more at `position` of the wider Phi.
Matrix wider_gram(const Matrix& gram, const ActiveProblem& wider, Index position, bool bias) {
  const Vector weighted =
      wider.row_weights.cwiseProduct(Vector(wider.phi->columns({&position, 1})));
  Vector cross;
  wider.phi->multiply_transposed(weighted, cross);
  if (bias) cross = inserted(cross, cross.size(), weighted.sum());
  Matrix result(cross.size(), cross.size());
  const std::vector<Index> old = all_but(position, cross.size());
  result(old, old) = gram;
  result.col(position) = cross;
  result.row(position) = cross.transpose();
  return result;
}

Vector own_maxima(const EvidenceState& state, double alpha_max) {
  const BasisStatistics own = active_statistics(state);
  Vector alpha = state.precisions.alpha;
  for (Index k = 0; k < alpha.size(); ++k) {
    const double best = best_precision(own.s[k], own.q[k], alpha_max);
    if (std::isfinite(best)) alpha[k] = best;  // removals are actions of their own
  }
  return alpha;
}

/// What to do about one basis; to add it at ∞, with gain 0, is to do nothing. `cost`: nats that the
/// support's prior asks for having it.
Action action_for(Index basis, double alpha, double s, double q, double cost, bool last,
                  const EngineOptions& options) {
  double best = best_precision(s, q, options.alpha_max);
  if (cost > 0 && precision_gain(s, q, kNever, best) <= cost) best = kNever;
  if (last && std::isinf(best)) best = options.alpha_max;
  const ActionKind kind = std::isinf(alpha)  ? ActionKind::add
                          : std::isinf(best) ? ActionKind::remove
                                             : ActionKind::re_estimate;
  const double change = std::abs(
      elementary::log(std::min(best, options.alpha_max) / std::min(alpha, options.alpha_max)));
  const double price = kind == ActionKind::re_estimate ? 0 : std::isinf(best) ? -cost : cost;
  const double gain = precision_gain(s, q, alpha, best) - price;
  return {kind, basis, best, std::isinf(alpha) && std::isinf(best) ? 0 : gain, change};
}

bool worthwhile(const Action& action, const EvidenceState& state, double tolerance) {
  const bool gaussian = state.problem.likelihood == Likelihood::gaussian;
  switch (action.kind) {
    case ActionKind::add:
      return action.gain > worthwhile_gain(state.log_evidence);
    case ActionKind::remove:
      return true;
    default:
      return action.change >= tolerance &&
             action.gain > worthwhile_gain(state.log_evidence) *
                               (gaussian ? kGainRounding / kWorthAdding : 1.0);
  }
}

bool structure_settled(const std::vector<Action>& actions) {
  return std::none_of(actions.begin(), actions.end(), [](const Action& action) {
    return action.kind != ActionKind::re_estimate && action.gain > kNoiseWaitsFor;
  });
}

}  // namespace

ActiveProblem extended(const ActiveProblem& candidates, const ActiveProblem& problem,
                       Index position, Index basis, bool bias) {
  ActiveProblem wider = problem;
  wider.columns.insert(wider.columns.begin() + position, candidates.columns[basis]);
  const Index m = wider.active();
  std::vector<Index> old(m - 1);
  std::iota(old.begin(), old.end(), Index{0});
  Matrix columns(problem.rows(), m);
  columns(Eigen::all, all_but(position, m)) = problem.phi->columns(old);
  columns.col(position) = candidates.phi->columns({&basis, 1});
  wider.phi = std::make_shared<DenseDesign>(std::move(columns));
  if (problem.unit_gram) {
    wider.unit_gram =
        std::make_shared<const Matrix>(wider_gram(*problem.unit_gram, wider, position, bias));
  }
  return wider;
}

double precision_gain(double s, double q, double from, double to) {
  if (std::isinf(from)) return std::isinf(to) ? 0.0 : -precision_gain(s, q, to, from);
  const double noise = elementary::log1p(s / from);
  if (std::isinf(to)) return (noise - q * (q / (from + s))) / 2;
  // The difference of the two q²/(alpha + s), which can be large and nearly equal.
  const double signal = q * (q / (from + s)) * ((from - to) / (to + s));
  return (signal + noise - elementary::log1p(s / to)) / 2;
}

double best_precision(double s, double q, double alpha_max) {
  const double excess = q * q - s;
  if (!(excess > 0)) return kNever;
  const double best = std::max(s * (s / excess), kLeastAlpha);
  if (best <= alpha_max) return best;
  return precision_gain(s, q, kNever, alpha_max) > kWorthKeeping ? alpha_max : kNever;
}

double worthwhile_gain(double log_evidence) {
  return kWorthAdding * std::max(1.0, std::abs(log_evidence));
}

std::vector<Action> possible_actions(const SequentialModel& model,
                                     const BasisStatistics& statistics,
                                     const EngineOptions& options) {
  const EvidenceState& state = model.state;
  std::vector<Action> actions;
  Index position = 0;
  const Index m = state.problem.active();
  const double to_add = state.problem.support.cost(m);
  const double to_keep = m > 0 ? state.problem.support.cost(m - 1) : 0;
  for (Index k = 0; k < statistics.s.size(); ++k) {
    const bool active = position < m && model.active[static_cast<std::size_t>(position)] == k;
    const double s = statistics.s[k], q = statistics.q[k];
    // At its best precision a column gains ½(r − 1 − log r) nats, r = q²/s: of most there is no
    // need of the logarithm.
    if (!active && !(q * q > s * (1 + 2 * to_add))) continue;
    const double alpha = active ? state.precisions.alpha[position++] : kNever;
    const Action action = action_for(k, alpha, s, q, active ? to_keep : to_add,
                                     active && model.active.size() == 1, options);
    if (worthwhile(action, state, options.tolerance)) actions.push_back(action);
  }
  if (state.problem.likelihood == Likelihood::gaussian && structure_settled(actions)) {
    const double step = mackay_proposal(state, options).log_noise;
    const double slope =
        noise_precision_slope(state) + noise_prior_slope(state.precisions.noise_variance);
    const Action noise{ActionKind::noise, 0, 0, std::abs(slope * step) / 2, std::abs(step)};
    if (worthwhile(noise, state, options.tolerance)) actions.push_back(noise);
  }
  // To seven digits: the gains of copies of a column differ by rounding, and the first is to win.
  std::stable_sort(actions.begin(), actions.end(), [](const Action& a, const Action& b) {
    return static_cast<float>(a.gain) > static_cast<float>(b.gain);
  });
  return actions;
}

bool repeats_active(const ActiveProblem& candidates, const SequentialModel& model, Index basis) {
  if (model.active.empty()) return false;
  const Vector column =
      candidates.row_weights.cwiseProduct(Vector(candidates.phi->columns({&basis, 1})));
  Vector cosines;  // times the number of rows, as columns have unit RMS
  model.state.problem.phi->multiply_transposed(column, cosines);
  return cosines.cwiseAbs().maxCoeff() > (1 - kRepeated) * candidates.row_count();
}

SequentialModel applied(const ActiveProblem& candidates, const SequentialModel& model,
                        const Action& action, double length, const EngineOptions& options) {
  const EvidenceState& state = model.state;
  SequentialModel next{model.active, {}};
  ActiveProblem problem = state.problem;
  Precisions precisions = state.precisions;
  Vector start = state.w;
  const auto place = std::lower_bound(next.active.begin(), next.active.end(), action.basis);
  const Index position = place - next.active.begin();
  switch (action.kind) {
    case ActionKind::add:
      problem = extended(candidates, problem, position, action.basis, options.bias);
      precisions.alpha = inserted(precisions.alpha, position, action.alpha);
      start = inserted(start, position, 0);
      next.active.insert(place, action.basis);
      break;
    case ActionKind::remove: {
      const std::vector<Index> kept = all_but(position, problem.active());
      problem = restricted(problem, kept);
      precisions.alpha = Vector(precisions.alpha(kept));
      start = Vector(start(kept));
      next.active.erase(place);
      break;
    }
    case ActionKind::re_estimate:
      precisions.alpha[position] = action.alpha;
      break;
    case ActionKind::re_estimate_all:
      precisions.alpha = own_maxima(state, options.alpha_max);
      break;
    case ActionKind::noise: {
      const double step = mackay_proposal(state, options).log_noise;
      precisions.noise_variance =
          std::max(precisions.noise_variance * elementary::exp(length * step), kNoiseFloor);
      break;
    }
  }
  next.state = evaluate(std::move(problem), std::move(precisions), options, &state.mode, &start);
  find_relevance(next.state);
  return next;
}

}  // namespace ardent
