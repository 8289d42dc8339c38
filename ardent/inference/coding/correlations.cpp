#include "ardent/inference/coding/correlations.h"

#include <cmath>

#include "ardent/inference/coding/column_products.h"

namespace ardent {

Matrix gram_of(const Dictionary& dictionary, std::span<const Index> all, Index fresh) {
  const Index count = std::ssize(all);
  Matrix columns = Matrix::Zero(dictionary.rows(), count);
  Vector column(dictionary.rows());
  for (Index k = 0; k < count; ++k) {
    column.setZero();
    dictionary.add_scaled(all[k], 1, column);
    columns.col(k) = column;
  }
  Matrix products(count, fresh);
  if (fresh == 0) return products;
  column_products(columns.data(), count, columns.col(count - fresh).data(), fresh,
                  dictionary.rows(), products.data(), count);
  return products;
}

ResidualCorrelations::ResidualCorrelations(const LassoProblem& problem)
    : problem_(problem),
      residuals_{problem.signal},
      known_(problem.rho),
      when_(problem.rho.size(), 0) {}

void ResidualCorrelations::restrict_to(std::span<const Index> atoms) {
  atoms_.assign(atoms.begin(), atoms.end());
}

void ResidualCorrelations::update(const SparseCode&, const Vector& residual, Vector& c) {
  accept(problem_.dictionary.correlate_some(find_unsure(residual, c), residual), residual, c);
}

const std::vector<Index>& ResidualCorrelations::find_unsure(const Vector& residual, Vector& c) {
  // What rounding may add to a distance between residuals.
  const double rounding = 1e-12 * residuals_.front().norm();
  std::vector<double> along, distance;  // α and ‖r − αr'‖ of each earlier residual
  for (const Vector& earlier : residuals_) {
    const double square = earlier.squaredNorm();
    along.push_back(square > 0 ? earlier.dot(residual) / square : 0.0);
    distance.push_back((residual - along.back() * earlier).norm() + rounding);
  }
  unsure_.clear();
  for (const Index i : atoms_) {
    const std::size_t t = when_[i];
    const double centre = along[t] * known_[i];
    const double reach = (problem_.nonnegative ? centre : std::abs(centre)) +
                         problem_.dictionary.norms()[i] * distance[t];
    if (reach >= problem_.weights[i]) {
      unsure_.push_back(i);
    } else {
      c[i] = problem_.nonnegative ? reach : std::copysign(reach, centre);
    }
  }
  // Those of the code itself are in doubt by nature: their constraints are tight.
  return unsure_;
}

void ResidualCorrelations::accept(const Vector& products, const Vector& residual, Vector& c) {
  residuals_.push_back(residual);
  for (std::size_t k = 0; k < unsure_.size(); ++k) {
    known_[unsure_[k]] = c[unsure_[k]] = products[k];
    when_[unsure_[k]] = residuals_.size() - 1;
  }
}

Matrix ResidualCorrelations::gram(std::span<const Index> all, Index fresh) {
  return gram_of(problem_.dictionary, all, fresh);
}

void RowCorrelations::restrict_to(std::span<const Index> atoms) {
  atoms_.assign(atoms.begin(), atoms.end());
  everything_ = std::ssize(atoms) == rho_.size();
}

void RowCorrelations::fetch(std::span<const Index> atoms) {
  std::vector<Index> missing;
  for (const Index atom : atoms) {
    if (!held_.contains(atom)) missing.push_back(atom);
  }
  const auto rows = rows_.rows(missing);
  for (std::size_t k = 0; k < missing.size(); ++k) held_[missing[k]] = rows[k];
}

void RowCorrelations::update(const SparseCode& code, const Vector&, Vector& c) {
  fetch(code.active);
  if (everything_) {
    c = rho_;
  } else {
    for (const Index i : atoms_) c[i] = rho_[i];
  }
  for (std::size_t k = 0; k < code.active.size(); ++k) {
    const Vector& of_atom = row(code.active[k]);
    const double theta = code.theta[k];
    if (everything_) {
      c -= theta * of_atom;
    } else {
      for (const Index i : atoms_) c[i] -= theta * of_atom[i];
    }
  }
}

Matrix RowCorrelations::gram(std::span<const Index> all, Index fresh) {
  const auto news = all.last(fresh);
  fetch(news);
  Matrix products(std::ssize(all), fresh);
  for (Index k = 0; k < fresh; ++k) {
    const Vector& of_atom = row(news[k]);
    for (std::size_t i = 0; i < all.size(); ++i) {
      products(i, k) = of_atom[all[i]];
    }
  }
  return products;
}

}  // namespace ardent
