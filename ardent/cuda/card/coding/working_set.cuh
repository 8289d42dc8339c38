// The weighted LASSO over a few atoms by the threads of one block: what WorkingSet does on the
// processor (working_set.h), step for step; sums are taken in another order.
#pragma once

#include "ardent/cuda/card/coding/factor.cuh"

namespace ardent::coding {

constexpr double kDependent = 1e-13;  // as working_set.cpp has them
constexpr double kPassRounding = 1e-10;
constexpr double kWeightRounding = 1e-15;
constexpr int kMostPasses = 1000;

template <int threads>
class WorkingSet {
 public:
  /// Vectors of `size` that the caller provides, nine in a row.
  static constexpr int kVectors = 9;

  __device__ WorkingSet(int size, double* gram, double* factor, double* vectors, int* support,
                        bool nonnegative)
      : m_(size), gram_(gram), factor_(factor), support_(support), nonnegative_(nonnegative) {
    double** const names[] = {&theta_, &g_,     &rho_,    &weights_, &passed_,
                              &delta_, &slope_, &change_, &row_};
    for (int v = 0; v < kVectors; ++v) *names[v] = vectors + (size_t)size * v;
  }

  /// The set's atoms with their coefficients, from the signal's columns.
  __device__ void load(const int* set, const double* theta, const double* rho,
                       const double* weights, const double* gram, int atoms) {
    for (int p = threadIdx.x; p < m_; p += threads) {
      theta_[p] = theta[p];
      rho_[p] = rho[set[p]];
      weights_[p] = weights[set[p]];
    }
    for (int q = 0; q < m_; ++q) {
      const double* const column = gram + (size_t)atoms * set[q];
      for (int p = threadIdx.x; p < m_; p += threads) at(p, q) = column[set[p]];
    }
    __syncthreads();
  }

  __device__ void store(double* theta) const {
    for (int p = threadIdx.x; p < m_; p += threads) theta[p] = theta_[p];
  }

  __device__ void solve(double tolerance, double signal_norm) {
    refresh();
    for (int pass = 0; pass < kMostPasses; ++pass) {
      coordinate_pass();
      find_support();
      for (int p = threadIdx.x; p < m_; p += threads) passed_[p] = theta_[p];
      const double most = objective() + kPassRounding * signal_norm * signal_norm;
      Step step = Step::shortened;
      while (step == Step::shortened) step = newton_step();
      refresh();
      if (!(objective() <= most)) {
        for (int p = threadIdx.x; p < m_; p += threads) theta_[p] = passed_[p];
        refresh();
      }
      if (optimal(tolerance, signal_norm)) return;
    }
  }

 private:
  enum class Step { whole, shortened, none };

  __device__ double& at(int p, int q) { return gram_[p + (size_t)m_ * q]; }
  static __device__ double sign(double value) { return value > 0 ? 1.0 : -1.0; }

  __device__ double soft_threshold(double value, double threshold) const {
    if (value > threshold) return value - threshold;
    if (!nonnegative_ && value < -threshold) return value + threshold;
    return 0;
  }

  /// g = ρ − Gθ, and the support.
  __device__ void refresh() {
    find_support();
    for (int p = threadIdx.x; p < m_; p += threads) {
      double even = rho_[p], odd = 0;
      for (int i = 0; i + 1 < k_; i += 2) {
        const int q = support_[i], r = support_[i + 1];
        even = fma(-theta_[q], at(p, q), even);
        odd = fma(-theta_[r], at(p, r), odd);
      }
      if (k_ % 2 == 1) even = fma(-theta_[support_[k_ - 1]], at(p, support_[k_ - 1]), even);
      g_[p] = even + odd;
    }
    __syncthreads();
  }

  __device__ void find_support() {
    k_ = block_select(
        m_, [&](int p) { return theta_[p] != 0; }, [](int p) { return p; },
        [&](int rank, int p) { support_[rank] = p; }, &total());
  }

  __device__ void coordinate_pass() {
    for (int p = 0; p < m_; ++p) {
      const double before = theta_[p], curvature = at(p, p);
      const double moved = soft_threshold(before + g_[p] / curvature, weights_[p] / curvature);
      const double change = moved - before;
      if (change == 0) continue;  // so it is for every thread
      __syncthreads();            // all have read
      if (threadIdx.x == 0) theta_[p] = moved;
      for (int q = threadIdx.x; q < m_; q += threads) g_[q] = fma(-change, at(q, p), g_[q]);
      __syncthreads();
    }
  }

  __device__ double objective() {
    double sum = 0;
    for (int p = threadIdx.x; p < m_; p += threads) {
      sum += weights_[p] * fabs(theta_[p]) - 0.5 * theta_[p] * (rho_[p] + g_[p]);
    }
    return block_sum<threads>(sum, scratch());
  }

  __device__ bool optimal(double tolerance, double signal_norm) {
    double violations = 0;
    for (int p = threadIdx.x; p < m_; p += threads) {
      const double allowed =
          tolerance * weights_[p] + kWeightRounding * sqrt(at(p, p)) * signal_norm;
      const double g = nonnegative_ ? g_[p] : fabs(g_[p]);
      const double excess = theta_[p] != 0 ? fabs(g_[p] - weights_[p] * sign(theta_[p]))
                                           : g - weights_[p];
      violations += excess > allowed;
    }
    return block_sum<threads>(violations, scratch()) == 0;
  }

  __device__ Step newton_step() {
    if (k_ == 0) return Step::whole;
    __syncthreads();
    for (int i = threadIdx.x; i < k_; i += threads) {
      const int p = support_[i];
      slope_[i] = g_[p] - weights_[p] * sign(theta_[p]);  // minus that of the objective
    }
    __syncthreads();
    const auto element = [&](int i, int j) {
      return i < k_ ? at(support_[i], support_[j]) : slope_[j];
    };
    const int done = block_cholesky<threads>(k_, k_ + 1, element, kDependent, factor_, row_);
    if (done < k_) return null_step(done);
    block_back_substitute<threads>(k_, k_ + 1, k_, factor_, delta_);
    return take();
  }

  /// The largest t <= `most` for which no θ + t·delta has changed its sign.
  __device__ double first_sign_change(int count, double most) {
    double least = most;
    for (int i = threadIdx.x; i < count; i += threads) {
      const double theta = theta_[support_[i]];
      if (theta * delta_[i] < 0) least = fmin(least, -theta / delta_[i]);
    }
    return -block_max<threads>(-least, scratch());
  }

  __device__ bool ends_by(int i, double t) const {
    const double theta = theta_[support_[i]];
    return theta * delta_[i] < 0 && -theta / delta_[i] <= t;
  }

  __device__ Step take() {
    const double t = first_sign_change(k_, 1.0);
    if (t >= 1) {
      for (int i = threadIdx.x; i < k_; i += threads) theta_[support_[i]] += delta_[i];
      __syncthreads();
      return Step::whole;
    }
    double along = 0;
    for (int i = threadIdx.x; i < k_; i += threads) {
      const double theta = theta_[support_[i]];
      along = fma(slope_[i], delta_[i], along);
      change_[i] = (theta + delta_[i]) * theta <= 0 ? -theta : delta_[i];
    }
    const double cut_change = (0.5 * t - 1) * t * block_sum<threads>(along, scratch());
    if (!(change_of_objective() < cut_change)) {
      __syncthreads();
      for (int i = threadIdx.x; i < k_; i += threads) {
        change_[i] = ends_by(i, t) ? -theta_[support_[i]] : t * delta_[i];
      }
    }
    move();
    return Step::shortened;
  }

  /// By the step change_: ½ changeᵀG change − slopeᵀchange.
  __device__ double change_of_objective() {
    double sum = 0;
    for (int i = threadIdx.x; i < k_; i += threads) {
      sum += change_[i] * (0.5 * gram_times_change(i) - slope_[i]);
    }
    return block_sum<threads>(sum, scratch());
  }

  __device__ double gram_times_change(int i) {
    double sum = 0;
    for (int j = 0; j < k_; ++j) sum = fma(at(support_[i], support_[j]), change_[j], sum);
    return sum;
  }

  /// Along the null vector that column `j` of the factor shows, until a coefficient is zero.
  __device__ Step null_step(int j) {
    block_back_substitute<threads>(j, k_ + 1, j, factor_, delta_);
    double rise = 0;  // of the objective along it
    for (int i = threadIdx.x; i < k_; i += threads) {
      delta_[i] = i < j ? -delta_[i] : i == j ? 1.0 : 0.0;
      rise = fma(-delta_[i], slope_[i], rise);
    }
    rise = block_sum<threads>(rise, scratch());
    if (rise > 0) {
      for (int i = threadIdx.x; i <= j; i += threads) delta_[i] = -delta_[i];
    }
    __syncthreads();
    const double t = first_sign_change(j + 1, INFINITY);
    if (!isfinite(t)) return Step::none;
    for (int i = threadIdx.x; i < k_; i += threads) {
      change_[i] = ends_by(i, t) ? -theta_[support_[i]] : t * delta_[i];
    }
    move();
    return Step::shortened;
  }

  /// θ_S += change; g on the support, and the support.
  __device__ void move() {
    __syncthreads();
    for (int i = threadIdx.x; i < k_; i += threads) g_[support_[i]] -= gram_times_change(i);
    for (int i = threadIdx.x; i < k_; i += threads) {
      double& theta = theta_[support_[i]];
      theta = change_[i] == -theta ? 0.0 : theta + change_[i];
    }
    k_ = block_select(
        k_, [&](int i) { return theta_[support_[i]] != 0; }, [&](int i) { return support_[i]; },
        [&](int rank, int p) { support_[rank] = p; }, &total());
  }

  static __device__ double* scratch() {
    __shared__ double values[threads / 32];
    return values;
  }
  static __device__ int& total() {
    __shared__ int value;
    return value;
  }

  int m_;
  int k_ = 0;  // in the support
  double *gram_, *factor_;
  double *theta_, *g_, *rho_, *weights_, *passed_;       // of the set
  double *delta_, *slope_, *change_, *row_;              // of the support
  int* support_;                                         // positions in the set
  bool nonnegative_;
};

}  // namespace ardent::coding
