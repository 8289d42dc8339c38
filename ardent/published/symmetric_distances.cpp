#include "ardent/published/symmetric_distances.h"

#include <cmath>

#include "ardent/base/parallel.h"
#include "ardent/inference/doubly_sparse/kernel_values.h"
#include "ardent/inference/doubly_sparse/masked_distances.h"

namespace ardent::doubly_sparse {
namespace {

template <class Scalar>
using ColumnOf = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

// Tasks of a pass. Columns are dealt out in turn, so that each task has about the same area; the
// number depends on the size alone, and the tasks' sums are added in order: the same bits for any
// number of threads.
Index task_count(Index rows) {
  return rows < 256 ? 1 : 8;  // a smaller pass is over before another thread wakes
}

/// Calls use(task, j, below) for every column j, which has `below` rows under its diagonal.
template <class Use>
void for_columns(Index size, Use&& use) {
  const Index tasks = task_count(size);
  parallel_for(tasks, [&](Index task) {
    for (Index j = task; j < size; j += tasks) use(task, j, size - 1 - j);
  });
}

const Matrix& values_of(const Matrix& x, const Eigen::MatrixXf&, double) {
  return x;
}
const Eigen::MatrixXf& values_of(const Matrix&, const Eigen::MatrixXf& x, float) {
  return x;
}

}  // namespace

SymmetricDistances::SymmetricDistances(const Matrix& x, std::vector<std::uint8_t> mask,
                                       Precision precision)
    : x_(x), precision_(precision) {
  const auto pairs = static_cast<std::size_t>(x.rows() * (x.rows() - 1) / 2);
  if (single()) {
    packed_single_.resize(pairs);
    x_single_ = x.cast<float>();
  } else {
    packed_.resize(pairs);
  }
  rebuild(std::move(mask));
}

void SymmetricDistances::rebuild(std::vector<std::uint8_t> mask) {
  mask_ = std::move(mask);
  const std::vector<Index> on = indices_on(mask_);
  for_columns(size(), [&](Index, Index j, Index below) {
    Vector d = Vector::Zero(below);
    for (const Index k : on) d.array() += (x_.col(k).tail(below).array() - x_(j, k)).square();
    if (single()) {
      Eigen::Map<Eigen::VectorXf>(packed_single_.data() + start(j), below) = d.cast<float>();
    } else {
      Eigen::Map<Vector>(packed_.data() + start(j), below) = d;
    }
  });
}

Matrix SymmetricDistances::kernel(double delta) const {
  const std::vector<Index> on = indices_on(mask_);
  Matrix kernel(size(), size());
  for_columns(size(), [&](Index, Index j, Index below) {
    Vector d = Vector::Zero(below);
    for (const Index k : on) d.array() += (x_.col(k).tail(below).array() - x_(j, k)).square();
    kernel(j, j) = 1;
    kernel_values(delta, d, kernel.col(j).tail(below));
    kernel.row(j).tail(below) = kernel.col(j).tail(below).transpose();
  });
  return kernel;
}

template <class Scalar>
Vector SymmetricDistances::pass(const std::vector<Scalar>& packed, Index k, double delta,
                                const Vector& alpha) const {
  const auto tasks = static_cast<std::size_t>(task_count(size()));
  const auto& x = values_of(x_, x_single_, Scalar{});
  const auto weight = static_cast<Scalar>(sign(k));
  const ColumnOf<Scalar> weights = alpha.template cast<Scalar>();
  std::vector<ColumnOf<Scalar>> sums(tasks, ColumnOf<Scalar>::Zero(size()));
  std::vector<ColumnOf<Scalar>> values(tasks, ColumnOf<Scalar>(size()));
  for_columns(size(), [&](Index task, Index j, Index below) {
    auto& f = sums[task];
    auto e = values[task].head(below);
    const Eigen::Map<const ColumnOf<Scalar>> d(packed.data() + start(j), below);
    const auto difference = x.col(k).tail(below).array() - x(j, k);
    kernel_values(static_cast<Scalar>(delta),
                  (d.array() + weight * difference.square()).max(Scalar{0}), e);
    f.tail(below) += weights[j] * e;
    f[j] += weights[j] + e.dot(weights.tail(below));
  });
  Vector f = Vector::Zero(size());
  for (const auto& sum : sums) f += sum.template cast<double>();
  return f;
}

Vector SymmetricDistances::toggled_predictor(Index k, double delta, const Vector& alpha) const {
  return single() ? pass(packed_single_, k, delta, alpha) : pass(packed_, k, delta, alpha);
}

void SymmetricDistances::toggle(Index k) {
  const double add = sign(k);
  for_columns(size(), [&](Index, Index j, Index below) {
    const auto square = add * (x_.col(k).tail(below).array() - x_(j, k)).square();
    if (single()) {
      Eigen::Map<Eigen::VectorXf> d(packed_single_.data() + start(j), below);
      d = (d.array() + square.cast<float>()).max(0.0f);
    } else {
      Eigen::Map<Vector> d(packed_.data() + start(j), below);
      d = (d.array() + square).max(0.0);
    }
  });
  mask_[k] ^= 1;
}

}  // namespace ardent::doubly_sparse
