// Engine "exact": sparse Bayesian learning with the full covariance (Tipping 2001; the classical
// SBL of section II of Luo, Vong, Wong and Du, "Sparse Bayesian Learning with Diagonal Quasi-Newton
// Method for Large Scale Classification", the paper below).
//
// Model      t_i ~ Bernoulli(σ(f_i)) or N(f_i, σ²),  f = Phi w + b,  w_k ~ N(0, 1/alpha_k)
// Objective  the evidence E(alpha) = log p(t | alpha), Laplace's approximation for Bernoulli
// MAP-stage  (ŵ, b̂) = arg min −log p(t | w, b) + ½wᵀAw + ½τb²              equations (10)–(12)
//            Σ = (PhiᵀB Phi + A)⁻¹, bordered by the bias                     equation (7)
// A-stage    γ_k = 1 − alpha_k Σ_kk,  alpha_k ← γ_k/w_k²                     equation (8)
//            Gaussian: σ² ← (‖t − Phi ŵ − b̂‖² + 1e-6)/(N − Σγ_k − γ_b + 1e-6)  noise_prior.h
//            prune alpha_k > alpha_max; repeat until max |Δ log alpha_k| < tolerance
//
// Misprints of the paper: the density in (4) has √alpha_k, not alpha_k, before the exponential; (6)
// is ŵ = Σ PhiᵀB ẑ with the working response ẑ = Phi ŵ + B⁻¹(t − y), not βΣXt. Its Table I counts
// the bias as a feature.
//
// Columns have unit RMS inside (standard_units.h), so results do not depend on their scaling; the
// bias is free (precision τ = bias_precision) and never pruned. Stages whose evidence falls are
// halved (precision_update.h). Where m > N (Bernoulli: m > ¾N) all is done in N dimensions
// (dual_space.h).
//
// Columns that are copies of each other share one weight equally (copied_columns.h).
//
// With a prior on the support (support_prior.h) the objective is evidence + log prior: columns
// worth less than they cost are dropped at convergence (support_pruning.h), and the climb begins
// with what engine "sequential" grows.
//
// With an accelerator all that is quadratic in a column or a row is there: the design, H or the
// kernel, its factor, the inverse's diagonal. Vectors, the steps along them and the decisions are
// here, so that a fit differs from the processor's by rounding alone.
//
// Cost per stage, m active columns: Bernoulli ~4 Newton steps of N m²/2 + m³/6 and m³/3 for Σ_kk
// (primal), or N²m for the kernel and Σ_kk and N³/6 a step (dual); Gaussian m³/2 (m ≤ N), with the
// Gram matrix formed once. Memory: a few times min(N, m)² doubles, beside the design.
#pragma once

#include <string_view>

#include "ardent/inference/engine.h"

namespace ardent {

/// Throws InputError for targets and designs that cannot be fitted, among them those that would
/// need more than 8 GiB (with an accelerator: more than it has). Not having converged is a status
/// in the report.
Fit fit_exact(const Design& design, const Target& target, const EngineOptions& options = {},
              const ProgressCallback& progress = {});

/// InputError where the engine, which works as this one does, would need more than 8 GiB: four
/// square matrices of the smaller side (Gram or kernel, H, its factor, an inverse); the dual space
/// also reads Phi as dense columns.
void check_memory(std::string_view engine, Index rows, Index active);

/// The log evidence of no column at all, in the same units.
double bias_log_evidence(const Design& design, const Target& target, EngineOptions options);

}  // namespace ardent
