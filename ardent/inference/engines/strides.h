// Steps of the precisions that are longer than the guarded update's (diagonal.h), column by column.
//
// On its own the guarded update carries an irrelevant precision to alpha_max, or a weak one to its
// best value, by a nearly constant factor a stage: thousands of stages. With S = H_kk − alpha_k and
// q = w_k H_kk, the evidence depends on alpha_k alone, all else as it is, through
//
//   E_k(alpha) = ½(log(alpha/(alpha + S)) + q²/(alpha + S)),   highest at S²/(q² − S), or at ∞
//                                                              where q² ≤ S
//
// (Tipping and Faul 2003). The guarded step of log alpha_k goes towards that place. Here it is
// taken `stride` times, but not past that place. A stride is 1 in the first three stages, in which
// a crowd of columns shares the work and the best place of one alone says little; then four times
// the last one where the step has kept its direction, a quarter of it, and at least 1, where it has
// turned. Where columns overlap single best places are too far: so if a stage lowers the evidence
// by more than 0.1 nats, all strides are 1 again and never more than 64 from then on, the next
// time 16, 4 and 1, which is the guarded update. (Where columns were dropped for their price the
// evidence falls without fault.)
//
// Nats that are left to gain, one column at a time:
//
//   promise = Σ_k E_k(best) − E_k(alpha_k) ≥ 0
#pragma once

#include "ardent/inference/engines/precision_steps.h"

namespace ardent {

struct ArdState;

inline constexpr double kStrideGrowth = 4;
inline constexpr double kPermittedFall = 0.1;  // nats

/// One column's step.
struct ColumnStep {
  double alpha;    // the new one
  double stride;   // as in Strides::lengths
  double promise;  // nats
};
ColumnStep long_step(double alpha, double w, double hessian, double last_stride, double longest);

/// MacKay's update guarded by EM's, for an estimate `variance` of Σ_kk.
double guarded_update(double alpha, double w, double variance);

/// The strides of a stage that begins at `state`, whose evidence is known: their limit, not yet
/// their lengths.
Strides next_strides(const ArdState& state);

/// The update of the engine diagonal.
PrecisionUpdate stride_on(const ArdState& state);

}  // namespace ardent
