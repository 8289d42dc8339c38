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
/// A column whose squared distance to the span of others is less than this fraction of its square
/// length counts as dependent on them.
constexpr double kDependentColumn = 1e-13;
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr Recovery kNotRecovered{kInfinite, kInfinite};

/// Of columns, about their means where there is a bias; of constant ones 1.
Vector column_lengths(const Matrix& columns, const Vector& counts, bool bias) {
  Vector squares = columns.cwiseAbs2().transpose() * counts;
  if (bias) {
    squares -= (columns.transpose() * counts).cwiseAbs2() / counts.sum();
  }
  return (squares.array() > 0).select(squares, 1).cwiseSqrt();
}

/// (Phi_A − 1 meanᵀ)ᵀ C Phi from products that Phi keeps, a row per column that was found; empty
/// where it does not keep them.
Matrix kept_products(const Design& phi, std::span<const Index> positions, const Vector& counts,
                     const Vector& means) {
  Matrix products(std::ssize(positions), phi.cols());
  Vector own;
  for (Index k = 0; k < products.rows(); ++k) {
    if (!phi.kept_products(positions[static_cast<std::size_t>(k)], counts, own)) return {};
    products.row(k) = own.transpose();
  }
  phi.multiply_transposed(counts, own);
  products.noalias() -= means * own.transpose();
  return products;
}

/// Lengths of columns whose squares' and whose own sums are known, as above.
Vector lengths_by_sums(const Design& phi, const Vector& counts, bool bias) {
  Vector squares, sums;
  phi.weighted_square_norms(counts, squares);
  if (bias) {
    phi.multiply_transposed(counts, sums);
    squares -= sums.cwiseAbs2() / counts.sum();
  }
  return (squares.array() > 0).select(squares, 1).cwiseSqrt();
}

}  // namespace

Recovery recovery_of(const ActiveProblem& problem, std::span<const Index> positions, bool bias) {
  const Design& phi = *problem.phi;
  const Index rows = phi.rows(), columns = phi.cols();
  if (static_cast<double>(rows) * static_cast<double>(columns) > kMostEntries) return kNotRecovered;
  Vector counts = problem.row_weights;
  if (counts.size() == 0) counts = Vector::Ones(rows);
  Matrix found = phi.columns(positions);
  Vector means = Vector::Zero(found.cols());
  if (bias) {
    // About their means: those of the other columns then do not count.
    means = found.transpose() * counts / counts.sum();
    found.rowwise() -= means.transpose();
  }
  const Matrix weighted = counts.asDiagonal() * found;
  const Matrix products_of_found = found.transpose() * weighted;
  const Eigen::LLT<Matrix> gram(products_of_found);
  const bool independent =
      gram.info() == Eigen::Success && (gram.matrixLLT().diagonal().array().square() >
                                        kDependentColumn * products_of_found.diagonal().array())
                                           .all();
  if (!independent) return kNotRecovered;
  const Vector own_lengths = column_lengths(found, counts, false);
  Vector sums(columns), cosines(columns);
  const auto compare = [&](Index begin, const Matrix& products, const Vector& lengths) {
    const Index count = lengths.size();
    sums.segment(begin, count) = gram.solve(products).cwiseAbs().colwise().sum().transpose();
    cosines.segment(begin, count) = (own_lengths.cwiseInverse().asDiagonal() * products)
                                        .cwiseAbs()
                                        .colwise()
                                        .maxCoeff()
                                        .transpose()
                                        .cwiseQuotient(lengths);
  };
  if (const Matrix products = kept_products(phi, positions, counts, means); products.size() > 0) {
    compare(0, products, lengths_by_sums(phi, counts, bias));
  } else {
    parallel_blocks(
        columns, std::max<Index>(8, kNumbersAtOnce / rows), [&](Index begin, Index end) {
          const Matrix others = phi.columns(index_range(begin, end));
          compare(begin, weighted.transpose() * others, column_lengths(others, counts, bias));
        });
  }
  for (const Index k : positions) sums[k] = cosines[k] = 0;
  return {sums.maxCoeff(), cosines.maxCoeff()};
}

}  // namespace ardent
