#include "ardent/estimators/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/data/number.h"

namespace ardent {
namespace {

/// Rows of the two classes (negative −1: all other classes), t = 1 for the positive one.
Problem binary_problem(std::span<const std::uint32_t> classes, Index positive, Index negative) {
  Problem problem{positive, negative, {}, {}};
  std::vector<double> t;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const Index c = classes[i];
    if (c != positive && negative >= 0 && c != negative) continue;
    problem.rows.push_back(i);
    t.push_back(c == positive ? 1.0 : 0.0);
  }
  problem.target = {Likelihood::bernoulli, Eigen::Map<const Vector>(t.data(), std::ssize(t))};
  return problem;
}

/// How often each row counts: its own weight (none given: 1), and if `balanced` the factor that
/// makes the two classes count the same.
void set_row_counts(const Dataset& data, bool balanced, Problem& problem) {
  if (!data.weights.empty() && std::ssize(data.weights) != data.rows()) {
    throw InputError(fmt::format("{}: there are {} row weights for {} rows", data.source,
                                 data.weights.size(), data.rows()));
  }
  if (data.weights.empty() && !balanced) return;
  Target& target = problem.target;
  target.weights = Vector::Ones(target.t.size());
  for (Index i = 0; !data.weights.empty() && i < target.t.size(); ++i) {
    const Index row = problem.rows[i];
    target.weights[i] = data.weights[row];
  }
  if (!balanced) return;
  const RowShare* share = data.share.get();
  const double all = sum_over(share, target.weights.sum());
  const double ones = sum_over(share, target.weights.dot(target.t));
  for (Index i = 0; i < target.t.size(); ++i) {
    target.weights[i] *= 0.5 * all / (target.t[i] > 0.5 ? ones : all - ones);
  }
}

}  // namespace

void check_training_data(const Dataset& data) {
  if (data.rows() == 0 || data.cols() == 0) {
    throw InputError(fmt::format("{}: training needs rows and features, found {} × {}", data.source,
                                 data.rows(), data.cols()));
  }
  if (data.labels.size() != data.rows()) {
    throw InputError(fmt::format("{}: training needs a label for each of the {} rows, found {}",
                                 data.source, data.rows(), data.labels.size()));
  }
  for (std::size_t i = 0; i < data.weights.size(); ++i) {
    const double weight = data.weights[i];
    if (weight >= 0 && weight <= kLargestWeight) continue;
    throw InputError(
        fmt::format("{}: the weight of row {} is {:g}, but weights must be >= 0 and at most {:g}",
                    data.source, i + 1, weight, kLargestWeight));
  }
}

std::vector<Problem> class_problems(const Dataset& data, const ClassTable& classes,
                                    const std::string& multiclass,
                                    const std::string& class_weight) {
  const std::vector<std::uint32_t> class_of = encode(data.labels, classes);
  const Index k = classes.size();
  std::vector<Problem> problems;
  if (k == 2) {
    problems.push_back(binary_problem(class_of, classes.positive, 1 - classes.positive));
  } else if (multiclass == "ovr") {
    for (Index i = 0; i < k; ++i) problems.push_back(binary_problem(class_of, i, -1));
  } else {
    for (Index i = 0; i < k; ++i) {
      for (Index j = i + 1; j < k; ++j) problems.push_back(binary_problem(class_of, i, j));
    }
  }
  for (Problem& problem : problems) set_row_counts(data, class_weight == "balanced", problem);
  return problems;
}

Problem regression_problem(const Dataset& data) {
  if (!data.labels.numeric()) {
    throw InputError(fmt::format("{}: regression needs numbers as labels, but {} is none",
                                 data.source, ardent::in_quotes(data.labels.names.front())));
  }
  const auto& t = data.labels.numbers;
  Problem problem{-1, -1, index_range(0, data.rows()), {}};
  problem.target = {Likelihood::gaussian, Eigen::Map<const Vector>(t.data(), std::ssize(t))};
  set_row_counts(data, false, problem);
  return problem;
}

Task resolve_task(const Labels& labels, const std::string& task) {
  if (task == "classification") return Task::classification;
  if (task == "regression") return Task::regression;
  if (!labels.numeric()) return Task::classification;
  const bool few = !labels.ids.empty() && labels.names.size() <= 20;
  // By their names, which all processes that share the rows have.
  const bool whole = few && std::ranges::all_of(labels.names, [](const std::string& name) {
                       double t = 0;
                       return whole_number(name, t) && t == std::floor(t);
                     });
  return few && whole ? Task::classification : Task::regression;
}

}  // namespace ardent
