#include "ardent/inference/coding/working_set.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace ardent {
namespace {

constexpr int kMostPasses = 1000;
constexpr double kWeightRounding = 1e-15;
/// An atom whose squared distance to the span of others is less than this fraction of its square
/// length counts as dependent on them.
constexpr double kDependent = 1e-13;
/// Of the squared length of the signal: what rounding may add to the objective in a pass.
constexpr double kPassRounding = 1e-10;
/// Of the length of the signal: what the coefficients' lengths may add up to. Beyond, the rounding
/// of the objective is a hundredth of it.
constexpr double kMostLight = 5e6;

double sign(double value) {
  return value > 0 ? 1.0 : -1.0;
}

/// The largest t ≤ 1 for which no entry of theta + t·delta has changed its sign.
double first_sign_change(const Vector& theta, const Vector& delta) {
  double first = 1;
  for (Index k = 0; k < theta.size(); ++k) {
    if (theta[k] * delta[k] < 0) first = std::min(first, -theta[k] / delta[k]);
  }
  return first;
}

}  // namespace

void WorkingSet::add(std::span<const Index> atoms, const Matrix& gram, const Vector& rho,
                     const Vector& weights) {
  const Index before = size();
  const Index after = before + std::ssize(atoms);
  atoms_.insert(atoms_.end(), atoms.begin(), atoms.end());
  if (after > gram_.rows()) {
    Matrix larger(2 * after, 2 * after);
    larger.topLeftCorner(before, before) = gram_.topLeftCorner(before, before);
    gram_.swap(larger);
  }
  gram_.block(0, before, after, after - before) = gram;
  gram_.block(before, 0, after - before, before) = gram.topRows(before).transpose();
  const auto append = [&](Vector& to, const auto& values) {
    to.conservativeResize(after);
    to.tail(after - before) = values;
  };
  append(rho_, rho);
  append(weights_, weights);
  append(theta_, Vector::Zero(after - before));
}

void WorkingSet::set_code(const SparseCode& code) {
  std::unordered_map<Index, double> values;
  for (std::size_t k = 0; k < code.active.size(); ++k) {
    values[code.active[k]] = code.theta[k];
  }
  for (Index p = 0; p < size(); ++p) {
    const auto found = values.find(atoms_[p]);
    theta_[p] = found == values.end() ? 0.0 : found->second;
  }
}

SparseCode WorkingSet::code() const {
  std::vector<std::pair<Index, double>> pairs;
  for (Index p = 0; p < size(); ++p) {
    if (theta_[p] != 0) pairs.emplace_back(atoms_[p], theta_[p]);
  }
  std::ranges::sort(pairs);
  SparseCode code;
  code.theta.resize(std::ssize(pairs));
  for (const auto& [atom, value] : pairs) {
    code.theta[std::ssize(code.active)] = value;
    code.active.push_back(atom);
  }
  return code;
}

bool WorkingSet::solve(double tolerance, double signal_norm) {
  refresh();
  for (int pass = 0; pass < kMostPasses; ++pass) {
    coordinate_pass();
    find_support();
    const Vector passed = theta_;
    const double most = objective() + kPassRounding * signal_norm * signal_norm;
    // At most one coefficient a step is lost for good, so there is an end to this.
    Step step = Step::shortened;
    while (step == Step::shortened) step = newton_step();
    refresh();
    // Atoms that are all but dependent turn rounding into huge coefficients: back to the pass,
    // which only goes down.
    if (!(objective() <= most && objective_is_known(signal_norm))) {
      theta_ = passed;
      refresh();
    }
    if (optimal(tolerance, signal_norm)) return true;
  }
  return false;
}

double WorkingSet::objective() const {
  return weights_.dot(theta_.cwiseAbs()) - 0.5 * theta_.dot(rho_ + g_);
}

/// Is the rounding of objective(), some (Σ|θ_i|‖φ_i‖)² ε, small beside ½‖y‖², which it lies above?
bool WorkingSet::objective_is_known(double signal_norm) const {
  const Index m = size();
  const double most = gram_.diagonal().head(m).cwiseSqrt().dot(theta_.cwiseAbs());
  return most <= kMostLight * signal_norm;
}

double WorkingSet::soft_threshold(double value, double threshold) const {
  if (value > threshold) return value - threshold;
  if (!nonnegative_ && value < -threshold) return value + threshold;
  return 0;
}

void WorkingSet::coordinate_pass() {
  for (Index p = 0; p < size(); ++p) {
    const double curvature = gram_(p, p);
    const double moved = soft_threshold(theta_[p] + g_[p] / curvature, weights_[p] / curvature);
    const double change = moved - theta_[p];
    if (change == 0) continue;
    theta_[p] = moved;
    g_ -= change * gram_.col(p).head(size());
  }
}

void WorkingSet::find_support() {
  support_.clear();
  for (Index p = 0; p < size(); ++p) {
    if (theta_[p] != 0) support_.push_back(p);
  }
}

void WorkingSet::refresh() {
  g_ = rho_;
  find_support();
  for (const Index p : support_) g_ -= theta_[p] * gram_.col(p).head(size());
}

WorkingSet::Step WorkingSet::newton_step() {
  if (support_.empty()) return Step::whole;
  const Matrix support_gram = gram_(support_, support_);
  const Eigen::LLT<Matrix> factor(support_gram);
  const bool independent =
      factor.info() == Eigen::Success && (factor.matrixLLT().diagonal().array().square() >
                                          kDependent * support_gram.diagonal().array())
                                             .all();
  ++newton_steps_;
  if (!independent) return null_step(support_gram);
  Vector gradient = g_(support_);  // minus that of the objective, the penalty included
  for (std::size_t k = 0; k < support_.size(); ++k) {
    gradient[k] -= weights_[support_[k]] * sign(theta_[support_[k]]);
  }
  return take(factor.solve(gradient), gradient, support_gram);
}

WorkingSet::Step WorkingSet::take(const Vector& delta, const Vector& gradient,
                                  const Matrix& support_gram) {
  const Vector theta = theta_(support_);
  const double t = first_sign_change(theta, delta);
  if (t >= 1) {
    move(delta);
    return Step::whole;
  }
  // Cut at the first change: Δ solves G Δ = gradient, so the objective falls by (t − t²/2) gᵀΔ.
  const double cut_change = (0.5 * t - 1) * t * gradient.dot(delta);
  Vector projected = delta;
  for (Index k = 0; k < theta.size(); ++k) {
    if ((theta[k] + delta[k]) * theta[k] <= 0) projected[k] = -theta[k];
  }
  const double projected_change =
      0.5 * projected.dot(support_gram * projected) - gradient.dot(projected);
  if (projected_change < cut_change) {
    move(projected);
    return Step::shortened;
  }
  Vector cut = t * delta;
  for (Index k = 0; k < theta.size(); ++k) {
    const bool is_first = theta[k] * delta[k] < 0 && -theta[k] / delta[k] <= t;
    if (is_first) cut[k] = -theta[k];
  }
  move(cut);
  return Step::shortened;
}

WorkingSet::Step WorkingSet::null_step(const Matrix& support_gram) {
  // The first atom that depends on those before it, by Cholesky row for row.
  const Index k = support_gram.rows();
  Matrix factor = Matrix::Zero(k, k);
  Index j = 0;
  double pivot = 0;
  for (; j < k; ++j) {
    if (j > 0) {
      factor.row(j).head(j) = factor.topLeftCorner(j, j)
                                  .triangularView<Eigen::Lower>()
                                  .solve(support_gram.col(j).head(j))
                                  .transpose();
    }
    pivot = support_gram(j, j) - factor.row(j).head(j).squaredNorm();
    // Another order of additions than the factorisation that found the dependence: a wider margin.
    if (pivot <= 100 * kDependent * support_gram(j, j)) break;
    factor(j, j) = std::sqrt(pivot);
  }
  if (j == k) return Step::none;
  Vector direction = Vector::Zero(k);
  direction[j] = 1;
  if (j > 0) {
    direction.head(j) =
        -factor.topLeftCorner(j, j).triangularView<Eigen::Lower>().transpose().solve(
            factor.row(j).head(j).transpose());
  }
  double slope = 0;  // of the objective along the direction
  for (Index i = 0; i <= j; ++i) {
    const Index p = support_[i];
    slope += direction[i] * (weights_[p] * sign(theta_[p]) - g_[p]);
  }
  if (slope > 0) direction = -direction;
  const Vector theta = theta_(support_);
  double t = std::numeric_limits<double>::infinity();
  for (Index i = 0; i <= j; ++i) {
    if (theta[i] * direction[i] < 0) t = std::min(t, -theta[i] / direction[i]);
  }
  if (!std::isfinite(t)) return Step::none;
  Vector change = t * direction;
  for (Index i = 0; i <= j; ++i) {
    if (theta[i] * direction[i] < 0 && -theta[i] / direction[i] <= t) change[i] = -theta[i];
  }
  move(change);
  return Step::shortened;
}

void WorkingSet::move(const Vector& support_change) {
  std::vector<Index> kept;
  for (std::size_t k = 0; k < support_.size(); ++k) {
    const Index p = support_[k];
    const double change = support_change[k];
    const double moved = change == -theta_[p] ? 0.0 : theta_[p] + change;
    theta_[p] = moved;
    g_ -= change * gram_.col(p).head(size());
    if (moved != 0) kept.push_back(p);
  }
  support_.swap(kept);
}

bool WorkingSet::optimal(double tolerance, double signal_norm) const {
  for (Index p = 0; p < size(); ++p) {
    const double allowed =
        tolerance * weights_[p] + kWeightRounding * std::sqrt(gram_(p, p)) * signal_norm;
    const double excess = theta_[p] != 0 ? std::abs(g_[p] - weights_[p] * sign(theta_[p]))
                                         : (nonnegative_ ? g_[p] : std::abs(g_[p])) - weights_[p];
    if (excess > allowed) return false;
  }
  return true;
}

}  // namespace ardent
