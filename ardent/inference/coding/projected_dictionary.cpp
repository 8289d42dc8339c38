#include "ardent/inference/coding/projected_dictionary.h"

#include <Eigen/QR>
#include <cmath>

namespace ardent {
namespace {

Vector column_of(const Dictionary& dictionary, Index j) {
  Vector column = Vector::Zero(dictionary.rows());
  dictionary.add_scaled(j, 1, column);
  return column;
}

Matrix without_span(Matrix v, const Matrix& q) {
  for (int time = 0; time < 2; ++time) v -= q * (q.transpose() * v);
  return v;
}

Vector norms_left(const Dictionary& whole, const Matrix& q) {
  Matrix inside;
  whole.correlate(q, inside);
  const Vector& norms = whole.norms();
  Vector left(norms.size());
  for (Index i = 0; i < norms.size(); ++i) {
    const double square = norms[i] * norms[i];
    const double rest = square - inside.row(i).squaredNorm();
    if (rest > 0.01 * square) {
      left[i] = std::sqrt(rest);
    } else {  // the difference has lost digits
      const double norm = without_span(column_of(whole, i), q).norm();
      left[i] = norm > kInSpan * norms[i] ? norm : 0.0;
    }
  }
  return left;
}

}  // namespace

ProjectedDictionary::ProjectedDictionary(const Dictionary& whole, Matrix q)
    : Dictionary(whole.rows(), norms_left(whole, q)), whole_(whole), q_(std::move(q)) {}

Matrix ProjectedDictionary::project(Matrix v) const {
  return without_span(std::move(v), q_);
}

Vector ProjectedDictionary::column(Index j) const {
  return project(column_of(whole_, j));
}

void ProjectedDictionary::correlate(const Eigen::Ref<const Matrix>& signals,
                                    Matrix& products) const {
  whole_.correlate(project(signals), products);
}

void ProjectedDictionary::gram_rows(std::span<const Index> atoms, Eigen::Ref<Matrix> out) const {
  Matrix chosen(rows(), std::ssize(atoms));
  for (std::size_t k = 0; k < atoms.size(); ++k) {
    chosen.col(k) = column(atoms[k]);
  }
  Matrix products;
  whole_.correlate(chosen, products);
  out = products;
}

double ProjectedDictionary::dot(Index j, const Vector& v) const {
  return whole_.dot(j, project(v));
}

void ProjectedDictionary::add_scaled(Index j, double factor, Vector& v) const {
  v += factor * column(j);
}

Vector ProjectedDictionary::correlate_some(std::span<const Index> atoms, const Vector& v) const {
  return whole_.correlate_some(atoms, project(v));
}

Matrix orthonormal_span(const Dictionary& dictionary, std::span<const Index> atoms) {
  Matrix columns(dictionary.rows(), std::ssize(atoms));
  for (std::size_t k = 0; k < atoms.size(); ++k) {
    const double norm = dictionary.norms()[atoms[k]];
    // Lengths say nothing about the span: scaled, the rank is found whatever the units.
    columns.col(k) = column_of(dictionary, atoms[k]) / (norm > 0 ? norm : 1);
  }
  Eigen::ColPivHouseholderQR<Matrix> qr;
  qr.setThreshold(kInSpan);
  qr.compute(columns);
  const Matrix identity = Matrix::Identity(columns.rows(), qr.rank());
  return qr.householderQ() * identity;
}

}  // namespace ardent
