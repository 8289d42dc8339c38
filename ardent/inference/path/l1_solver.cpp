#include "ardent/inference/path/l1_solver.h"

#include <algorithm>
#include <cmath>

#include "ardent/design/sparse.h"
#include "ardent/inference/evidence/primal_space.h"
#include "ardent/inference/path/quadratic_l1.h"

namespace ardent {
namespace {

constexpr Index kMostL1Rounds = 50;   // working sets
constexpr Index kMostL1Newton = 50;   // steps a working set
constexpr Index kMostL1Passes = 500;  // of coordinate descent a step
constexpr int kMostL1Halvings = 30;
constexpr double kSmallestDiagonal = 1e-10;  // of the largest, added to a curvature of zero
// Of λ: columns with a smaller correlation wait until they violate their condition, however far
// apart the λ are. The matrix of a set that is twice as large costs four times as much.
constexpr double kFewestScreened = 0.8;
constexpr Index kFewestJoining = 20;  // columns that a round may add, whatever the size of the set

/// The entries of the columns, if they are few and have no factors.
const SparseRows* sparse_entries(const Design& phi) {
  const auto* sparse = dynamic_cast<const SparseDesign*>(&phi);
  if (sparse == nullptr) return nullptr;
  const SparseRows& entries = sparse->entries_by_column();
  double squares = 0;
  for (const float value : entries.values.span()) squares += static_cast<double>(value) * value;
  Vector norms;
  phi.weighted_square_norms(Vector::Ones(phi.rows()), norms);
  return std::abs(norms.sum() - squares) <= 1e-9 * squares ? &entries : nullptr;
}

/// The working set with its columns, and where the solution is on it: x is (w, b).
class L1WorkingSet {
 public:
  L1WorkingSet(const L1Problem& problem, double lambda, const Vector& penalties,
               std::vector<Index> columns, const L1Solution& start)
      : problem_(problem),
        columns_(std::move(columns)),
        sub_(problem.phi.clone()),
        ridge_(lambda * problem.ridge) {
    sub_->keep(columns_);
    if (auto* sparse = dynamic_cast<SparseDesign*>(sub_.get())) sparse->compact();
    entries_ = problem.ridge > 0 && !sub_->share() ? sparse_entries(*sub_) : nullptr;
    const auto size = static_cast<Index>(columns_.size()) + (problem.bias ? 1 : 0);
    x_ = Vector::Zero(size);
    penalty_ = Vector::Zero(size);
    penalty_.head(weights()) = lambda * penalties(columns_);
    for (std::size_t k = 0, j = 0; k < start.active.size(); ++k) {
      while (columns_[j] < start.active[k]) ++j;
      x_[static_cast<Index>(j)] = start.w[static_cast<Index>(k)];
    }
    if (problem.bias) x_[weights()] = start.bias;
  }

  /// Newton steps until the quadratic promises a decrease below `tolerance`, in nats.
  Index solve(double tolerance, MapPoint& point) {
    if (x_.size() == 0) return 0;  // no column yet, and no bias
    const MapObjective objective = problem_.objective();
    Matrix gaussian_hessian;
    for (Index step = 1;; ++step) {
      const Vector ascent = bordered_ascent(point.residual);
      const Vector target = minimum(point.curvature, ascent, tolerance, gaussian_hessian);
      const Vector direction = target - x_;
      const double promised =
          ascent.dot(direction) + penalty_.dot(x_.cwiseAbs() - target.cwiseAbs());
      if (!(promised > tolerance) || step > kMostL1Newton) return step;
      if (!move(objective, direction, promised, point)) return step;
    }
  }

  void store(L1Solution& solution) const {
    solution.active.clear();
    std::vector<double> values;
    for (Index k = 0; k < weights(); ++k) {
      if (x_[k] == 0) continue;
      solution.active.push_back(columns_[static_cast<std::size_t>(k)]);
      values.push_back(x_[k]);
    }
    solution.w = Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
    solution.bias = problem_.bias ? x_[weights()] : 0;
  }

 private:
  Index weights() const { return static_cast<Index>(columns_.size()); }

  /// Of the quadratic at x. `kept`: the matrix, which a Gaussian target needs only once.
  Vector minimum(const Vector& curvature, const Vector& ascent, double tolerance,
                 Matrix& kept) const {
    const double stillness = std::sqrt(tolerance) / 10;
    Vector target = x_;
    if (entries_ != nullptr) {
      const Vector diagonal = hessian_diagonal(curvature);
      minimise(SparseQuadraticL1{*entries_, curvature, diagonal, ridge_, ascent, penalty_},
               stillness, kMostL1Passes, target);
      return target;
    }
    if (kept.size() == 0 || problem_.likelihood == Likelihood::bernoulli) kept = hessian(curvature);
    minimise(QuadraticL1{kept, ascent, penalty_}, stillness, kMostL1Passes, target);
    return target;
  }

  Vector hessian_diagonal(const Vector& curvature) const {
    Vector diagonal;
    sub_->weighted_square_norms(curvature, diagonal);
    diagonal.array() += ridge_;
    if (problem_.bias) {
      diagonal.conservativeResize(x_.size());
      diagonal[weights()] = sub_->over_rows(curvature.sum());
    }
    return diagonal.cwiseMax(kSmallestDiagonal * std::max(diagonal.maxCoeff(), 1e-300));
  }

  Vector bordered_ascent(const Vector& residual) const {
    Vector ascent;
    sub_->multiply_transposed(residual, ascent);
    if (ridge_ > 0) ascent -= ridge_ * x_.head(weights());
    if (problem_.bias) {
      ascent.conservativeResize(x_.size());
      ascent[weights()] = sub_->over_rows(residual.sum());
    }
    return ascent;
  }

  Matrix hessian(const Vector& curvature) const {
    Matrix result = bordered_gram(*sub_, curvature, problem_.bias);
    if (ridge_ > 0) result.diagonal().head(weights()).array() += ridge_;
    const double floor = kSmallestDiagonal * std::max(result.diagonal().maxCoeff(), 1e-300);
    result.diagonal() = result.diagonal().cwiseMax(floor);
    return result;
  }

  /// What the penalties take.
  double paid(const Vector& x) const {
    const double l1 = penalty_.dot(x.cwiseAbs());
    return ridge_ > 0 ? l1 + 0.5 * ridge_ * x.head(weights()).squaredNorm() : l1;
  }

  /// Halves the step until F falls by a part of what the quadratic promised.
  bool move(const MapObjective& objective, const Vector& direction, double promised,
            MapPoint& point) {
    Vector fitted;
    sub_->multiply(direction.head(weights()), fitted);
    if (problem_.bias) fitted.array() += direction[weights()];
    const double before = paid(x_) - objective.along(point.f, fitted, 0).value;
    double length = 1;
    for (int halving = 0; halving < kMostL1Halvings; ++halving, length /= 2) {
      const Vector next = x_ + length * direction;
      const double value = paid(next) - objective.along(point.f, fitted, length).value;
      if (!(value <= before - 1e-4 * length * promised)) continue;
      x_ = next;
      point.f += length * fitted;
      objective.evaluate(point);
      return true;
    }
    return false;
  }

  const L1Problem& problem_;
  std::vector<Index> columns_;
  std::unique_ptr<Design> sub_;
  double ridge_;
  const SparseRows* entries_;  // of the columns, where the matrix is not to be formed; or null
  Vector x_, penalty_;
};

/// The start's columns and those that the strong rule leaves.
std::vector<Index> first_set(double lambda, const Vector& penalties, const L1Solution& start) {
  std::vector<Index> columns = start.active;
  const double bound = std::max(2 * lambda - start.lambda, kFewestScreened * lambda);
  for (Index k = 0; k < penalties.size(); ++k) {
    if (std::abs(start.correlations[k]) >= penalties[k] * bound) columns.push_back(k);
  }
  std::ranges::sort(columns);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

/// Columns outside the set that violate their condition, the worst first, as many as the set has.
std::vector<Index> violators(double lambda, const Vector& penalties, double tolerance,
                             const std::vector<Index>& columns, const Vector& correlations) {
  std::vector<std::pair<double, Index>> found;
  for (Index k = 0; k < penalties.size(); ++k) {
    const double excess = std::abs(correlations[k]) / (lambda * penalties[k]);
    if (excess > 1 + tolerance && !std::ranges::binary_search(columns, k)) {
      found.emplace_back(-excess, k);
    }
  }
  std::ranges::sort(found);
  found.resize(std::min(found.size(), std::max<std::size_t>(columns.size(), kFewestJoining)));
  std::vector<Index> result;
  for (const auto& [excess, k] : found) result.push_back(k);
  return result;
}

}  // namespace

L1Solution empty_solution(const L1Problem& problem) {
  L1Solution solution;
  solution.point.f = Vector::Zero(problem.t.size());
  problem.objective().evaluate(solution.point);
  if (problem.bias) {
    L1WorkingSet bias(problem, 0, Vector(), {}, solution);
    solution.newton_steps = bias.solve(1e-12, solution.point);
    bias.store(solution);
  }
  problem.phi.multiply_transposed(solution.point.residual, solution.correlations);
  solution.lambda =
      solution.correlations.size() > 0 ? solution.correlations.cwiseAbs().maxCoeff() : 0;
  return solution;
}

L1Solution solution_of(const L1Problem& problem, std::vector<Index> active, Vector w, double bias,
                       double lambda) {
  L1Solution solution;
  solution.active = std::move(active);
  solution.w = std::move(w);
  solution.bias = bias;
  solution.lambda = lambda;
  solution.ridge = problem.ridge;
  Vector all = Vector::Zero(problem.phi.cols());
  all(solution.active) = solution.w;
  problem.phi.multiply(all, solution.point.f);
  solution.point.f.array() += bias;
  problem.objective().evaluate(solution.point);
  problem.phi.multiply_transposed(solution.point.residual, solution.correlations);
  return solution;
}

L1Solution solve_l1(const L1Problem& problem, double lambda, const Vector& penalties,
                    const L1Solution& start, double tolerance) {
  L1Solution solution = start;
  solution.lambda = lambda;
  solution.ridge = problem.ridge;
  solution.newton_steps = 0;
  std::vector<Index> columns = first_set(lambda, penalties, start);
  const double nats = tolerance * tolerance * std::max(1.0, std::abs(start.point.log_likelihood));
  for (Index round = 0; round < kMostL1Rounds; ++round) {
    L1WorkingSet set(problem, lambda, penalties, columns, solution);
    solution.newton_steps += set.solve(nats, solution.point);
    set.store(solution);
    problem.phi.multiply_transposed(solution.point.residual, solution.correlations);
    const auto joining = violators(lambda, penalties, tolerance, columns, solution.correlations);
    if (joining.empty()) break;
    columns.insert(columns.end(), joining.begin(), joining.end());
    std::ranges::sort(columns);
  }
  return solution;
}

}  // namespace ardent
