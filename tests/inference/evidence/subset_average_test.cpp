// All subsets of few columns, against densities and integrals that are added up one by one.
#include "ardent/inference/evidence/subset_average.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "problems/regression.h"

namespace ardent {
namespace {

struct Slab {
  double variance, probability;
};
constexpr Slab kAnySlabs[] = {{0.03, 0.1}, {0.1, 0.25}, {0.3, 0.25},
                              {1, 0.2},    {3, 0.1},    {10, 0.06}};

std::vector<Slab> slabs_of(Likelihood likelihood) {
  std::vector<Slab> slabs(std::begin(kAnySlabs), std::end(kAnySlabs));
  if (likelihood == Likelihood::bernoulli) {
    slabs.push_back({30, 0.04});
    return slabs;
  }
  for (const Slab& slab : {Slab{30, 0.03}, Slab{1e3, 0.006}, Slab{1e5, 0.003}, Slab{1e7, 0.001}}) {
    slabs.push_back(slab);
  }
  return slabs;
}

Matrix standardised(Matrix z) {
  for (Index k = 0; k < z.cols(); ++k) {
    z.col(k).array() -= z.col(k).mean();
    z.col(k) /= std::sqrt(z.col(k).squaredNorm() / static_cast<double>(z.rows()));
  }
  return z;
}

SubsetProblem regression(Index rows, Index columns, Index relevant, double noise) {
  const auto problem = problems::planted_regression(rows, columns, relevant, noise, 3);
  return {standardised(problem.phi), Likelihood::gaussian, problem.t, Vector::Ones(rows)};
}

double size_prior(Index columns, std::size_t size) {
  double ways = 1;
  for (std::size_t k = 0; k < size; ++k) {
    ways *= static_cast<double>(columns - static_cast<Index>(k)) / static_cast<double>(k + 1);
  }
  return 1 / (static_cast<double>(columns + 1) * ways);
}

/// Of t less its mean under covariance σ²(I + v ZZᵀ), σ under 1/σ, by that N×N matrix; and the mean
/// of the weights.
double density(const SubsetProblem& problem, const std::vector<Index>& subset, double v,
               Vector& w) {
  const Matrix z = problem.z(Eigen::all, subset);
  const Index n = problem.t.size();
  const Vector t = problem.t.array() - problem.t.mean();
  const Matrix covariance = Matrix::Identity(n, n) + v * z * z.transpose();
  const Vector solved = covariance.lu().solve(t);
  w = Vector::Zero(problem.z.cols());
  w(subset) = v * z.transpose() * solved;
  return std::pow(covariance.determinant(), -0.5) *
         std::pow(t.dot(solved), -0.5 * static_cast<double>(n - 1));
}

TEST(SubsetAverage, ARegressionIsTheSumOfAllDensities) {
  const SubsetProblem problem = regression(20, 4, 1, 1.5);
  Vector inclusion = Vector::Zero(4), mean = Vector::Zero(4), w;
  double total = 0;
  for (unsigned bits = 0; bits < 16; ++bits) {
    std::vector<Index> subset;
    for (Index k = 0; k < 4; ++k) {
      if (bits >> k & 1U) subset.push_back(k);
    }
    for (const Slab& slab : slabs_of(Likelihood::gaussian)) {
      const double p = size_prior(4, subset.size()) * slab.probability *
                       density(problem, subset, slab.variance, w);
      total += p;
      mean += p * w;
      for (const Index k : subset) inclusion[k] += p;
    }
  }
  const SubsetAverage average = average_subsets(problem);
  EXPECT_LT((average.inclusion - inclusion / total).norm(), 1e-9);
  EXPECT_LT((average.mean.head(4) - mean / total).norm(), 1e-9);
  EXPECT_NEAR(average.mean[4], problem.t.mean(), 1e-12);
  EXPECT_NEAR(average.log_gain, std::log(total / density(problem, {}, 1, w)), 1e-9);
}

TEST(SubsetAverage, OneColumnOfClassesIsAnIntegral) {
  // Laplace's approximation of the mean is about 3/N of it too low.
  constexpr Index kRows = 240;
  const auto planted = problems::planted_classification(kRows, 1, 1, 0.6, 5);
  SubsetProblem problem{standardised(planted.phi), Likelihood::bernoulli, planted.t,
                        Vector::Ones(kRows)};
  const auto likelihood = [&](double w, double b) {
    double sum = 0;
    for (Index i = 0; i < kRows; ++i) {
      const double f = problem.z(i, 0) * w + b;
      sum -= std::log1p(std::exp(problem.t[i] > 0.5 ? -f : f));
    }
    return std::exp(sum + 150);
  };
  constexpr double kStep = 0.04;
  double alone = 0, with = 0, first = 0;
  for (double b = -3; b < 3; b += kStep) {
    alone += likelihood(0, b);
    for (double w = -4; w < 4; w += kStep) {
      double prior = 0;
      for (const Slab& slab : slabs_of(Likelihood::bernoulli)) {
        prior += slab.probability * std::exp(-w * w / (2 * slab.variance)) /
                 std::sqrt(2 * std::acos(-1.0) * slab.variance);
      }
      const double p = kStep * prior * likelihood(w, b);
      with += p;
      first += p * w;
    }
  }
  const SubsetAverage average = average_subsets(problem);
  EXPECT_NEAR(average.inclusion[0], with / (with + alone), 0.01) << "Laplace's approximation";
  EXPECT_NEAR(average.mean[0], first / (with + alone), 0.03 * std::abs(average.mean[0]));
}

TEST(SubsetAverage, CopiesShareWhatTheySay) {
  SubsetProblem problem = regression(40, 2, 1, 1);
  problem.z.col(1) = problem.z.col(0);
  const SubsetAverage average = average_subsets(problem);
  EXPECT_NEAR(average.inclusion[0], average.inclusion[1], 1e-9);
  EXPECT_NEAR(average.mean[0], average.mean[1], 1e-9);
  problem.z = Matrix(problem.z.leftCols(1));
  EXPECT_NEAR(average.mean.head(2).sum(), average_subsets(problem).mean[0], 0.05);
}

/// Columns without doubt: thousands of nats must not overflow, and no row is one that counts 0.
TEST(SubsetAverage, LikelihoodsOfThousandsOfNats) {
  SubsetProblem problem = regression(400, 3, 2, 1e-3);
  const SubsetAverage average = average_subsets(problem);
  EXPECT_NEAR(average.inclusion[0], 1, 1e-12);
  EXPECT_NEAR(average.inclusion[1], 1, 1e-12);
  EXPECT_LT(average.inclusion[2], 0.3);
  EXPECT_NEAR(average.noise_variance, 1e-6, 2e-7);
  problem.likelihood = Likelihood::bernoulli;
  problem.t = (problem.z.col(0).array() > 0).cast<double>();
  const SubsetAverage separated = average_subsets(problem);
  EXPECT_NEAR(separated.inclusion[0], 1, 1e-9);
  EXPECT_TRUE(separated.covariance.allFinite());
}

}  // namespace
}  // namespace ardent
