// The default solver of the weighted LASSO: working sets with active-set Newton steps.
//
//   minimise  P(θ) = ½‖y − Φθ‖² + Σ_i w_i|θ_i|,   0 < w_i ≤ ∞, optionally θ ≥ 0     (paper, eq. 20)
//
// Solve over a few atoms (working_set.h), compute c = Φᵀr over all, certify
// (duality_gap.h), add the atoms whose constraint |φ_iᵀη| ≤ w_i is nearest to being violated,
//   the smallest (w_i − |c_i|)/‖φ_i‖,
// and repeat. Atoms are chosen by the residual itself: chosen by a feasible dual point the set was
// seen to cycle. On the way the Gap Safe test rejects atoms that no solution uses
// (screening/gap_safe.h), so that later rounds look at fewer atoms of the dictionary; the
// certificate then covers all atoms, as the constraints of those rejected hold at the optimum.
//
// Cost: a few rounds of N·n (correlations.h), less once atoms are rejected; the working set itself
// is small change.
#pragma once

#include "ardent/inference/coding/correlations.h"
#include "ardent/inference/coding/duality_gap.h"
#include "ardent/inference/coding/working_set.h"
#include "ardent/inference/posterior.h"

namespace ardent {

struct LassoOptions {
  double tolerance =
      1e-6;  // > 0: converged when gap ≤ tolerance·P(θ), or as near as rounding lets it
  bool nonnegative = false;   // θ ≥ 0
  bool gap_screening = true;  // reject atoms on the way by the Gap Safe test
  Index max_rounds = 100;     // >= 1: working sets at most
};

/// Throws InputError naming field, rule and value.
void validate(const LassoOptions& options);

struct LassoReport {
  Status status = Status::iteration_limit;
  double objective = 0;  // P(θ)
  double gap = 0;        // P(θ) − min P is at most this
  double relative_gap = 0;
  Index rounds = 0;       // working sets solved
  Index working_set = 0;  // atoms in the last one
  Index newton_steps = 0;
  Index rejected = 0;  // atoms that the Gap Safe test rejected
  double screening_seconds = 0;
};

struct LassoResult {
  SparseCode code;
  LassoReport report;
};

/// The solver in steps, for callers that compute Φᵀr of several problems at once. What it is given
/// must outlive it.
class WorkingSetSolver {
 public:
  /// `start`: any code near the solution; empty for none.
  WorkingSetSolver(const LassoProblem& problem, Correlations& correlations,
                   const LassoOptions& options, const SparseCode& start);

  /// Solves a working set. True: its code waits for c = Φᵀr, then certify(). False: done.
  bool advance();
  /// Computes the duality gap of the code, c being that of its residual.
  void certify();

  const SparseCode& code() const { return result_.code; }
  const Vector& residual() const { return residual_; }
  Vector& c() { return c_; }  // Φᵀr at the atoms that may still be active
  LassoResult take_result();

 private:
  void keep_usable(const SparseCode& start);
  void find_residual();
  bool converged();
  Status when_stalled() const;
  void reject();
  bool grow();
  void add(const std::vector<Index>& atoms);

  const LassoProblem& problem_;
  Correlations& correlations_;
  const LassoOptions& options_;
  WorkingSet set_;
  std::vector<bool> in_set_;
  double signal_norm_;
  double inner_tolerance_;
  std::vector<Index> possible_;  // atoms that may still be active, ascending
  Vector residual_;
  Vector c_;
  DualityGap gap_;
  LassoResult result_;
  bool begun_ = false;
};

/// Keeps no state but what `correlations` holds, which may serve many solves of one signal.
/// `start`: any code near the solution; empty for none.
LassoResult solve_working_sets(const LassoProblem& problem, Correlations& correlations,
                               const LassoOptions& options, const SparseCode& start);

}  // namespace ardent
