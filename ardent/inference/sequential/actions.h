// The actions of the sequential engine: what each would gain, and how it is done.
//
// As a function of one precision the evidence is a constant plus (Tipping and Faul 2003, equation
// 18)
//   ℓ(alpha) = ½(log alpha − log(alpha + s) + q²/(alpha + s)),  ℓ(∞) = 0
// with its maximum at s²/(q² − s) if q² > s, else at ∞.
#pragma once

#include <vector>

#include "ardent/inference/sequential/scan.h"

namespace ardent {

/// ℓ(to) − ℓ(from), each in (0, ∞]; ∞: not in the model.
double precision_gain(double s, double q, double from, double to);
/// arg max ℓ over [kLeastAlpha, alpha_max] and ∞; a basis that brings at most 1e-6 nats at
/// alpha_max is at ∞.
double best_precision(double s, double q, double alpha_max);

enum class ActionKind { add, re_estimate, remove, re_estimate_all, noise };

struct Action {
  ActionKind kind = ActionKind::add;
  Index basis = 0;    // among the candidates
  double alpha = 0;   // its new precision; ∞ to remove
  double gain = 0;    // promised, in nats
  double change = 0;  // |Δ log alpha|, ∞ counted as alpha_max, or |Δ log σ²|
};

/// A state, and which of the candidates its columns are, ascending.
struct SequentialModel {
  std::vector<Index> active;
  EvidenceState state;
};

/// Gain in nats, for an evidence of this size, below which an action is not worth its while.
double worthwhile_gain(double log_evidence);

/// All that promise to raise the evidence, best first, ties in the order of the bases.
std::vector<Action> possible_actions(const SequentialModel& model,
                                     const BasisStatistics& statistics,
                                     const EngineOptions& options);

/// Columns whose cosine is nearer to 1 than this are copies: 1e-4 of their length apart.
inline constexpr double kRepeated = 5e-9;

/// True for a basis that is a multiple of an active one, to 1e-4 of its length. To add it would
/// only share that one's prior variance, with the same gain as to re-estimate it.
bool repeats_active(const ActiveProblem& candidates, const SequentialModel& model, Index basis);

/// The values with one more at `position`.
Vector inserted(const Vector& values, Index position, double value);
/// The problem with this candidate as one more of its columns, at `position` among them.
ActiveProblem extended(const ActiveProblem& candidates, const ActiveProblem& problem,
                       Index position, Index basis, bool bias);

/// The model after `length` (1: all) of the action, at its mode, with its relevances.
SequentialModel applied(const ActiveProblem& candidates, const SequentialModel& model,
                        const Action& action, double length, const EngineOptions& options);

}  // namespace ardent
