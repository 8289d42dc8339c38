#include "ardent/published/screening/screen.h"

#include <algorithm>

#include "ardent/base/error.h"
#include "ardent/base/stopwatch.h"
#include "ardent/inference/coding/gap_safe.h"
#include "ardent/inference/coding/penalties.h"
#include "ardent/inference/coding/projected_dictionary.h"
#include "ardent/published/screening/static_tests.h"

namespace ardent {
namespace {

constexpr std::string_view kTests[] = {"none", "sphere", "dome", "tht", "gap"};

std::vector<Index> usable(const LassoProblem& problem) {
  std::vector<Index> atoms;
  for (Index i = 0; i < problem.weights.size(); ++i) {
    if (problem.weights[i] < kNeverUsed) atoms.push_back(i);
  }
  return atoms;
}

std::vector<Index> gap_test(const LassoProblem& problem, const SparseCode& code) {
  const Vector residual = problem.signal - problem.dictionary.combine(code.active, code.theta);
  Matrix correlations;
  problem.dictionary.correlate(residual, correlations);
  std::vector<Index> possible = usable(problem);
  const Vector c = correlations.col(0);
  const DualityGap gap = duality_gap(problem, code, residual, c, possible);
  keep_possible(problem, gap, c, code, possible);
  return possible;
}

std::vector<Index> kept_atoms(const LassoProblem& problem, const ScreenOptions& options,
                              GramRows* rows, const SparseCode& code) {
  if (options.test == ScreenTest::none) return usable(problem);
  if (options.test == ScreenTest::gap) return gap_test(problem, code);
  const DualBall ball = dual_ball(problem, options.ball);
  if (ball.radius == 0) return {};  // s = 1: θ = 0, and no other code is as good
  if (options.test == ScreenTest::sphere) return sphere_test(problem, ball);
  if (options.test == ScreenTest::dome) return dome_test(problem, ball, rows);
  return two_hyperplane_test(problem, ball, rows);
}

}  // namespace

ScreenTest parse_screen_test(std::string_view name) {
  return static_cast<ScreenTest>(place_of(name, kTests, "screening"));
}

Screening screen(const LassoProblem& problem, const ScreenOptions& options, GramRows* rows,
                 const SparseCode& code) {
  const Stopwatch watch;
  Screening result;
  result.kept = kept_atoms(problem, options, rows, code);
  result.rejected = problem.dictionary.cols() - std::ssize(result.kept);
  result.seconds = watch.seconds();
  return result;
}

void use_screening(const ScreenOptions& screening, CodeOptions& options) {
  options.gap_screening = screening.test == ScreenTest::gap;
  options.static_screening = {};
  if (options.gap_screening || screening.test == ScreenTest::none) return;
  options.static_screening = [screening](const LassoProblem& problem, GramRows* rows) {
    return screen(problem, screening, rows);
  };
}

Screening screen(const Dictionary& dictionary, const Vector& signal, const Vector& penalties,
                 double lambda, const ScreenOptions& options, bool nonnegative) {
  check_signal(dictionary, signal);
  Vector weights = effective_weights(dictionary, penalties, lambda);
  const std::vector<Index> free_atoms = unpenalised(weights);
  Matrix rho;
  if (free_atoms.empty()) {
    dictionary.correlate(signal, rho);
    const Vector products = rho.col(0);
    return screen(LassoProblem{dictionary, signal, products, weights, nonnegative}, options);
  }
  const ProjectedDictionary rest(dictionary, orthonormal_span(dictionary, free_atoms));
  for (const Index i : free_atoms) weights[i] = kNeverUsed;
  for (Index i = 0; i < weights.size(); ++i) {
    if (rest.norms()[i] == 0) weights[i] = kNeverUsed;
  }
  const Vector projected = rest.project(signal);
  rest.correlate(projected, rho);
  const Vector products = rho.col(0);
  Screening result = screen(LassoProblem{rest, projected, products, weights, nonnegative}, options);
  result.kept.insert(result.kept.end(), free_atoms.begin(), free_atoms.end());
  std::ranges::sort(result.kept);
  result.rejected -= std::ssize(free_atoms);
  return result;
}

}  // namespace ardent
