#include "ardent/inference/evidence/support_prior.h"

#include <algorithm>

#include "ardent/base/elementary.h"
#include "ardent/base/random.h"

namespace ardent {
namespace {

constexpr double kMostGramWork = 1e10;
constexpr Index kTraceProbes = 32;
constexpr double kConstantColumn =
    1e-12;  // of a column's mean square: a smaller variance is rounding

/// Z = (Phi − 1 meanᵀ) diag(factor), whose columns have ZᵀCZ of unit diagonal (C: row weights).
class StandardColumns {
 public:
  StandardColumns(const Design& phi, const Vector& weights, bool bias)
      : phi_(phi), weights_(weights) {
    const double count = phi.over_rows(weights.sum());
    mean_ = Vector::Zero(phi.cols());
    if (bias) {
      phi.multiply_transposed(weights, mean_);
      mean_ /= count;
    }
    phi.weighted_square_norms(weights, factor_);
    for (Index k = 0; k < factor_.size(); ++k) {
      const double square = factor_[k] / count, variance = square - mean_[k] * mean_[k];
      const bool varies = variance > kConstantColumn * square;
      factor_[k] = varies ? 1 / std::sqrt(count * variance) : 0;
      columns_ += varies ? 1 : 0;
    }
  }

  Index columns() const { return columns_; }

  /// S v = ZᵀCZ v
  Vector correlate(const Vector& v) const {
    const Vector scaled = factor_.cwiseProduct(v);
    Vector fitted, out;
    phi_.multiply(scaled, fitted);
    fitted.array() -= mean_.dot(scaled);
    fitted.array() *= weights_.array();
    phi_.multiply_transposed(fitted, out);
    out -= phi_.over_rows(fitted.sum()) * mean_;
    return factor_.cwiseProduct(out);
  }

  /// tr(S²) by probes: E‖S z‖² for random signs z.
  double probed_square_trace() const {
    double sum = 0;
    for (Index probe = 0; probe < kTraceProbes; ++probe) {
      Random random(0, static_cast<std::uint64_t>(probe));
      Vector signs(factor_.size());
      for (Index k = 0; k < signs.size(); ++k) signs[k] = random.bits() >> 63 ? 1.0 : -1.0;
      sum += correlate(signs).squaredNorm();
    }
    return sum / kTraceProbes;
  }

  /// tr(S²) = ‖ZᵀCZ‖² = ‖C^½ZZᵀC^½‖², whichever is smaller.
  double square_trace() const {
    Matrix gram;
    if (phi_.cols() <= phi_.all_rows()) {
      phi_.weighted_gram(weights_, gram);
      gram.noalias() -= phi_.over_rows(weights_.sum()) * mean_ * mean_.transpose();
      return (factor_.asDiagonal() * gram * factor_.asDiagonal()).squaredNorm();
    }
    const Vector squares = factor_.cwiseProduct(factor_);
    phi_.weighted_outer(squares, gram);
    Vector shift;
    phi_.multiply(squares.cwiseProduct(mean_), shift);
    gram.colwise() -= shift;
    gram.rowwise() -= shift.transpose();
    gram.array() += mean_.dot(squares.cwiseProduct(mean_));
    const Vector roots = weights_.cwiseSqrt();
    return (roots.asDiagonal() * gram * roots.asDiagonal()).squaredNorm();
  }

 private:
  const Design& phi_;
  const Vector& weights_;
  Vector mean_, factor_;
  Index columns_ = 0;  // that are not constant
};

}  // namespace

double SupportPrior::cost(Index kept) const {
  const auto k = static_cast<double>(kept);
  return candidates_ - k > k + 1 ? elementary::log((candidates_ - k) / (k + 1)) : 0;
}

double SupportPrior::log_probability(Index kept) const {
  double sum = 0;
  for (Index k = 0; k < kept && cost(k) > 0; ++k) sum -= cost(k);
  return sum;
}

double effective_candidates(const Design& design, const Vector& row_weights, bool bias) {
  const StandardColumns columns(design, row_weights, bias);
  const auto p = static_cast<double>(columns.columns());
  const double n = design.over_rows(row_weights.sum()) - (bias ? 1 : 0);
  if (p <= 1 || n <= 1) return 1;
  const auto rows = static_cast<double>(design.all_rows()),
             all = static_cast<double>(design.cols());
  const bool affordable = rows * all * std::min(rows, all) <= kMostGramWork;
  const double trace = affordable ? columns.square_trace() : columns.probed_square_trace();
  const double inverse = (trace / (p * p) - 1 / n) / (1 - 1 / n);
  return inverse * p > 1 ? std::max(1 / inverse, 1.0) : p;
}

}  // namespace ardent
