#include "ardent/inference/path/lockstep_ridge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ardent/base/parallel.h"
#include "ardent/inference/evidence/bernoulli.h"

namespace ardent {
namespace {

constexpr Index kRidgeRowBlock = 2048;
constexpr int kMostRidgeHalvings = 30;
constexpr double kRidgeRounding = 1e-14;  // of the objective
constexpr double kRidgeDecrease = 1e-4;   // Armijo's part of the promised decrease
constexpr double kUseful = 0.5;           // what a step leaves of the gradient where L is silent

/// Sums over rows, row(i, sums) adding to them, block by block in order.
template <class Row>
Lanes lane_sums(Index rows, Index lanes, const Row& row) {
  const Index blocks = (rows + kRidgeRowBlock - 1) / kRidgeRowBlock;
  std::vector<Lanes> partial(static_cast<std::size_t>(blocks), Lanes::Zero(lanes));
  parallel_for(blocks, [&](Index b) {
    double* const sums = partial[static_cast<std::size_t>(b)].data();
    const Index end = std::min(rows, (b + 1) * kRidgeRowBlock);
    for (Index i = b * kRidgeRowBlock; i < end; ++i) row(i, sums);
  });
  Lanes total = Lanes::Zero(lanes);
  for (const Lanes& sums : partial) total += sums;
  return total;
}

Lanes dots(const RowMatrix& x, const RowMatrix& y) {
  const Index lanes = x.cols();
  return lane_sums(x.rows(), lanes, [&](Index i, double* sums) {
    for (Index l = 0; l < lanes; ++l) sums[l] += x(i, l) * y(i, l);
  });
}

/// Calls element(i, l) for every row and lane.
template <class Element>
void for_each(Index rows, Index lanes, const Element& element) {
  parallel_blocks(rows, kRidgeRowBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (Index l = 0; l < lanes; ++l) element(i, l);
    }
  });
}

}  // namespace

LockstepRidge::LockstepRidge(const Design& phi, const Vector& t, RowMatrix row_weights, bool bias,
                             double bias_precision)
    : phi_(phi),
      t_(t),
      row_weights_(std::move(row_weights)),
      bias_(bias),
      bias_precision_(bias_precision) {
  const Index n = row_weights_.rows(), count = row_weights_.cols();
  point_ = {RowMatrix::Zero(n, count), RowMatrix::Zero(n, count), Lanes::Zero(count)};
  for (Index l = 0; bias && l < count; ++l) {
    const Vector own = row_weights_.col(l);
    const double ones = phi.over_rows(own.dot(t)), all = phi.over_rows(own.sum());
    point_.b[l] = elementary::log(ones / (all - ones));
    point_.f.col(l).setConstant(point_.b[l]);
  }
  evaluate();
  first_gradient_ = square_norms(residual_).sqrt();
}

Lanes LockstepRidge::over_rows(Lanes own) const {
  const std::span<double> sums(own.data(), static_cast<std::size_t>(own.size()));
  if (phi_.share()) phi_.share()->sum(sums);
  return own;
}

Lanes LockstepRidge::square_norms(const RowMatrix& a) {
  phi_.multiply_transposed_many(a, by_column_);
  ++products_;
  return dots(by_column_, by_column_);
}

RowMatrix LockstepRidge::weights() const {
  RowMatrix w;
  phi_.multiply_transposed_many(point_.a, w);
  return w;
}

void LockstepRidge::evaluate() {
  residual_.resize(rows(), lanes());
  curvature_.resize(rows(), lanes());
  for_each(rows(), lanes(), [&](Index i, Index l) {
    const auto [y, not_y] = bernoulli::shares(point_.f(i, l));
    const double weight = row_weights_(i, l);
    residual_(i, l) = weight * (t_[i] > 0.5 ? not_y : -y);
    curvature_(i, l) = weight * y * not_y;
  });
  const auto sum = [&](const RowMatrix& x) {
    return over_rows(lane_sums(rows(), lanes(), [&](Index i, double* sums) {
      for (Index l = 0; l < x.cols(); ++l) sums[l] += x(i, l);
    }));
  };
  residual_sum_ = sum(residual_);
  curvature_sum_ = sum(curvature_);
}

Lanes LockstepRidge::bias_ascent() const {
  return bias_ ? Lanes(residual_sum_ - bias_precision_ * point_.b) : Lanes(Lanes::Zero(lanes()));
}

Index LockstepRidge::minimise(double alpha, const RidgePrecision& precision) {
  Promise promise{Moving::Constant(lanes(), true), Moving::Constant(lanes(), false)};
  Lanes before = Lanes::Constant(lanes(), INFINITY);  // the gradient
  for (Index step = 0;; ++step) {
    evaluate();
    const Lanes bias_step = bias_ascent() / (curvature_sum_ + bias_precision_);
    RowMatrix left(rows(), lanes());
    for_each(rows(), lanes(), [&](Index i, Index l) {
      left(i, l) = residual_(i, l) - alpha * point_.a(i, l) - curvature_(i, l) * bias_step[l];
    });
    const Lanes norms = square_norms(left);
    const Lanes gradient = norms.sqrt();
    const Moving useless = promise.hidden && gradient > kUseful * before;
    const Moving moving =
        promise.any && !useless &&
        (gradient > precision.tolerance * first_gradient_ || bias_step.abs() > precision.tolerance);
    if (step >= precision.max_steps || !moving.any()) return step;
    promise = move(alpha, newton_step(alpha, precision, moving, norms, std::move(left)));
    before = gradient;
  }
}

LockstepRidge::Step LockstepRidge::newton_step(double alpha, const RidgePrecision& precision,
                                               const Moving& moving, Lanes norms, RowMatrix left) {
  const Index n = rows(), count = lanes();
  const Lanes s = curvature_sum_ + bias_precision_;
  const Lanes near = norms.sqrt() / first_gradient_.max(std::numeric_limits<double>::min());
  const Lanes forcing =
      near.max(std::min(precision.forcing, precision.least_forcing)).min(precision.forcing);
  const Lanes enough = moving.select(norms * forcing * forcing, Lanes::Constant(count, INFINITY));
  Step step{RowMatrix::Zero(n, count), RowMatrix::Zero(n, count), Lanes::Zero(count)};
  RowMatrix p = RowMatrix::Zero(n, count), q = p, h(n, count), image;
  Lanes share = Lanes::Zero(count);
  for (Index i = 0; i < precision.max_cg && (norms > enough).any(); ++i) {
    phi_.multiply_many(by_column_, image);
    ++products_;
    Lanes pull = over_rows(lane_sums(n, count, [&](Index row, double* sums) {
      for (Index l = 0; l < count; ++l) {
        p(row, l) = left(row, l) + share[l] * p(row, l);
        q(row, l) = image(row, l) + share[l] * q(row, l);
        sums[l] += curvature_(row, l) * q(row, l);
      }
    }));
    pull = bias_ ? Lanes(pull / s) : Lanes(Lanes::Zero(count));
    const Lanes bend = over_rows(lane_sums(n, count, [&](Index row, double* sums) {
      for (Index l = 0; l < count; ++l) {
        h(row, l) = curvature_(row, l) * (q(row, l) - pull[l]) + alpha * p(row, l);
        sums[l] += q(row, l) * h(row, l);
      }
    }));
    const Moving going = norms > enough && bend > 0;
    if (!going.any()) break;  // rounding has the last word
    const Lanes length = going.select(norms / bend, Lanes::Zero(count));
    for_each(n, count, [&](Index row, Index l) {
      step.d(row, l) += length[l] * p(row, l);
      step.fitted(row, l) += length[l] * q(row, l);
      left(row, l) -= length[l] * h(row, l);
    });
    const Lanes next = square_norms(left);
    share = going.select(next / norms, Lanes::Zero(count));
    norms = next;
  }
  step.bias = moving.select((bias_ascent() - over_rows(dots(curvature_, step.fitted))) / s,
                            Lanes::Zero(count));
  if (!bias_) step.bias.setZero();
  return step;
}

Lanes LockstepRidge::objective(double alpha, const Step& step, const Lanes& length) const {
  const Lanes b = point_.b + length * step.bias;
  Lanes total = lane_sums(rows(), lanes(), [&](Index i, double* sums) {
    for (Index l = 0; l < b.size(); ++l) {
      const double image = point_.f(i, l) - point_.b[l] + length[l] * step.fitted(i, l);
      const double f = image + b[l], a = point_.a(i, l) + length[l] * step.d(i, l);
      const double weight = row_weights_(i, l);
      if (weight > 0) sums[l] += weight * bernoulli::log1p_exp(t_[i] > 0.5 ? -f : f);
      sums[l] += 0.5 * alpha * a * image;
    }
  });
  total = over_rows(std::move(total));
  total += 0.5 * bias_precision_ * b.square();
  return total;
}

LockstepRidge::Promise LockstepRidge::move(double alpha, const Step& step) {
  const Index count = lanes();
  Lanes promised = lane_sums(rows(), count, [&](Index i, double* sums) {
    for (Index l = 0; l < count; ++l) {
      sums[l] += (residual_(i, l) - alpha * point_.a(i, l)) * step.fitted(i, l);
    }
  });
  promised = over_rows(std::move(promised));
  promised += bias_ascent() * step.bias;
  const Lanes before = objective(alpha, step, Lanes::Zero(count));
  const Lanes rounding = kRidgeRounding * before.abs();
  const Promise promise{promised > 0, promised <= rounding};
  Lanes length = promise.any.select(Lanes::Ones(count), Lanes::Zero(count));
  for (int halving = 0; halving < kMostRidgeHalvings; ++halving) {
    const Lanes value = objective(alpha, step, length);
    const Moving short_enough = value <= before - kRidgeDecrease * length * promised + rounding;
    if (short_enough.all()) break;
    length = short_enough.select(length, length / 2);
  }
  for_each(rows(), count, [&](Index i, Index l) {
    point_.a(i, l) += length[l] * step.d(i, l);
    point_.f(i, l) += length[l] * (step.fitted(i, l) + step.bias[l]);
  });
  point_.b += length * step.bias;
  return promise;
}

}  // namespace ardent
