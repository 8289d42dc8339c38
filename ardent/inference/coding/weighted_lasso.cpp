#include "ardent/inference/coding/weighted_lasso.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>

#include "ardent/base/error.h"
#include "ardent/inference/coding/penalties.h"
#include "ardent/inference/coding/projected_dictionary.h"

namespace ardent {
namespace {

LassoResult solve(const Dictionary& dictionary, const Vector& signal, const Vector& weights,
                  const LassoOptions& options, const SparseCode& start) {
  Matrix rho;
  dictionary.correlate(signal, rho);
  const Vector products = rho.col(0);
  const LassoProblem problem{dictionary, signal, products, weights, options.nonnegative};
  if (dictionary.rows_are_cheap()) {
    GramRows rows(dictionary, 0);
    RowCorrelations correlations(rows, products);
    return solve_working_sets(problem, correlations, options, start);
  }
  ResidualCorrelations correlations(problem);
  return solve_working_sets(problem, correlations, options, start);
}

/// Coefficients of the unpenalised atoms, by least squares on what the others leave: the shortest
/// ones where atoms depend on each other (in units of the atoms' lengths).
Vector free_coefficients(const Dictionary& dictionary, const Vector& signal,
                         const std::vector<Index>& free_atoms, const SparseCode& others) {
  const Vector rest = signal - dictionary.combine(others.active, others.theta);
  Matrix columns(dictionary.rows(), std::ssize(free_atoms));
  Vector lengths = dictionary.norms()(free_atoms);
  for (std::size_t k = 0; k < free_atoms.size(); ++k) {
    Vector column = Vector::Zero(dictionary.rows());
    dictionary.add_scaled(free_atoms[k], 1, column);
    columns.col(k) = column / lengths[k];
  }
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(kInSpan);
  decomposition.compute(columns);
  return decomposition.solve(rest).cwiseQuotient(lengths);
}

void merge(SparseCode& code, const std::vector<Index>& atoms, const Vector& theta) {
  std::vector<std::pair<Index, double>> all;
  for (std::size_t k = 0; k < code.active.size(); ++k) {
    all.emplace_back(code.active[k], code.theta[k]);
  }
  for (std::size_t k = 0; k < atoms.size(); ++k) {
    const double value = theta[k];
    if (value != 0) all.emplace_back(atoms[k], value);
  }
  std::ranges::sort(all);
  code.active.clear();
  code.theta.resize(std::ssize(all));
  for (const auto& [atom, value] : all) {
    code.theta[std::ssize(code.active)] = value;
    code.active.push_back(atom);
  }
}

SparseCode without(const SparseCode& code, const Vector& weights) {
  SparseCode rest;
  std::vector<double> values;
  for (std::size_t k = 0; k < code.active.size(); ++k) {
    if (weights[code.active[k]] == kNeverUsed) continue;
    rest.active.push_back(code.active[k]);
    values.push_back(code.theta[k]);
  }
  rest.theta = Eigen::Map<const Vector>(values.data(), std::ssize(values));
  return rest;
}

}  // namespace

LassoResult weighted_lasso(const Dictionary& dictionary, const Vector& signal,
                           const Vector& penalties, double lambda, const LassoOptions& options,
                           const SparseCode& start) {
  validate(options);
  check_signal(dictionary, signal);
  Vector weights = effective_weights(dictionary, penalties, lambda);
  const std::vector<Index> free_atoms = unpenalised(weights);
  if (free_atoms.empty()) return solve(dictionary, signal, weights, options, start);
  if (options.nonnegative) {
    throw InputError(fmt::format(
        "atom {} has penalty 0, and coefficients are to be nonnegative: give it a small penalty",
        free_atoms.front() + 1));
  }
  const ProjectedDictionary rest(dictionary, orthonormal_span(dictionary, free_atoms));
  for (const Index i : free_atoms) weights[i] = kNeverUsed;
  for (Index i = 0; i < weights.size(); ++i) {
    if (rest.norms()[i] == 0) weights[i] = kNeverUsed;
  }
  LassoResult result = solve(rest, rest.project(signal), weights, options, without(start, weights));
  merge(result.code, free_atoms, free_coefficients(dictionary, signal, free_atoms, result.code));
  return result;
}

}  // namespace ardent
