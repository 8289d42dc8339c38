// What the stages of the engine diagonal do on a card with vectors of one number per row or per
// weight. Pointers are to the card's memory; sums come back to the host.
#pragma once

#include <cstdint>

#include "ardent/cuda/card/memory.h"
#include "ardent/inference/evidence/likelihood_along.h"

namespace ardent {

/// The target, each row as often as it counts.
struct TargetOnCard {
  bool of_classes;  // Bernoulli; else Gaussian
  std::size_t rows;
  const double* t;
  const double* counts;
  double row_count;       // the sum of counts
  double noise_variance;  // Gaussian
};

/// Residual and curvature at f; the log-likelihood.
double evaluate_on_card(const Card& card, const TargetOnCard& target, const double* f,
                        double* residual, double* curvature);
/// The log-likelihood along f + s·df.
LikelihoodAlong along_on_card(const Card& card, const TargetOnCard& target, const double* f,
                              const double* df, double s);
/// Σ c (t − f)²
double square_sum_on_card(const Card& card, const TargetOnCard& target, const double* f);

/// Σ a_k²/b_k
double square_sum_over(const Card& card, std::size_t size, const double* a, const double* b);

// Conjugate gradients for H x = −gradient from x = 0, in the preconditioner's norm
// (conjugate_gradient.h).
/// x ← 0, r ← −gradient, p ← r/diagonal
void begin_cg(const Card& card, std::size_t size, const double* gradient, const double* diagonal,
              double* x, double* r, double* p);
struct CgSums {
  double curvature;  // pᵀHp
  double rho;        // rᵀ(r/diagonal) after the step
};
/// x ← x + s p, r ← r − s Hp with s = rho/pᵀHp; nothing moves unless that is a number above 0.
CgSums step_cg(const Card& card, std::size_t size, double rho, const double* p,
               const double* product, const double* diagonal, double* x, double* r);
/// p ← r/diagonal + share p
void turn_cg(const Card& card, std::size_t size, double share, const double* r,
             const double* diagonal, double* p);

/// wᵀ(alpha∘step) and stepᵀ(alpha∘step)
struct PenaltyAlong {
  double slope, curvature;
};
PenaltyAlong penalty_along(const Card& card, std::size_t size, const double* alpha, const double* w,
                           const double* step);

/// Σ alpha w² + Σ log(H/alpha)
double complexity(const Card& card, std::size_t size, const double* alpha, const double* w,
                  const double* hessian_diagonal);
/// Σ max(1 − alpha/H, 0)
double spent_on_weights(const Card& card, std::size_t size, const double* alpha,
                        const double* hessian_diagonal);

/// The update of the engine diagonal (engines/strides.h): new precisions, and the strides, which
/// are those of the last stage before and grow by `growth` to `longest`. The promise.
double update_alpha(const Card& card, std::size_t size, double growth, double longest,
                    const double* alpha, const double* w, const double* hessian_diagonal,
                    double* updated, double* strides);
/// x ← its sign
void keep_signs(const Card& card, std::size_t size, double* x);
/// Of how many is the new precision more than `leap` times the old?
std::size_t count_leaps(const Card& card, std::size_t size, double leap, const double* alpha,
                        const double* updated);
/// Makes the precisions infinite of the columns whose best gain is at most `cost`, of `most` at
/// most: those that gain least, the first of equals.
void drop_costly(Card& card, std::size_t size, double cost, std::size_t most, const double* alpha,
                 const double* w, const double* hessian_diagonal, double* updated);
struct KeptAlpha {
  std::size_t count;  // updated ≤ alpha_max
  double change;      // max |log(updated/alpha)| of these
};
KeptAlpha kept_alpha(const Card& card, std::size_t size, double alpha_max, const double* alpha,
                     const double* updated);
/// Positions of these, ascending, `count` of them; and the new number of every column
/// (design_on_card.h).
void number_kept(Card& card, std::size_t size, double alpha_max, const double* updated,
                 std::size_t count, std::uint32_t* positions, std::uint32_t* new_number);

}  // namespace ardent
