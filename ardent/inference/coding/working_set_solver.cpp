#include "ardent/inference/coding/working_set_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ardent/base/error.h"
#include "ardent/base/stopwatch.h"
#include "ardent/inference/coding/gap_safe.h"

namespace ardent {
namespace {

constexpr Index kFirstSet = 16;      // atoms in the first working set
constexpr double kInnerShare = 0.1;  // of the tolerance, for the working set
constexpr double kFinestInner = 1e-14;
constexpr double kGapRounding = 4e-15;

}  // namespace

void validate(const LassoOptions& options) {
  if (!(options.tolerance > 0)) {
    throw InputError(fmt::format("tolerance must be above 0, not {}", options.tolerance));
  }
  if (options.max_rounds < 1) {
    throw InputError(fmt::format("max_rounds must be at least 1, not {}", options.max_rounds));
  }
}

WorkingSetSolver::WorkingSetSolver(const LassoProblem& problem, Correlations& correlations,
                                   const LassoOptions& options, const SparseCode& start)
    : problem_(problem),
      correlations_(correlations),
      options_(options),
      set_(problem.nonnegative),
      in_set_(problem.weights.size(), false),
      signal_norm_(problem.signal.norm()),
      inner_tolerance_(kInnerShare * options.tolerance),
      c_(problem.rho) {
  for (Index i = 0; i < problem.weights.size(); ++i) {
    if (problem.weights[i] < kNeverUsed) possible_.push_back(i);
  }
  correlations_.restrict_to(possible_);
  keep_usable(start);
}

bool WorkingSetSolver::advance() {
  if (!std::exchange(begun_, true)) {
    find_residual();
    if (!code().active.empty()) return true;
    certify();
  }
  while (!converged() && result_.report.rounds < options_.max_rounds) {
    reject();
    if (!grow()) {
      if (inner_tolerance_ <= kFinestInner) {
        result_.report.status = when_stalled();
        return false;
      }
      inner_tolerance_ = std::max(kFinestInner, 0.1 * inner_tolerance_);
    }
    set_.solve(inner_tolerance_, signal_norm_);
    result_.code = set_.code();
    ++result_.report.rounds;
    find_residual();
    if (!code().active.empty()) return true;
    c_ = problem_.rho;
    certify();
  }
  return false;
}

void WorkingSetSolver::certify() {
  gap_ = duality_gap(problem_, result_.code, residual_, c_, possible_);
}

LassoResult WorkingSetSolver::take_result() {
  LassoReport& report = result_.report;
  report.objective = gap_.primal;
  report.gap = gap_.gap;
  report.relative_gap = gap_.relative();
  report.working_set = set_.size();
  report.newton_steps = set_.newton_steps();
  return std::move(result_);
}

/// What may be used of the start becomes the first working set.
void WorkingSetSolver::keep_usable(const SparseCode& start) {
  std::vector<double> values;
  for (std::size_t k = 0; k < start.active.size(); ++k) {
    const double value = start.theta[k];
    if (problem_.weights[start.active[k]] == kNeverUsed) continue;
    if (value == 0 || (problem_.nonnegative && value < 0)) continue;
    result_.code.active.push_back(start.active[k]);
    values.push_back(value);
  }
  result_.code.theta = Eigen::Map<const Vector>(values.data(), std::ssize(values));
  if (result_.code.active.empty()) return;
  add(result_.code.active);
  set_.set_code(result_.code);
  set_.solve(inner_tolerance_, signal_norm_);
  result_.code = set_.code();
}

void WorkingSetSolver::find_residual() {
  residual_ = problem_.signal;
  for (std::size_t k = 0; k < result_.code.active.size(); ++k) {
    problem_.dictionary.add_scaled(result_.code.active[k], -result_.code.theta[k], residual_);
  }
}

bool WorkingSetSolver::converged() {
  if (gap_.gap > options_.tolerance * gap_.primal) return false;
  result_.report.status = Status::converged;
  return true;
}

/// Nothing more can be had. A correlation φ_iᵀr has lost what is below the rounding of d_i‖y‖; at
/// a tiny w_i that is not negligible in it, and the gap can get no smaller.
Status WorkingSetSolver::when_stalled() const {
  double coarsest = 0;
  for (const Index i : set_.atoms()) {
    coarsest = std::max(coarsest, problem_.dictionary.norms()[i] / problem_.weights[i]);
  }
  const double lost = kGapRounding * coarsest * signal_norm_;
  return gap_.gap <= lost * gap_.primal ? Status::converged : Status::stalled;
}

void WorkingSetSolver::reject() {
  if (!options_.gap_screening) return;
  const Stopwatch watch;
  const auto before = possible_.size();
  keep_possible(problem_, gap_, c_, result_.code, possible_);
  if (possible_.size() < before) correlations_.restrict_to(possible_);
  result_.report.rejected += static_cast<Index>(before - possible_.size());
  result_.report.screening_seconds += watch.seconds();
}

/// Adds the atoms nearest to violating their constraints: as many as the support has, so that the
/// set doubles while the support grows. Returns whether there were any that do violate it.
bool WorkingSetSolver::grow() {
  struct Candidate {
    double slack;
    Index atom;
    bool operator<(const Candidate& other) const {
      return slack != other.slack ? slack < other.slack : atom < other.atom;
    }
  };
  std::vector<Candidate> candidates;
  for (const Index i : possible_) {
    if (in_set_[i]) continue;
    const double c = problem_.nonnegative ? c_[i] : std::abs(c_[i]);
    const double slack = problem_.weights[i] - c;
    if (slack >= 0) continue;
    candidates.push_back({slack / problem_.dictionary.norms()[i], i});
  }
  const auto most =
      static_cast<std::size_t>(std::max<Index>(kFirstSet, std::ssize(result_.code.active)));
  const auto count = std::min(most, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count),
                    candidates.end());
  std::vector<Index> chosen;
  for (std::size_t k = 0; k < count; ++k) chosen.push_back(candidates[k].atom);
  if (!chosen.empty()) add(chosen);
  return !chosen.empty();
}

void WorkingSetSolver::add(const std::vector<Index>& atoms) {
  std::vector<Index> all = set_.atoms();
  all.insert(all.end(), atoms.begin(), atoms.end());
  set_.add(atoms, correlations_.gram(all, std::ssize(atoms)), problem_.rho(atoms),
           problem_.weights(atoms));
  for (const Index i : atoms) in_set_[i] = true;
}

LassoResult solve_working_sets(const LassoProblem& problem, Correlations& correlations,
                               const LassoOptions& options, const SparseCode& start) {
  WorkingSetSolver solver(problem, correlations, options, start);
  while (solver.advance()) {
    correlations.update(solver.code(), solver.residual(), solver.c());
    solver.certify();
  }
  return solver.take_result();
}

}  // namespace ardent
