#include "ardent/inference/evidence/subset_average.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "ardent/base/elementary.h"
#include "ardent/inference/evidence/bernoulli.h"

namespace ardent {
namespace {

struct Slab {
  double variance, probability;
};
constexpr std::array kSlabsOfClasses{Slab{0.03, 0.1}, Slab{0.1, 0.25}, Slab{0.3, 0.25},
                                     Slab{1, 0.2},    Slab{3, 0.1},    Slab{10, 0.06},
                                     Slab{30, 0.04}};
// Noise may be next to nothing.
constexpr std::array kSlabsOfRegression{
    Slab{0.03, 0.1}, Slab{0.1, 0.25}, Slab{0.3, 0.25},  Slab{1, 0.2},     Slab{3, 0.1},
    Slab{10, 0.06},  Slab{30, 0.03},  Slab{1e3, 0.006}, Slab{1e5, 0.003}, Slab{1e7, 0.001}};
constexpr int kMostSubsetSteps = 50;
constexpr double kSubsetTolerance = 1e-6;  // nats
constexpr double kPerfectFit = 1 - 1e-12;  // of the squares

/// One subset under one v: of its weights, the bias last.
struct SubsetModel {
  double log_evidence = 0;
  Vector mean;
  Matrix covariance;
  double noise_variance = 0;
};

double half_log_determinant(const Eigen::LLT<Matrix>& factor) {
  return elementary::sum_of_logs(Vector(Matrix(factor.matrixLLT()).diagonal()));
}

/// A regression.
class SquaresOfSubset {
 public:
  static constexpr std::span<const Slab> kSlabs = kSlabsOfRegression;

  SquaresOfSubset(const Matrix& z, const Vector& t, const Vector& counts)
      : rows_(counts.sum()), mean_(counts.dot(t) / rows_) {
    const Vector off = t.array() - mean_;
    const Vector weighted = counts.cwiseProduct(off);
    squares_ = weighted.dot(off);
    gram_ = z.transpose() * counts.asDiagonal() * z;
    slope_ = z.transpose() * weighted;
  }

  SubsetModel fit(double v) const {
    const Index k = slope_.size();
    Matrix h = gram_;
    h.diagonal().array() += 1 / v;
    const Eigen::LLT<Matrix> factor(h);
    SubsetModel model;
    model.mean.resize(k + 1);
    model.mean.head(k) = factor.solve(slope_);
    model.mean[k] = mean_;
    const double q = std::min(slope_.dot(model.mean.head(k)), kPerfectFit * squares_);
    model.noise_variance = (squares_ - q) / std::max(rows_ - 3, 1.0);
    model.covariance = Matrix::Zero(k + 1, k + 1);
    model.covariance.topLeftCorner(k, k) =
        model.noise_variance * factor.solve(Matrix::Identity(k, k));
    model.covariance(k, k) = model.noise_variance / rows_;
    const double share = squares_ > 0 ? q / squares_ : 0;
    model.log_evidence = -0.5 * (rows_ - 1) * elementary::log1p(-share) -
                         half_log_determinant(factor) -
                         0.5 * static_cast<double>(k) * elementary::log(v);
    return model;
  }

 private:
  double rows_, mean_, squares_ = 0;
  Matrix gram_;
  Vector slope_;
};

/// Classes; each mode begins at the one before.
class OddsOfSubset {
 public:
  static constexpr std::span<const Slab> kSlabs = kSlabsOfClasses;

  OddsOfSubset(const Matrix& z, const Vector& t, const Vector& counts)
      : t_(t), counts_(counts), a_(z.rows(), z.cols() + 1), w_(Vector::Zero(z.cols() + 1)) {
    a_ << z, Vector::Ones(z.rows());
    const double ones = counts.dot(t);
    w_[z.cols()] = elementary::log(ones / (counts.sum() - ones));
  }

  SubsetModel fit(double v) {
    const Index k = w_.size() - 1;
    Vector precision = Vector::Constant(k + 1, 1 / v);
    precision[k] = 0;
    Vector f = a_ * w_, residual, curvature;
    double objective = likelihood(f) - penalty(w_, precision);
    Eigen::LLT<Matrix> factor;
    for (int step = 0; step < kMostSubsetSteps; ++step) {
      bernoulli::derivatives(t_, f, residual, curvature, counts_);
      Matrix h = a_.transpose() * curvature.asDiagonal() * a_;
      h.diagonal() += precision;
      factor.compute(h);
      const Vector slope = a_.transpose() * residual - precision.cwiseProduct(w_);
      const Vector move = factor.solve(slope);
      if (slope.dot(move) < 2 * kSubsetTolerance) break;
      climb(move, precision, f, objective);
    }
    SubsetModel model;
    model.mean = w_;
    model.covariance = factor.solve(Matrix::Identity(k + 1, k + 1));
    model.log_evidence = objective - half_log_determinant(factor) -
                         0.5 * static_cast<double>(k) * elementary::log(v);
    return model;
  }

 private:
  double likelihood(const Vector& f) const { return bernoulli::log_likelihood(t_, f, counts_); }
  static double penalty(const Vector& w, const Vector& precision) {
    return 0.5 * precision.dot(w.cwiseAbs2());
  }

  /// Halves the step until the objective does not fall.
  void climb(Vector move, const Vector& precision, Vector& f, double& objective) {
    for (int halving = 0; halving < 30; ++halving, move /= 2) {
      const Vector w = w_ + move, fitted = a_ * w;
      const double value = likelihood(fitted) - penalty(w, precision);
      if (!(value >= objective)) continue;
      w_ = w;
      f = fitted;
      objective = value;
      return;
    }
  }

  const Vector& t_;
  const Vector& counts_;
  Matrix a_;
  Vector w_;
};

/// Sums of what models say, by probabilities that may be of any size.
class Mixture {
 public:
  explicit Mixture(Index columns) {
    sum_.inclusion = sum_.variance = Vector::Zero(columns);
    sum_.mean = Vector::Zero(columns + 1);
    sum_.covariance = Matrix::Zero(columns + 1, columns + 1);
  }

  void add(double log_probability, std::vector<Index> columns, double v, const SubsetModel& model) {
    if (total_ == 0 || log_probability > highest_) rescale(log_probability);
    const double p = elementary::exp(log_probability - highest_);
    total_ += p;
    for (const Index k : columns) {
      sum_.inclusion[k] += p;
      sum_.variance[k] += p * v;
    }
    columns.push_back(sum_.inclusion.size());
    sum_.mean(columns) += p * model.mean;
    sum_.covariance(columns, columns) +=
        p * (model.covariance + model.mean * model.mean.transpose());
    sum_.noise_variance += p * model.noise_variance;
  }

  SubsetAverage average() const {
    SubsetAverage result = sum_;
    result.variance.array() /= result.inclusion.array();
    result.inclusion /= total_;
    result.mean /= total_;
    result.covariance /= total_;
    result.covariance -= result.mean * result.mean.transpose();
    result.noise_variance /= total_;
    result.log_gain = highest_ + elementary::log(total_);
    return result;
  }

 private:
  void rescale(double highest) {
    const double factor = total_ > 0 ? elementary::exp(highest_ - highest) : 0;
    highest_ = highest;
    total_ *= factor;
    for (Vector* part : {&sum_.inclusion, &sum_.variance, &sum_.mean}) *part *= factor;
    sum_.covariance *= factor;
    sum_.noise_variance *= factor;
  }

  SubsetAverage sum_;
  double highest_ = 0, total_ = 0;
};

std::vector<Index> columns_in_subset(unsigned subset, Index columns) {
  std::vector<Index> found;
  for (Index k = 0; k < columns; ++k) {
    if (subset >> k & 1U) found.push_back(k);
  }
  return found;
}

/// log p(S) by size: sizes are equally likely, and supports of a size.
std::vector<double> log_priors(Index columns) {
  std::vector<double> result{-elementary::log(static_cast<double>(columns + 1))};
  for (Index k = 0; k < columns; ++k) {
    const double more = static_cast<double>(columns - k) / static_cast<double>(k + 1);
    result.push_back(result.back() - elementary::log(more));
  }
  return result;
}

template <class Subset>
SubsetAverage average_of(const SubsetProblem& problem) {
  const Index p = problem.z.cols();
  const std::vector<double> priors = log_priors(p);
  Mixture mixture(p);
  double of_bias = 0;
  for (unsigned bits = 0; bits < 1U << p; ++bits) {
    const std::vector<Index> columns = columns_in_subset(bits, p);
    Subset subset(problem.z(Eigen::all, columns), problem.t, problem.counts);
    if (columns.empty()) {
      const SubsetModel bias = subset.fit(1);
      of_bias = bias.log_evidence;
      mixture.add(priors[0], columns, 0, bias);
      continue;
    }
    for (const Slab& slab : Subset::kSlabs) {
      const SubsetModel model = subset.fit(slab.variance);
      const double prior = priors[columns.size()] + elementary::log(slab.probability);
      mixture.add(prior + model.log_evidence - of_bias, columns, slab.variance, model);
    }
  }
  return mixture.average();
}

}  // namespace

SubsetAverage average_subsets(const SubsetProblem& problem) {
  return problem.likelihood == Likelihood::gaussian ? average_of<SquaresOfSubset>(problem)
                                                    : average_of<OddsOfSubset>(problem);
}

}  // namespace ardent
