#include "ardent/inference/evidence/exact_recovery.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

#include "ardent/base/index_range.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr double kMostEntries = 2.5e8;            // of Phi, all of which are read
constexpr Index kNumbersAtOnce = Index{1} << 18;  // 2 MiB of columns
constexpr double kNotRecovered = std::numeric_limits<double>::infinity();

}  // namespace

double recovery_coefficient(const ActiveProblem& problem, std::span<const Index> positions,
                            bool bias) {
  const Design& phi = *problem.phi;
  const Index rows = phi.rows(), columns = phi.cols();
  if (static_cast<double>(rows) * static_cast<double>(columns) > kMostEntries) return kNotRecovered;
  Vector counts = problem.row_weights;
  if (counts.size() == 0) counts = Vector::Ones(rows);
  Matrix found = phi.columns(positions);
  if (bias) {
    // About their means: those of the other columns then do not count.
    const Vector means = found.transpose() * counts / counts.sum();
    found.rowwise() -= means.transpose();
  }
  const Matrix weighted = counts.asDiagonal() * found;
  const Eigen::LLT<Matrix> gram(found.transpose() * weighted);
  if (gram.info() != Eigen::Success) return kNotRecovered;
  Vector sums(columns);
  parallel_blocks(columns, std::max<Index>(8, kNumbersAtOnce / rows), [&](Index begin, Index end) {
    const Matrix others = phi.columns(index_range(begin, end));
    const Matrix coefficients = gram.solve(Matrix(weighted.transpose() * others));
    sums.segment(begin, end - begin) = coefficients.cwiseAbs().colwise().sum().transpose();
  });
  for (const Index k : positions) sums[k] = 0;
  return sums.maxCoeff();
}

}  // namespace ardent
