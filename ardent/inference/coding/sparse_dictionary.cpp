#include "ardent/inference/coding/sparse_dictionary.h"

#include <cmath>

#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr Index kSparseAtoms = 512;

/// Sum of term(column, value) over the entries of row j.
template <class Term>
double sum_over_row(const SparseRows& matrix, Index j, Term&& term) {
  double sum = 0;
  const auto end = matrix.offsets[j + 1];
  for (auto e = matrix.offsets[j]; e < end; ++e) {
    sum += term(static_cast<Index>(matrix.columns[e]), static_cast<double>(matrix.values[e]));
  }
  return sum;
}

Vector lengths(const SparseRows& atoms) {
  Vector norms(atoms.rows);
  for (Index j = 0; j < atoms.rows; ++j) {
    // Squares of float32 are far from the limits of double.
    norms[j] = std::sqrt(sum_over_row(atoms, j, [](Index, double x) { return x * x; }));
  }
  return norms;
}

Vector unit_factors(const Vector& norms) {
  return norms.unaryExpr([](double norm) { return norm > 0 ? 1 / norm : 1.0; });
}

}  // namespace

SparseDictionary::SparseDictionary(const SparseRows& atoms, bool unit_norm)
    : SparseDictionary(atoms, Vector::Ones(atoms.rows), lengths(atoms)) {
  if (unit_norm) {
    const Vector factors = unit_factors(norms());
    *this = SparseDictionary(atoms, factors, norms().cwiseProduct(factors));
  }
}

SparseDictionary::SparseDictionary(const SparseRows& atoms, Vector factors, Vector norms)
    : Dictionary(atoms.cols, std::move(norms)),
      atoms_(atoms),
      by_word_(transposed(atoms)),
      factor_(std::move(factors)) {}

void SparseDictionary::correlate(const Eigen::Ref<const Matrix>& signals, Matrix& products) const {
  products.resize(cols(), signals.cols());
  parallel_blocks(cols(), kSparseAtoms, [&](Index begin, Index end) {
    for (Index s = 0; s < signals.cols(); ++s) {
      const auto signal = signals.col(s);
      for (Index j = begin; j < end; ++j) {
        products(j, s) =
            factor_[j] * sum_over_row(atoms_, j, [&](Index i, double x) { return x * signal[i]; });
      }
    }
  });
}

void SparseDictionary::gram_rows(std::span<const Index> atoms, Eigen::Ref<Matrix> out) const {
  parallel_for(std::ssize(atoms), [&](Index k) {
    const Index j = atoms[k];
    auto row = out.col(k);
    row.setZero();
    sum_over_row(atoms_, j, [&](Index word, double mine) {
      return sum_over_row(by_word_, word, [&](Index i, double other) {
        row[i] += mine * other;
        return 0.0;
      });
    });
    row.array() *= factor_.array() * factor_[j];
  });
}

double SparseDictionary::dot(Index j, const Vector& v) const {
  return factor_[j] * sum_over_row(atoms_, j, [&](Index i, double x) { return x * v[i]; });
}

void SparseDictionary::add_scaled(Index j, double factor, Vector& v) const {
  const double scale = factor * factor_[j];
  sum_over_row(atoms_, j, [&](Index i, double x) {
    v[i] += scale * x;
    return 0.0;
  });
}

Vector SparseDictionary::correlate_some(std::span<const Index> atoms, const Vector& v) const {
  Vector products(std::ssize(atoms));
  parallel_blocks(products.size(), kSparseAtoms, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      products[k] = dot(atoms[k], v);
    }
  });
  return products;
}

}  // namespace ardent
