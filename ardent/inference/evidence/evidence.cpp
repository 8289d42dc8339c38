#include "ardent/inference/evidence/evidence.h"

#include "ardent/inference/evidence/dual_space.h"
#include "ardent/inference/evidence/noise_prior.h"
#include "ardent/inference/evidence/primal_space.h"

namespace ardent {
namespace {

/// Rows and columns of the bordered Gram matrix that survive; the border stays.
std::shared_ptr<const Matrix> restricted_gram(const Matrix& gram, Index columns,
                                              std::span<const Index> positions) {
  std::vector<Index> kept(positions.begin(), positions.end());
  if (gram.rows() > columns) kept.push_back(columns);
  return std::make_shared<const Matrix>(gram(kept, kept));
}

/// How often each row counts.
Vector counts_of_rows(const ActiveProblem& problem) {
  return problem.row_weights.size() > 0 ? problem.row_weights : Vector::Ones(problem.rows());
}

void require_gram(ActiveProblem& problem, bool bias) {
  if (problem.unit_gram || problem.likelihood != Likelihood::gaussian) return;
  problem.unit_gram =
      std::make_shared<const Matrix>(bordered_gram(*problem.phi, counts_of_rows(problem), bias));
}

std::unique_ptr<PrimalSpace> primal_space(ActiveProblem& problem, const Prior& prior) {
  const Design& phi = *problem.phi;
  if (problem.device && problem.active() > 0) {
    const bool gaussian = problem.likelihood == Likelihood::gaussian;
    const Vector counts = gaussian ? counts_of_rows(problem) : Vector();
    return std::make_unique<PrimalSpace>(
        phi, prior, problem.device->primal_matrices(phi, prior, gaussian ? &counts : nullptr));
  }
  require_gram(problem, prior.bias);
  return std::make_unique<PrimalSpace>(phi, prior, problem.unit_gram, problem.row_count());
}

std::unique_ptr<DualSpace> dual_space(const ActiveProblem& problem, const Prior& prior) {
  const Design& phi = *problem.phi;
  if (!problem.device) return std::make_unique<DualSpace>(phi, prior);
  return std::make_unique<DualSpace>(phi, prior, problem.device->dual_matrices(phi, prior));
}

}  // namespace

ActiveProblem restricted(const ActiveProblem& problem, std::span<const Index> positions) {
  ActiveProblem result = problem;
  auto phi = problem.phi->clone();
  phi->keep(positions);
  result.phi = std::move(phi);
  result.columns.clear();
  for (const Index k : positions) {
    result.columns.push_back(problem.columns[k]);
  }
  if (problem.unit_gram) {
    result.unit_gram = restricted_gram(*problem.unit_gram, problem.active(), positions);
  }
  return result;
}

SpentRows spent_rows(const EvidenceState& state) {
  SpentRows spent{state.problem.row_count(), state.relevance.gamma.sum(), std::nullopt};
  if (state.problem.likelihood == Likelihood::gaussian) spent.square_sum = state.mode.square_sum;
  return spent;
}

bool prefers_dual(const ActiveProblem& problem) {
  // Per stage, with r = m/N and 3.5 Newton steps, multiplications over N³: Bernoulli primal
  // 1.75r² + 0.9r³, dual 0.6 + r. The Gaussian primal space has its Gram matrix for nothing.
  const bool gaussian = problem.likelihood == Likelihood::gaussian;
  return gaussian ? problem.active() > problem.rows() : 4 * problem.active() > 3 * problem.rows();
}

EvidenceState evaluate(ActiveProblem problem, Precisions precisions, const EngineOptions& options,
                       const Mode* near, const Vector* near_weights) {
  EvidenceState state;
  state.problem = std::move(problem);
  state.precisions = std::move(precisions);
  state.prior =
      std::make_unique<Prior>(Prior{state.precisions.alpha, options.bias, options.bias_precision});
  const PrimalSpace* primal = nullptr;
  if (prefers_dual(state.problem)) {
    state.space = dual_space(state.problem, *state.prior);
  } else {
    auto made = primal_space(state.problem, *state.prior);
    primal = made.get();
    state.space = std::move(made);
  }
  WeightSpace& space = *state.space;
  const Vector& t = state.problem.t;
  if (state.problem.likelihood == Likelihood::gaussian) {
    state.mode =
        gaussian_mode(space, t, state.precisions.noise_variance, state.problem.row_weights);
  } else {
    const Vector& row_weights = state.problem.row_weights;
    Predictor start = !near    ? space.constant(0)
                      : primal ? primal->predictor(*near_weights, near->predictor.bias)
                               : bernoulli_start(space, t, near->predictor, row_weights);
    state.mode = bernoulli_mode(space, t, std::move(start), options.newton_tolerance,
                                options.max_newton, row_weights);
    if (near && !primal) ++state.mode.newton_steps;
  }
  state.w = space.weights(state.mode.predictor);
  state.log_evidence = state.mode.log_likelihood - state.mode.penalty -
                       space.log_determinant_ratio() / 2 - state.problem.log_volume;
  state.objective =
      state.log_evidence + state.problem.support.log_probability(state.problem.active());
  if (state.problem.likelihood == Likelihood::gaussian) {
    state.objective += log_noise_prior(state.precisions.noise_variance);
  }
  return state;
}

void find_relevance(EvidenceState& state) {
  state.relevance = state.space->relevance();
}

Vector evidence_slope(const EvidenceState& state) {
  return (state.relevance.gamma.array() -
          state.precisions.alpha.array() * state.w.array().square()) /
         2;
}

double noise_precision_slope(const EvidenceState& state) {
  const double free =
      state.problem.row_count() - state.relevance.gamma.sum() - state.relevance.bias_gamma;
  return (free - state.mode.square_sum / state.precisions.noise_variance) / 2;
}

}  // namespace ardent
