#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ardent/cuda/card/sparse_rows_on_card.h"
#include "ardent/cuda/card/stage_kernels.h"
#include "ardent/cuda/card/sums.cuh"

namespace ardent {
namespace {

constexpr double kPi = 3.141592653589793;

/// y = 1/(1 + exp(−f)), 1 − y without cancellation, and log(1 + exp(−|f|)) (bernoulli.h).
struct Logistic {
  double y, not_y, logarithm;
};

__device__ Logistic logistic(double f) {
  const double e = exp(-fabs(f));
  const double larger = 1 / (1 + e), smaller = e / (1 + e);
  return {f >= 0 ? larger : smaller, f >= 0 ? smaller : larger, log1p(e)};
}

/// −log p(t | f)
__device__ double loss(double t, double f, double logarithm) {
  const double against = t > 0.5 ? -f : f;
  return against > 0 ? against + logarithm : logarithm;
}

/// What a column brings at its best precision; 0: nothing.
__device__ double gain_of(double alpha, double w, double hessian) {
  const double data = hessian - alpha, full = w * hessian;
  if (!(data > 0)) return 0;
  const double signal = full * (full / data);
  if (!(signal > 1)) return 0;
  return isfinite(signal) ? (signal - 1 - log(signal)) / 2 : signal;
}

struct DeviceStep {
  double alpha, stride, promise;
};

/// As long_step (engines/strides.cpp).
__device__ DeviceStep long_step_on_card(double alpha, double w, double hessian, double last_stride,
                                        double growth, double longest) {
  const double variance = 1 / hessian, weight = w * w;
  const double mackay = (1 - alpha * variance) / weight, em = 1 / (weight + variance);
  const double guarded = mackay < em ? em : mackay;  // one that is no number stays, and is pruned
  const double data = hessian - alpha, full = w * hessian, square = full * full;
  const double now = (log(alpha / hessian) + w * full) / 2;
  const double promise = fmax(gain_of(alpha, w, hessian) - now, 0.0);
  const double direction = guarded < alpha ? -1 : 1;
  if (last_stride == 0) return {guarded, direction, promise};
  const double before = fabs(last_stride);
  const double wanted = last_stride * direction > 0 ? growth * before : before / growth;
  const double stride = fmin(fmax(wanted, 1.0), longest);
  if (!(stride > 1) || !isfinite(guarded)) return {guarded, stride * direction, promise};
  const double far = alpha * exp(stride * log(guarded / alpha));
  const double best = data > 0 && square > data ? data * data / (square - data) : INFINITY;
  const double taken =
      direction > 0 ? fmax(guarded, fmin(far, best)) : fmin(guarded, fmax(far, best));
  return {taken, stride * direction, promise};
}

/// A block's count of kept precisions and their largest change.
__global__ void count_kept(std::ptrdiff_t size, double alpha_max, const double* alpha,
                           const double* updated, double* counts, double* changes) {
  double own[1] = {}, change = 0;
  const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(gridDim.x) * kSumThreads;
  for (std::ptrdiff_t k = static_cast<std::ptrdiff_t>(blockIdx.x) * kSumThreads + threadIdx.x;
       k < size; k += stride) {
    if (!(updated[k] <= alpha_max)) continue;
    own[0] += 1;
    change = fmax(change, fabs(log(updated[k] / alpha[k])));
  }
  sum_over_block(own);
  __shared__ double of_warps[kSumThreads / 32];
  for (int step = 16; step > 0; step /= 2) {
    change = fmax(change, __shfl_down_sync(~0u, change, step));
  }
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = change;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (const double of_warp : of_warps) change = fmax(change, of_warp);
    counts[blockIdx.x] = own[0];
    changes[blockIdx.x] = change;
  }
}

}  // namespace

double evaluate_on_card(const Card& card, const TargetOnCard& target, const double* f,
                        double* residual, double* curvature) {
  if (target.of_classes) {
    return sums_of<1>(card, target.rows, [=] __device__(std::ptrdiff_t i, double(&own)[1]) {
      const Logistic at = logistic(f[i]);
      const double count = target.counts[i], t = target.t[i];
      residual[i] = count * (t > 0.5 ? at.not_y : -at.y);
      curvature[i] = count * at.y * at.not_y;
      own[0] -= count * loss(t, f[i], at.logarithm);
    })[0];
  }
  const double squares =
      sums_of<1>(card, target.rows, [=] __device__(std::ptrdiff_t i, double(&own)[1]) {
        const double error = target.t[i] - f[i];
        curvature[i] = target.counts[i] / target.noise_variance;
        residual[i] = curvature[i] * error;
        own[0] += residual[i] * error;
      })[0];
  return -0.5 * (target.row_count * std::log(2 * kPi * target.noise_variance) + squares);
}

LikelihoodAlong along_on_card(const Card& card, const TargetOnCard& target, const double* f,
                              const double* df, double s) {
  const auto sums =
      sums_of<3>(card, target.rows, [=] __device__(std::ptrdiff_t i, double(&own)[3]) {
        const double at = f[i] + s * df[i];
        if (target.of_classes) {
          const Logistic here = logistic(at);
          const double count = target.counts[i], t = target.t[i];
          own[0] -= count * loss(t, at, here.logarithm);
          own[1] += count * (t > 0.5 ? here.not_y : -here.y) * df[i];
          own[2] += count * here.y * here.not_y * df[i] * df[i];
        } else {
          const double error = target.t[i] - at;
          const double precision = target.counts[i] / target.noise_variance;
          own[0] -= 0.5 * precision * error * error;
          own[1] += precision * error * df[i];
          own[2] += precision * df[i] * df[i];
        }
      });
  return {sums[0], sums[1], sums[2]};
}

double square_sum_on_card(const Card& card, const TargetOnCard& target, const double* f) {
  return sums_of<1>(card, target.rows, [=] __device__(std::ptrdiff_t i, double(&own)[1]) {
    const double error = target.t[i] - f[i];
    own[0] += error * target.counts[i] * error;
  })[0];
}

double square_sum_over(const Card& card, std::size_t size, const double* a, const double* b) {
  return sums_of<1>(card, size, [=] __device__(std::ptrdiff_t k, double(&own)[1]) {
    own[0] += a[k] * (a[k] / b[k]);
  })[0];
}

void begin_cg(const Card& card, std::size_t size, const double* gradient, const double* diagonal,
              double* x, double* r, double* p) {
  for_each_on_card(card, size, [=] __device__(std::ptrdiff_t k) {
    x[k] = 0;
    r[k] = -gradient[k];
    p[k] = r[k] / diagonal[k];
  });
}

CgSums step_cg(const Card& card, std::size_t size, double rho, const double* p,
               const double* product, const double* diagonal, double* x, double* r) {
  double* const totals = card.total_on_card();  // curvature, then rho
  sum_on_card<1>(
      card, size,
      [=] __device__(std::ptrdiff_t k, double(&own)[1]) { own[0] += p[k] * product[k]; }, totals);
  sum_on_card<1>(
      card, size,
      [=] __device__(std::ptrdiff_t k, double(&own)[1]) {
        const double curvature = *totals;
        if (!(curvature > 0)) return;
        const double step = rho / curvature;
        x[k] += step * p[k];
        const double left = r[k] - step * product[k];
        r[k] = left;
        own[0] += left * (left / diagonal[k]);
      },
      totals + 1);
  double* const here = card.total_on_host();
  check(cudaMemcpyAsync(here, totals, 2 * sizeof(double), cudaMemcpyDeviceToHost, card.stream()));
  card.wait();
  return {here[0], here[1]};
}

void turn_cg(const Card& card, std::size_t size, double share, const double* r,
             const double* diagonal, double* p) {
  for_each_on_card(card, size,
                   [=] __device__(std::ptrdiff_t k) { p[k] = r[k] / diagonal[k] + share * p[k]; });
}

PenaltyAlong penalty_along(const Card& card, std::size_t size, const double* alpha, const double* w,
                           const double* step) {
  const auto sums = sums_of<2>(card, size, [=] __device__(std::ptrdiff_t k, double(&own)[2]) {
    const double weighted = alpha[k] * step[k];
    own[0] += w[k] * weighted;
    own[1] += step[k] * weighted;
  });
  return {sums[0], sums[1]};
}

double complexity(const Card& card, std::size_t size, const double* alpha, const double* w,
                  const double* hessian_diagonal) {
  const auto sums = sums_of<2>(card, size, [=] __device__(std::ptrdiff_t k, double(&own)[2]) {
    own[0] += alpha[k] * (w[k] * w[k]);
    own[1] += log(hessian_diagonal[k] / alpha[k]);
  });
  return sums[0] + sums[1];
}

double spent_on_weights(const Card& card, std::size_t size, const double* alpha,
                        const double* hessian_diagonal) {
  return sums_of<1>(card, size, [=] __device__(std::ptrdiff_t k, double(&own)[1]) {
    own[0] += fmax(1 - alpha[k] / hessian_diagonal[k], 0.0);
  })[0];
}

double update_alpha(const Card& card, std::size_t size, double growth, double longest,
                    const double* alpha, const double* w, const double* hessian_diagonal,
                    double* updated, double* strides) {
  return sums_of<1>(card, size, [=] __device__(std::ptrdiff_t k, double(&own)[1]) {
    const DeviceStep step =
        long_step_on_card(alpha[k], w[k], hessian_diagonal[k], strides[k], growth, longest);
    updated[k] = step.alpha;
    strides[k] = step.stride;
    own[0] += step.promise;
  })[0];
}

void keep_signs(const Card& card, std::size_t size, double* x) {
  for_each_on_card(card, size, [=] __device__(std::ptrdiff_t k) {
    x[k] = x[k] > 0 ? 1.0 : x[k] < 0 ? -1.0 : 0.0;
  });
}

std::size_t count_leaps(const Card& card, std::size_t size, double leap, const double* alpha,
                        const double* updated) {
  return static_cast<std::size_t>(
      sums_of<1>(card, size, [=] __device__(std::ptrdiff_t k, double(&own)[1]) {
        own[0] += updated[k] > leap * alpha[k] ? 1 : 0;
      })[0]);
}

void drop_costly(Card& card, std::size_t size, double cost, std::size_t most, const double* alpha,
                 const double* w, const double* hessian_diagonal, double* updated) {
  CardArray<double> gains(card, size);
  double* const gain = gains.data();
  const auto costly = static_cast<std::size_t>(
      sums_of<1>(card, size, [=] __device__(std::ptrdiff_t k, double(&own)[1]) {
        gain[k] = gain_of(alpha[k], w[k], hessian_diagonal[k]);
        own[0] += gain[k] <= cost ? 1 : 0;
      })[0]);
  if (costly <= most) {
    for_each_on_card(card, size, [=] __device__(std::ptrdiff_t k) {
      if (gain[k] <= cost) updated[k] = INFINITY;
    });
    return;
  }
  CardArray<std::uint32_t> numbers(card, size), by_gain(card, size);
  CardArray<double> sorted(card, size);
  std::uint32_t* const number = numbers.data();
  for_each_on_card(card, size,
                   [=] __device__(std::ptrdiff_t k) { number[k] = static_cast<std::uint32_t>(k); });
  std::size_t bytes = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, gains.data(), sorted.data(), numbers.data(),
                                        by_gain.data(), size, 0, 64, card.stream()));
  CardArray<char> room(card, bytes);
  check(cub::DeviceRadixSort::SortPairs(room.data(), bytes, gains.data(), sorted.data(),
                                        numbers.data(), by_gain.data(), size, 0, 64,
                                        card.stream()));
  const std::uint32_t* const worst = by_gain.data();
  for_each_on_card(card, most,
                   [=] __device__(std::ptrdiff_t place) { updated[worst[place]] = INFINITY; });
}

KeptAlpha kept_alpha(const Card& card, std::size_t size, double alpha_max, const double* alpha,
                     const double* updated) {
  const auto count = static_cast<std::ptrdiff_t>(size);
  const int blocks = sum_blocks(count);
  double* const counts = card.partial_sums();
  double* const changes = counts + blocks;
  count_kept<<<blocks, kSumThreads, 0, card.stream()>>>(count, alpha_max, alpha, updated, counts,
                                                        changes);
  check(cudaGetLastError());
  std::vector<double> both(2 * static_cast<std::size_t>(blocks));
  check(cudaMemcpyAsync(both.data(), counts, both.size() * sizeof(double), cudaMemcpyDeviceToHost,
                        card.stream()));
  card.wait();
  KeptAlpha kept{0, 0};
  for (int b = 0; b < blocks; ++b) {
    kept.count += static_cast<std::size_t>(both[b]);
    kept.change = std::max(kept.change, both[blocks + b]);
  }
  return kept;
}

void number_kept(Card& card, std::size_t size, double alpha_max, const double* updated,
                 std::size_t count, std::uint32_t* positions, std::uint32_t* new_number) {
  const auto is_kept = [updated, alpha_max] __device__(std::uint32_t k) -> bool {
    return updated[k] <= alpha_max;
  };
  const thrust::counting_iterator<std::uint32_t> all(0);
  CardArray<std::uint64_t> found(card, 1);
  std::size_t bytes = 0;
  check(cub::DeviceSelect::If(nullptr, bytes, all, positions, found.data(), size, is_kept,
                              card.stream()));
  CardArray<char> room(card, bytes);
  check(cub::DeviceSelect::If(room.data(), bytes, all, positions, found.data(), size, is_kept,
                              card.stream()));
  for_each_on_card(
      card, size, [=] __device__(std::ptrdiff_t k) { new_number[k] = SparseRowsOnCard::kDropped; });
  for_each_on_card(card, count, [=] __device__(std::ptrdiff_t place) {
    new_number[positions[place]] = static_cast<std::uint32_t>(place);
  });
}

}  // namespace ardent
