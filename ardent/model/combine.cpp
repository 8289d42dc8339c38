#include "ardent/model/combine.h"

#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

Vector one_against_rest(const ModelFrame& model, const Vector& part_probabilities) {
  const Index count = model.classes.size();
  Vector p = Vector::Zero(count);
  for (std::size_t part = 0; part < model.parts.size(); ++part) {
    p[model.parts[part].positive] = part_probabilities[part];
  }
  const double sum = p.sum();
  if (sum > 0) return p / sum;
  return Vector::Constant(count, 1 / static_cast<double>(count));
}

Vector pairs(const ModelFrame& model, const Vector& part_probabilities) {
  const Index count = model.classes.size();
  Matrix r = Matrix::Constant(count, count, 0.5);
  for (std::size_t part = 0; part < model.parts.size(); ++part) {
    const Index positive = model.parts[part].positive, negative = model.parts[part].negative;
    const double p = part_probabilities[part];
    r(positive, negative) = p;
    r(negative, positive) = 1 - p;
  }
  return couple_pairs(r);
}

Matrix coupling_matrix(const Matrix& r) {
  constexpr double kLeast = 1e-7;
  const Index k = r.rows();
  const auto clipped = [&](Index i, Index j) { return std::clamp(r(i, j), kLeast, 1 - kLeast); };
  Matrix q = Matrix::Zero(k, k);
  for (Index i = 0; i < k; ++i) {
    for (Index j = 0; j < k; ++j) {
      if (i == j) continue;
      q(i, i) += clipped(j, i) * clipped(j, i);
      q(i, j) = -clipped(j, i) * clipped(i, j);
    }
  }
  return q;
}

}  // namespace

Vector couple_pairs(const Matrix& r, double tolerance) {
  constexpr int kMostCycles = 1000;
  const Index k = r.rows();
  const Matrix q = coupling_matrix(r);
  Vector p = Vector::Constant(k, 1 / static_cast<double>(k));
  for (int cycle = 0; cycle < kMostCycles; ++cycle) {
    // Computed again in each cycle, so that rounding does not add up.
    Vector qp = q * p;
    double pqp = p.dot(qp);
    if ((qp.array() - pqp).abs().maxCoeff() < tolerance / static_cast<double>(k)) break;
    for (Index i = 0; i < k; ++i) {
      const double d = (pqp - qp[i]) / q(i, i);
      p[i] += d;
      pqp = (pqp + d * (d * q(i, i) + 2 * qp[i])) / ((1 + d) * (1 + d));
      qp = (qp + d * q.col(i)) / (1 + d);
      p /= 1 + d;
    }
  }
  return p;
}

Vector tempered(const Vector& p, double temperature) {
  constexpr double kLeast = 1e-12;
  if (temperature == 1) return p;
  Vector powers(p.size());
  for (Index c = 0; c < p.size(); ++c) {
    powers[c] = elementary::exp(elementary::log(std::max(p[c], kLeast)) / temperature);
  }
  return powers / powers.sum();
}

Vector combine(const ModelFrame& model, const Vector& part_probabilities) {
  if (model.classes.size() == 2) {
    const Index positive = model.parts[0].positive;
    Vector p(2);
    p[positive] = part_probabilities[0];
    p[1 - positive] = 1 - part_probabilities[0];
    return p;
  }
  const Vector p = model.parts[0].negative < 0 ? one_against_rest(model, part_probabilities)
                                               : pairs(model, part_probabilities);
  return tempered(p, model.temperature);
}

Matrix combine_rows(const ModelFrame& model, const Matrix& part_probabilities) {
  constexpr Index kBlock = 1024;
  Matrix p(part_probabilities.rows(), model.classes.size());
  parallel_blocks(p.rows(), kBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      p.row(i) = combine(model, part_probabilities.row(i).transpose());
    }
  });
  return p;
}

}  // namespace ardent
