// Codes of many signals at once on a device beside the processor.
//
// The device keeps the dictionary and, of a batch of signals, all that their solves need; the host
// sees a few numbers per signal and step (batch_reweighting.h). A signal's code depends on that
// signal alone: it has the same bits whatever else is in the batch.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ardent/inference/coding/lasso_problem.h"
#include "ardent/inference/posterior.h"

namespace ardent {

/// The LASSO of one signal, as it was solved.
struct SolvedLasso {
  double relative_gap = 0;
  Index active = 0;  // coefficients that are not zero
  Index rounds = 0;  // working sets
  Status status = Status::iteration_limit;
};

/// ‖y − Φ_S θ_LS‖² over the atoms S of a code, and the rank of Φ_S.
struct LeastSquaresFit {
  double square = 0;
  Index rank = 0;
};

/// Signals on the device with their codes, which are all zero at first. Signals are named by their
/// place in the batch; lists of them ascend.
class SignalBatch {
 public:
  using List = std::span<const Index>;
  virtual ~SignalBatch() = default;

  struct Signal {
    double norm = 0;            // ‖y‖
    double largest = 0;         // max |φᵀy| over atoms that are not zero
    double largest_cosine = 0;  // max |φᵀy|/‖φ‖
    Index nearest = -1;         // the atom that has it; −1: none correlates with the signal
  };
  virtual std::vector<Signal> signals() const = 0;

  virtual void clear_codes(List which) = 0;
  /// λ of each, and w of the first LASSO at it: λ (`ones`), or √λ‖φ‖.
  virtual void set_weights(List which, std::span<const double> lambdas, bool ones) = 0;
  /// Solves the weighted LASSO of each, from the code it has.
  virtual std::vector<SolvedLasso> solve(List which) = 0;
  /// log|B| + yᵀΣ_Y⁻¹y and the variances of each code (active_posterior.h); with `reweight` it gets
  /// the weights of its next LASSO, λ√γ_h.
  virtual std::vector<double> find_posteriors(List which, bool reweight) = 0;
  virtual std::vector<LeastSquaresFit> fit_least_squares(List which) = 0;

  struct Code {
    SparseCode code;
    Vector variance;  // of the last posterior
  };
  virtual std::vector<Code> codes(List which) const = 0;
};

/// How a batch's LASSOs are solved.
struct BatchLasso {
  double tolerance = 1e-6;  // > 0: relative duality gap
  bool nonnegative = false;
  Index max_rounds = 100;  // >= 1: working sets at most
};

/// A dictionary on the device.
class DeviceDictionary {
 public:
  virtual ~DeviceDictionary() = default;
  /// The signals that there is memory for at once; at least 1.
  virtual Index most_signals() const = 0;
  /// Signals in the columns of an N×count matrix, count <= most_signals().
  virtual std::unique_ptr<SignalBatch> batch(const Matrix& signals, const BatchLasso& lasso) = 0;
};

}  // namespace ardent
