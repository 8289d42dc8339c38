// What the loop of ard_loop.h asks of the place where its stages are computed: this processor, or
// an accelerator that holds the state in its own memory, of which only single numbers are seen
// here.
#pragma once

#include <memory>

#include "ardent/inference/engine_options.h"
#include "ardent/inference/engines/ard_state.h"
#include "ardent/inference/posterior.h"

namespace ardent {

/// What the engine's update of the precisions would do.
struct PrecisionProposal {
  /// Every column of classes seems worth next to nothing: so it looks where columns are nearly the
  /// same as the bias or each other, and their weights have hardly begun to move when the mode is
  /// found to its tolerance. Then the mode is to be found to more digits before anything is
  /// believed. Not where the weights explain half of the target already: of many more columns than
  /// rows each does next to nothing, and all together everything.
  bool suspicious = false;
  Index kept = 0;      // columns whose new precision is not beyond alpha_max
  double change = 0;   // max |Δ log alpha| of these
  double promise = 0;  // PrecisionUpdate's
};

class ArdStages {
 public:
  virtual ~ArdStages() = default;

  virtual Index active() const = 0;  // columns, without the bias
  /// Moves the weights towards the mode; its steps.
  virtual Index find_mode() = 0;
  /// Finds the Hessian's diagonal at the mode; the evidence with Hadamard's bound.
  virtual double measure() = 0;
  /// The engine's new precisions at a mode that was measured; `settled`: costly columns go, too.
  /// The state is as it was.
  virtual PrecisionProposal propose(bool settled) = 0;
  /// The next modes are found to two more digits.
  virtual void refine_mode() = 0;
  /// Takes the noise, the precisions and the columns that were proposed last; some columns stay.
  virtual void accept() = 0;
  /// f = Phi w anew, as a run that takes up a checkpoint finds it.
  virtual void refit() = 0;

  /// Products with the design so far, where they are counted: on an accelerator.
  virtual Passes passes() const { return {}; }

  /// The state as it is now, in this process's memory, all but the design; its numbers that are not
  /// arrays are always those of now.
  virtual ArdState& state_here() = 0;
  /// The same with the design of the columns that are left.
  virtual ArdState& state_and_design_here() = 0;
};

inline constexpr double kFinestMode = 1e-8;     // tolerance of a mode
inline constexpr double kFinerMode = 0.01;      // times the tolerance, where one is suspicious
inline constexpr double kSuspiciousLeap = 1e4;  // of every precision in one stage
/// Columns that may be dropped for their cost in a stage, of so many.
Index most_dropped(Index columns);
/// More columns than half of the rows, with a price per column: some are to go before the noise can
/// be estimated.
bool is_crowded(const ArdState& state, Index active);

/// Classes: half of the log-likelihood that the bias alone has.
double half_explained(const ArdState& state);

/// On this processor. The references must outlive the stages.
std::unique_ptr<ArdStages> stages_here(ArdState& state, ArdMethod& method,
                                       const EngineOptions& options);

/// Finds state.hessian_diagonal at the mode; returns the evidence with Hadamard's bound.
double measure(ArdState& state);
/// σ² ← (RSS + 1e-6)/(N − Σγ + 1e-6) (noise_prior.h), Gaussian likelihood, at a mode whose
/// hessian_diagonal is known. The relevances 1 − alpha/H_kk are upper bounds, so no more than half
/// of the rows are counted as spent.
void update_noise(ArdState& state);
/// Of `squares` = ‖t − f‖² and Σγ = `spent` of the rows' weight.
double updated_noise(double squares, double rows, double spent);
/// ‖t − f‖² of a Gaussian target, each row as often as it counts.
double square_sum(const ArdState& state);

}  // namespace ardent
