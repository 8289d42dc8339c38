// Sparse Bayesian codes by reweighted ℓ1 (paper, algorithm 1; Wipf and Nagarajan 2008).
//
//   y = Φθ + v,  v ~ N(0, λI),  θ_i ~ N(0, γ_i);   minimise over γ ≥ 0
//   Loss(γ) = log|Σ_Y| + yᵀΣ_Y⁻¹y,  Σ_Y = λI + ΦΓΦᵀ                               (eq. 11)
//
// An outer iteration, with u = √γ_h:
//   θ ← argmin ½‖y − Φθ‖² + λ Σ u_i|θ_i|       weighted_lasso        (eq. 18)
//   γ_i ← |θ_i|/u_i                                                   (lemma 2.1)
//   γ_h,i ← φ_iᵀΣ_Y⁻¹φ_i                        active_posterior.h    (eq. 16)
// The loss never rises. At its optimum θ is the posterior mean already: the paper's last step
// changes nothing.
//
// Start: γ = 0, so u_i = ‖φ_i‖/√λ, which does not depend on the units of the signal or of the
// atoms; or u = 1 as in the paper's figures, which does. Cost: one cold weighted LASSO, Gram rows
// of the support (k·N·n), then k²n per iteration.
#pragma once

#include <functional>
#include <vector>

#include "ardent/inference/coding/working_set_solver.h"

namespace ardent {

enum class CodeStart { zero, ones };
CodeStart parse_code_start(std::string_view name);  // zero | ones

struct Screening {
  std::vector<Index> kept;  // atoms that may be active, ascending
  Index rejected = 0;       // all others, those never used included
  double seconds = 0;
};
/// A test made once per weighted LASSO, before it is solved (published/screening/screen.h).
using StaticScreening = std::function<Screening(const LassoProblem&, GramRows*)>;

struct CodeOptions {
  double lambda = 0;        // > 0: noise variance; 0: from lambda_ratio, or automatic if that is 0
  double lambda_ratio = 0;  // in (0, 1]: λ as a fraction of the λ from which on the first code is
                            // zero (from zero: max (φᵀy)²/‖φ‖²; from ones: max |φᵀy|)
  double noise_factor = 0;  // automatic λ = factor·v̂; 0: 2 ln n (noise_level.h)
  Index lambda_steps = 1;   // >= 1: values of λ on the way down from the largest, the last is λ
  CodeStart code_start = CodeStart::zero;
  Index max_outer = 15;           // >= 1: outer iterations; 1: a weighted LASSO
  double outer_tolerance = 1e-6;  // > 0: converged when the loss falls by less than this fraction
  double tolerance = 1e-6;        // > 0: relative duality gap of each LASSO
  bool nonnegative = false;       // θ ≥ 0
  bool gap_screening = true;      // reject atoms on the way by the Gap Safe test
  StaticScreening static_screening = {};  // empty: none
};

/// Throws InputError naming field, rule and value.
void validate(const CodeOptions& options);

struct OuterStep {
  double loss = 0;  // Loss(γ) after the step
  Index active = 0;
  double relative_gap = 0;  // of its LASSO
  Index rounds = 0;         // working sets
  Index rejected = 0;       // atoms that screening rejected
  double screening_seconds = 0;
  double seconds = 0;  // of the whole step
};

struct CodeReport {
  Status status = Status::iteration_limit;
  std::vector<OuterStep> steps;
  double seconds = 0;
};

struct SparseBayesCode {
  SparseCode code;    // posterior mean
  Vector gamma;       // prior variances of the active coefficients
  Vector variance;    // their posterior variances
  Matrix covariance;  // their posterior covariance
  double lambda = 0;  // noise variance used
  CodeReport report;
};

/// InputError if the signal has another length than the atoms or a number that is not finite.
SparseBayesCode sparse_bayes_code(const Dictionary& dictionary, const Vector& signal,
                                  const CodeOptions& options = {});

/// The first LASSO of a signal, solved beforehand (batch_coder.h).
struct FirstCode {
  double lambda = 0;
  LassoResult solved;
};

/// A signal with what its solves share. What it refers to must outlive it.
struct CodingTask {
  GramRows& rows;
  const Vector& signal;
  const Vector& rho;                 // Φᵀ y
  bool rows_from_the_start = false;  // Gram rows serve other signals, too
  const FirstCode* first = nullptr;  // what the first LASSO at its λ gives; none: it is solved
};

/// The engine itself, for callers that have ρ and share Gram rows between signals: λ as the options
/// say, the code and its report. One code for each value of λ on the way.
std::vector<SparseBayesCode> codes_by_lambda(const CodingTask& task, const CodeOptions& options);

/// At one λ, from a code near the solution (empty: none).
SparseBayesCode code_at(const CodingTask& task, double lambda, const CodeOptions& options,
                        const SparseCode& start);

/// λ of the first LASSO that codes_by_lambda solves.
double first_lambda(const CodingTask& task, const CodeOptions& options);

/// w of the first LASSO at λ.
Vector first_weights(const Dictionary& dictionary, double lambda, CodeStart start);
/// Has the loss stopped falling? `scale`: the last loss without its term N log λ, which depends on
/// the units; what is left is never negative.
bool reweighting_converged(const std::vector<OuterStep>& steps, double scale,
                           const CodeOptions& options);
/// How each LASSO is solved.
LassoOptions lasso_options(const CodeOptions& options);

/// The smallest λ whose first code is zero.
double largest_lambda(const CodingTask& task, CodeStart start);

}  // namespace ardent
