// The evidence of a set of precisions: log p(t | alpha), the mode behind it, and its relevances.
//
//   E = log p(t | ŵ, b̂) − ½ŵᵀAŵ − ½τb̂² + ½Σ log alpha_k + ½ log τ − ½ log|H|
//
// For the Gaussian likelihood this is log N(t | 0, σ²I + Phi A⁻¹Phiᵀ + τ⁻¹11ᵀ) exactly; for the
// Bernoulli likelihood it is Laplace's approximation. (The powers of 2π cancel.) What engines climb
// is the objective: E plus the log priors of the noise (noise_prior.h) and of the support
// (support_prior.h). The precision τ of
// the free bias enters as a constant, about ½ log τ = −9.2 nats at the default 1e-8: compare
// evidences only between models with the same τ.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ardent/inference/accelerator.h"
#include "ardent/inference/engine.h"
#include "ardent/inference/evidence/mode.h"
#include "ardent/inference/evidence/support_prior.h"
#include "ardent/inference/evidence/trust.h"

namespace ardent {

/// The columns that are still in the model, at unit RMS, and what they are to explain. Copies share
/// their memory.
struct ActiveProblem {
  std::shared_ptr<const Design> phi;
  std::vector<Index> columns;               // which columns of the caller's design they are
  std::shared_ptr<const Matrix> unit_gram;  // Gaussian, m ≤ N: [Phi 1]ᵀC[Phi 1], computed once
  Likelihood likelihood = Likelihood::bernoulli;
  Vector t;
  Vector row_weights = {};  // empty: all 1; else one per row, how often it counts
  double log_volume = 0;  // of the caller's unit of t, N log target_scale: evidences are densities
                          // of the caller's t
  SupportPrior support = {};                      // the price of a column
  std::shared_ptr<Accelerator> device = nullptr;  // where phi is; null: the processor

  Index rows() const { return t.size(); }
  /// How many rows there are, each as often as it counts.
  double row_count() const {
    return phi->over_rows(row_weights.size() > 0 ? row_weights.sum()
                                                 : static_cast<double>(t.size()));
  }
  Index active() const { return std::ssize(columns); }
};

/// The same problem on the columns at these positions (ascending).
ActiveProblem restricted(const ActiveProblem& problem, std::span<const Index> positions);

struct Precisions {
  Vector alpha;
  double noise_variance = 1;  // Gaussian likelihood only
};

/// Precisions with all that follows from them.
struct EvidenceState {
  ActiveProblem problem;
  Precisions precisions;
  std::unique_ptr<Prior> prior;        // on the heap: the space refers to it
  std::unique_ptr<WeightSpace> space;  // factorised at the mode
  Mode mode;
  Vector w;
  double log_evidence = 0;
  double objective = 0;  // log evidence + log priors of the noise and of the support
  Relevance relevance;   // empty until find_relevance
};

/// How many of its rows a state with relevances has spent on weights (trust.h).
SpentRows spent_rows(const EvidenceState& state);

/// True where the N×N dual space is the cheaper one.
bool prefers_dual(const ActiveProblem& problem);

/// Finds the mode and the evidence; `near`, if given, is a state of the same columns to start from.
EvidenceState evaluate(ActiveProblem problem, Precisions precisions, const EngineOptions& options,
                       const Mode* near = nullptr, const Vector* near_weights = nullptr);

/// Relevances cost as much as a factorisation, so they are found only for states that are kept.
void find_relevance(EvidenceState& state);

/// ∂E/∂log alpha_k = ½(γ_k − alpha_k w_k²); exact for the Gaussian likelihood, while for Bernoulli
/// it leaves out how β moves with the mode, as MacKay (1992) and Tipping (2001) do.
Vector evidence_slope(const EvidenceState& state);
/// ∂E/∂log σ⁻² = ½(N − Σγ_k − γ_b − ‖t − Phi w − b‖²/σ²), Gaussian likelihood.
double noise_precision_slope(const EvidenceState& state);

}  // namespace ardent
