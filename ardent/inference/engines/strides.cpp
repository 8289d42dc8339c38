#include "ardent/inference/engines/strides.h"

#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"
#include "ardent/inference/engines/ard_state.h"
#include "ardent/inference/evidence/support_pruning.h"
#include "ardent/linalg/dot.h"

namespace ardent {
namespace {

constexpr double kFirstLimit = 64;

/// Of an evidence that a stage has lowered for no good reason.
bool fell(const ArdState& state) {
  const bool priced = state.support.candidates() > 0 && state.active() < state.strides.columns;
  return !priced && state.evidence < state.strides.evidence - kPermittedFall;
}

}  // namespace

double guarded_update(double alpha, double w, double variance) {
  const double square = w * w;
  return std::max((1 - alpha * variance) / square, 1 / (square + variance));
}

ColumnStep long_step(double alpha, double w, double hessian, double last_stride, double longest) {
  const double guarded = guarded_update(alpha, w, 1 / hessian);
  const double data = hessian - alpha, full = w * hessian, square = full * full;
  const double signal = data > 0 ? square / data : 0;
  const double now = (elementary::log(alpha / hessian) + w * full) / 2;
  const double promise = std::max(best_gain(signal) - now, 0.0);
  const double direction = guarded < alpha ? -1 : 1;
  if (last_stride == 0) return {guarded, direction, promise};
  const double wanted = last_stride * direction > 0 ? kStrideGrowth * std::abs(last_stride)
                                                    : std::abs(last_stride) / kStrideGrowth;
  const double stride = std::clamp(wanted, 1.0, longest);
  if (!(stride > 1) || !std::isfinite(guarded)) return {guarded, stride * direction, promise};
  const double step = elementary::log(guarded / alpha);
  const double far = alpha * elementary::exp(stride * step);
  const double best =
      signal > 1 ? data * data / (square - data) : std::numeric_limits<double>::infinity();
  const double taken = direction > 0 ? std::max(guarded, std::min(far, best))
                                     : std::min(guarded, std::max(far, best));
  return {taken, stride * direction, promise};
}

Strides next_strides(const ArdState& state) {
  Strides next = state.strides;
  next.evidence = state.evidence;
  next.columns = state.active();
  ++next.stages;
  if (fell(state)) {
    next.longest =
        next.longest > kFirstLimit ? kFirstLimit : std::max(1.0, next.longest / kStrideGrowth);
    next.lengths = next.lengths.cwiseSign();
  }
  return next;
}

PrecisionUpdate stride_on(const ArdState& state) {
  PrecisionUpdate update;
  update.strides = next_strides(state);
  const Index m = state.active();
  update.alpha.resize(m);
  Vector& lengths = update.strides.lengths;
  if (lengths.size() == 0) lengths = Vector::Zero(m);
  // Where the limit has just been lowered, or not yet taken away, all steps are the guarded ones.
  const bool guarded_only = state.strides.stages < kFirstLongStage || fell(state);
  const double longest = guarded_only ? 1 : update.strides.longest;
  update.promise = parallel_sum(m, kElementBlock, [&](Index begin, Index end) {
    double promise = 0;
    for (Index k = begin; k < end; ++k) {
      const ColumnStep step = long_step(state.alpha[k], state.point.w[k], state.hessian_diagonal[k],
                                        lengths[k], longest);
      update.alpha[k] = step.alpha;
      lengths[k] = step.stride;
      promise += step.promise;
    }
    return promise;
  });
  return update;
}

}  // namespace ardent
