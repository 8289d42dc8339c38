// Problems that nobody wants: every kind of column, kernel, target and label that numerical work
// stumbles over, drawn from a seed.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "ardent/base/random.h"
#include "ardent/data/dataset.h"

namespace ardent::abuse {

struct NastyProblem {
  Matrix x;
  Vector numbers;     // a regression's target
  Vector classes;     // 0 or 1
  Vector weights;     // empty, or one per row
  std::string story;  // how it was made, for messages
};

template <class T, std::size_t N>
const T& pick(Random& random, const std::array<T, N>& from) {
  return from[static_cast<std::size_t>(random.below(std::ssize(from)))];
}

inline Vector normals(Index size, Random& random) {
  return Vector::NullaryExpr(size, [&](Index) { return random.normal(); });
}

/// Powers of ten from −300 to 300, each with its own sign.
inline Vector mixed_scales(Index size, Random& random) {
  return Vector::NullaryExpr(
      size, [&](Index) { return random.normal() * std::pow(10.0, random.uniform(-300, 300)); });
}

constexpr std::array kColumnKinds{
    "normal",    "normal",    "normal", "normal", "duplicate", "negated",   "nearly",
    "collinear", "constant",  "zero",   "1e100",  "1e30",      "1e-30",     "1e-100",
    "1e-300",    "subnormal", "spike",  "binary", "offset",    "duplicate", "collinear"};
// Those that are refused for what they are.
constexpr std::array kWorstColumnKinds{"1e300", "1e150", "1e-150", "mixed"};

/// A column of this kind; `before`: the columns made so far, which it may repeat.
inline Vector nasty_column(const std::string& kind, const Eigen::Ref<const Matrix>& before,
                           Random& random) {
  const Index rows = before.rows();
  const Vector noise = normals(rows, random);
  const auto earlier = [&]() -> Vector {
    return before.cols() > 0 ? Vector(before.col(random.below(before.cols()))) : noise;
  };
  if (kind == "duplicate") return earlier();
  if (kind == "negated") return -earlier();
  if (kind == "nearly") return earlier() + 1e-12 * noise;
  if (kind == "collinear") return earlier() - 2 * earlier();
  if (kind == "constant") return Vector::Constant(rows, random.normal());
  if (kind == "zero") return Vector::Zero(rows);
  if (kind == "subnormal") return 4e-320 * noise;
  if (kind == "mixed") return mixed_scales(rows, random);
  if (kind == "spike") return noise[0] * Vector::Unit(rows, random.below(rows));
  if (kind == "binary") return (noise.array() > 1).cast<double>();
  if (kind == "offset") return (1e8 + noise.array()).matrix();
  return kind[0] == '1' ? Vector(std::stod(kind) * noise) : noise;
}

/// Kernels on the rows of a random cloud, from far too narrow (an identity) to far too wide (ones).
inline Matrix nasty_kernels(Index rows, double width, Random& random) {
  Matrix points(rows, 2);
  for (Index j = 0; j < 2; ++j) points.col(j) = normals(rows, random);
  if (rows > 2 && random.below(2) == 0) points.row(1) = points.row(0);
  Matrix kernels(rows, rows);
  for (Index k = 0; k < rows; ++k) {
    const auto distances = (points.rowwise() - points.row(k)).rowwise().squaredNorm();
    kernels.col(k) = (-distances.array() / (width * width)).exp();
  }
  return kernels;
}

inline Matrix nasty_design(Random& random, std::string& story) {
  const Index rows = pick(random, std::array<Index, 10>{1, 2, 3, 5, 8, 12, 20, 30, 12, 20});
  if (random.below(4) == 0) {
    const double width = pick(random, std::array{1e-200, 1e-3, 0.05, 1.0, 30.0, 1e4, 1e9, 1e160});
    story += fmt::format("kernels {}x{} of width {:g}", rows, rows, width);
    return nasty_kernels(rows, width, random);
  }
  const Index cols = pick(random, std::array<Index, 6>{1, 2, rows, 4, 9, 3 * rows});
  story += fmt::format("{}x{}:", rows, cols);
  Matrix x(rows, cols);
  const bool one_kind = random.below(4) == 0;
  const Index worst = random.below(8) == 0 ? random.below(cols) : cols;
  std::string kind;
  for (Index k = 0; k < cols; ++k) {
    if (k == 0 || !one_kind) kind = pick(random, kColumnKinds);
    if (k == worst) kind = pick(random, kWorstColumnKinds);
    x.col(k) = nasty_column(kind, x.leftCols(k), random);
    if (k < 12) story += " " + kind;
  }
  return x;
}

constexpr std::array kTargetKinds{"normal",  "normal", "linear", "linear", "perfect", "perfect",
                                  "equal",   "zero",   "1e300",  "1e100",  "1e-100",  "1e-300",
                                  "outlier", "offset", "mixed",  "sign",   "sign",    "normal"};

inline Vector nasty_target(const Matrix& x, Random& random, std::string& story) {
  const std::string kind = pick(random, kTargetKinds);
  story += "; target " + kind;
  const Index rows = x.rows();
  const Vector noise = normals(rows, random);
  const Vector column = x.col(random.below(x.cols()));
  if (kind == "linear") return 3 * column + noise;
  if (kind == "perfect") return -2 * column;
  if (kind == "equal") return Vector::Constant(rows, random.normal());
  if (kind == "zero") return Vector::Zero(rows);
  if (kind == "outlier") return noise + 1e60 * Vector::Unit(rows, random.below(rows));
  if (kind == "offset") return (1e12 + noise.array()).matrix();
  if (kind == "mixed") return mixed_scales(rows, random);
  if (kind == "sign") return (column.array() > 0).cast<double>();
  return kind[0] == '1' ? Vector(std::stod(kind) * noise) : noise;
}

constexpr std::array kClassKinds{"random",      "random",    "separable", "one positive",
                                 "alternating", "separable", "random",    "equal"};

inline Vector nasty_classes(const Matrix& x, Random& random, std::string& story) {
  const std::string kind = pick(random, kClassKinds);
  story += "; classes " + kind;
  const Index rows = x.rows();
  const Vector noise = normals(rows, random);
  if (kind == "separable") {
    const Vector column = x.col(random.below(x.cols()));
    return (column.array() > column[0]).cast<double>();
  }
  if (kind == "one positive") return Vector::Unit(rows, random.below(rows));
  if (kind == "equal") return Vector::Ones(rows);
  Vector classes = (noise.array() > 0).cast<double>();
  if (kind == "alternating") {
    for (Index i = 0; i < rows; ++i) classes[i] = static_cast<double>(i % 2);
  }
  return classes;
}

inline Vector nasty_weights(Index rows, Random& random, std::string& story) {
  if (random.below(6) != 0) return Vector();
  const double scale = pick(random, std::array{1.0, 1e-12, 1e12});
  story += fmt::format("; weights of {:g}", scale);
  return Vector::NullaryExpr(rows,
                             [&](Index) { return scale * static_cast<double>(random.below(3)); });
}

/// The same seed, the same problem.
inline NastyProblem nasty_problem(std::uint64_t seed) {
  Random random(seed);
  NastyProblem problem;
  problem.story = fmt::format("seed {}: ", seed);
  problem.x = nasty_design(random, problem.story);
  problem.numbers = nasty_target(problem.x, random, problem.story);
  problem.classes = nasty_classes(problem.x, random, problem.story);
  problem.weights = nasty_weights(problem.x.rows(), random, problem.story);
  return problem;
}

inline DenseRows dense_rows(const Matrix& x) {
  Buffer<double> values = Buffer<double>::allocate(x.size());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) values.mutable_data()[i * x.cols() + j] = x(i, j);
  }
  return {x.rows(), x.cols(), values};
}

/// As readers and Python make them.
inline Dataset dataset_of(const NastyProblem& problem, bool regression) {
  Dataset data;
  data.features = dense_rows(problem.x);
  const Vector& t = regression ? problem.numbers : problem.classes;
  data.labels = make_labels(std::vector<double>(t.begin(), t.end()));
  data.weights.assign(problem.weights.begin(), problem.weights.end());
  data.source = "abuse";
  return data;
}

}  // namespace ardent::abuse
