// Random sparse coding problems with everything that makes them hard: duplicate, nearly duplicate,
// equicorrelated, collinear and zero atoms, unequal, infinite and zero penalties, any λ, any units.
#pragma once

#include <cmath>
#include <memory>

#include "ardent/base/random.h"
#include "ardent/inference/coding/make_dictionary.h"
#include "problems/random_matrix.h"

namespace ardent::problems {

struct CodingProblem {
  Matrix phi;  // N×n
  std::unique_ptr<Dictionary> dictionary;
  Vector signal;
  Vector penalties;
  double lambda = 1;
  bool unique = true;  // no two atoms are (nearly) dependent on each other
};

inline std::unique_ptr<Dictionary> dictionary_of(const Matrix& phi) {
  return make_dictionary(Features(dense_rows(phi.transpose())));
}

enum class Atoms { generic, duplicates, near_duplicates, equicorrelated, collinear, zeros, kinds };
enum class Penalties { equal, unequal, infinite, free_atoms, kinds };

inline Matrix hazardous_atoms(Atoms kind, Index rows, Index cols, Random& random) {
  Matrix phi(rows, cols);
  for (double& x : phi.reshaped()) x = random.normal();
  if (kind == Atoms::equicorrelated) {
    const Vector shared = phi.col(0);
    for (Index i = 0; i < cols; ++i) phi.col(i) = shared + 0.2 * phi.col(i);
    for (Index i = 0; i < cols; ++i) phi.col(i).normalize();
  }
  for (Index i = 1; i < cols; i += 2) {
    if (kind == Atoms::duplicates) phi.col(i) = (random.uniform() < 0.5 ? -1 : 1) * phi.col(i - 1);
    if (kind == Atoms::near_duplicates) phi.col(i) = phi.col(i - 1) + 1e-7 * phi.col(i);
    if (kind == Atoms::zeros && i % 4 == 1) phi.col(i).setZero();
    if (kind == Atoms::collinear && i >= 3) phi.col(i) = phi.col(i - 1) - 0.5 * phi.col(i - 3);
  }
  return phi;
}

inline Vector hazardous_penalties(Penalties kind, Index cols, Random& random) {
  Vector u = Vector::Ones(cols);
  for (Index i = 0; i < cols; ++i) {
    const double draw = random.uniform();
    if (kind != Penalties::equal) u[i] = std::exp(random.normal());
    if (kind == Penalties::infinite && draw < 0.2) u[i] = std::numeric_limits<double>::infinity();
    if (kind == Penalties::free_atoms && i < 2) u[i] = 0;
  }
  return u;
}

/// Problem number `seed`: atoms, penalties, λ and units all follow from it.
inline CodingProblem hazardous_problem(std::uint64_t seed) {
  Random random(seed, 4);
  CodingProblem p;
  const auto kind = static_cast<Atoms>(random.below(static_cast<Index>(Atoms::kinds)));
  const auto penalties = static_cast<Penalties>(random.below(static_cast<Index>(Penalties::kinds)));
  const Index rows = 4 + random.below(20);
  const Index cols = 5 + random.below(50);
  const double ratios[] = {1.5, 1, 1 - 1e-9, 0.95, 0.8, 0.6, 0.4, 0.2, 0.05, 1e-3, 1e-6};
  const double units[] = {1, 1, 1e-6, 1e6};
  p.phi = hazardous_atoms(kind, rows, cols, random) * units[random.below(4)];
  p.signal = Vector::Zero(rows);
  for (int k = 0; k < 3; ++k) p.signal += random.normal() * p.phi.col(random.below(cols));
  for (double& x : p.signal) x += 0.1 * p.signal.norm() * random.normal();
  p.signal *= units[random.below(4)];
  p.penalties = hazardous_penalties(penalties, cols, random);
  double largest = 1e-300;
  const Vector rho = p.phi.transpose() * p.signal;
  for (Index i = 0; i < cols; ++i) {
    if (p.penalties[i] > 0) largest = std::max(largest, std::abs(rho[i]) / p.penalties[i]);
  }
  p.lambda = ratios[random.below(11)] * largest;
  p.unique = kind == Atoms::generic || kind == Atoms::zeros || kind == Atoms::equicorrelated;
  p.dictionary = dictionary_of(p.phi);
  return p;
}

}  // namespace ardent::problems
