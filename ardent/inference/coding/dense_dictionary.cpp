#include "ardent/inference/coding/dense_dictionary.h"

#include "ardent/base/parallel.h"
#include "ardent/inference/coding/column_products.h"
#include "ardent/linalg/norm.h"

namespace ardent {
namespace {

constexpr Index kDenseAtoms = 256;

using MapConst = Eigen::Map<const Vector>;

Vector norms_of(const DenseRows& atoms) {
  Vector norms(atoms.rows);
  parallel_blocks(atoms.rows, kDenseAtoms, [&](Index begin, Index end) {
    // A copy of each: the alignment of rows differs from row to row and, in a caller's array, from
    // run to run.
    Vector atom;
    for (Index i = begin; i < end; ++i) {
      atom = MapConst(atoms.row(i).data(), atoms.cols);
      norms[i] = safe_norm(atom);
    }
  });
  return norms;
}

/// A copy, each atom divided by its length; a length that is zero or no number is left to the
/// caller's check.
DenseRows to_unit_length(const DenseRows& atoms, const Vector& norms) {
  DenseRows scaled{atoms.rows, atoms.cols, Buffer<double>::allocate(atoms.values.size())};
  double* const to = scaled.values.mutable_data();
  parallel_blocks(atoms.rows, kDenseAtoms, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const double divisor = norms[i] > 0 ? norms[i] : 1;
      Eigen::Map<Vector>(to + i * atoms.cols, atoms.cols) =
          MapConst(atoms.row(i).data(), atoms.cols) / divisor;
    }
  });
  return scaled;
}

}  // namespace

DenseDictionary::DenseDictionary(const DenseRows& atoms, bool unit_norm)
    : Dictionary(atoms.cols, norms_of(atoms)), atoms_(atoms) {
  if (unit_norm) *this = DenseDictionary(to_unit_length(atoms, norms()), false);
}

void DenseDictionary::correlate(const Eigen::Ref<const Matrix>& signals, Matrix& products) const {
  products.resize(cols(), signals.cols());
  if (signals.outerStride() == rows()) {
    column_products(atom(0), cols(), signals.data(), signals.cols(), rows(), products.data(),
                    cols());
  } else {
    correlate(Matrix(signals), products);
  }
}

void DenseDictionary::gram_rows(std::span<const Index> atoms, Eigen::Ref<Matrix> out) const {
  Matrix chosen(rows(), std::ssize(atoms));
  for (std::size_t k = 0; k < atoms.size(); ++k) {
    chosen.col(k) = MapConst(atom(atoms[k]), rows());
  }
  column_products(atom(0), cols(), chosen.data(), chosen.cols(), rows(), out.data(),
                  out.outerStride());
}

double DenseDictionary::dot(Index j, const Vector& v) const {
  return MapConst(atom(j), rows()).dot(v);
}

void DenseDictionary::add_scaled(Index j, double factor, Vector& v) const {
  v += factor * MapConst(atom(j), rows());
}

Vector DenseDictionary::correlate_some(std::span<const Index> atoms, const Vector& v) const {
  Vector products(std::ssize(atoms));
  listed_products(atom(0), atoms, v.data(), rows(), products.data());
  return products;
}

void DenseDictionary::correlate_lists(std::span<const ListedProducts> lists) const {
  std::vector<ProductList> wanted;
  for (const ListedProducts& list : lists) {
    list.products.resize(std::ssize(list.atoms));
    wanted.push_back({list.atoms, list.v.data(), list.products.data()});
  }
  listed_products(atom(0), cols(), wanted, rows());
}

}  // namespace ardent
