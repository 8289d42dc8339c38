// The kernels of codes on a card. A block of threads works on one signal at a time, and what it
// computes depends on that signal alone: the same bits whatever else is in the batch.
#pragma once

#include <cstddef>

#include "ardent/cuda/card/card.h"

namespace ardent::coding {

/// How the LASSO of a signal stands.
enum class State : int { running, converged, round_limit, stalled };

struct Solve {
  double primal;  // P(θ)
  double gap;
  double inner_tolerance;
  State state;
  int rounds;
};

/// What the posterior of a signal says.
struct Evidence {
  double scale;  // log|B| + yᵀΣ_Y⁻¹y
};

/// Of a signal before it is coded.
struct Signal {
  double norm;            // ‖y‖
  double largest;         // max |φᵀy| over atoms that are not zero
  double largest_cosine;  // max |φᵀy|/‖φ‖
  int nearest;            // the atom that has it; −1: none
};

/// Arrays in the card's memory. Signals lie in columns.
struct Batch {
  int length;   // N
  int atoms;    // n
  int signals;  // of the batch
  bool nonnegative;
  const double* dictionary;  // N×n
  const double* gram;        // n×n
  const double* norms;       // n
  const double* y;           // N×signals
  const double* rho;         // n×signals
  double* weights;           // n×signals: w = λu
  double* lambda;            // signals
  unsigned char* in_set;     // n×signals
  int* set;                  // n×signals: the atoms of the working set
  double* theta;             // n×signals: their coefficients
  double* variance;          // n×signals: posterior variances, once all of the set are in the code
  int* set_size;             // signals
  Signal* signal;            // signals
  Solve* solve;              // signals
  Evidence* evidence;        // signals
};

/// Some of the signals of a batch, a list in the card's memory.
struct Signals {
  const int* which;
  int count;
};

/// Memory of a block of its own, of as many blocks as there is memory for.
struct Scratch {
  double* numbers;
  std::size_t per_block;
  int blocks;
  int* next;  // the next signal that a free block takes
};

/// out(i, j) = a_iᵀ b_j; out has a_count rows. Each in one order of additions.
void multiply(const Card& card, const double* a, int a_count, const double* b, int b_count,
              int length, double* out);

void describe_signals(const Card& card, const Batch& batch);
/// w of the first LASSO at λ: λ, or √λ‖φ‖.
void set_first_weights(const Card& card, const Batch& batch, Signals signals, bool ones);
void clear_codes(const Card& card, const Batch& batch, Signals signals);
void begin_lasso(const Card& card, const Batch& batch, Signals signals, double inner_tolerance);

/// Column k of `residuals`: y − Φθ of the k-th signal.
void find_residuals(const Card& card, const Batch& batch, Signals signals, double* residuals);

struct Rules {
  double tolerance;
  int most_rounds;
};
/// Certifies each signal by its column of `residuals` and `products` (c = Φᵀr), and gives those
/// that are not done the atoms nearest to violating their constraints. `scores`: n per signal.
void certify_and_grow(const Card& card, const Batch& batch, Signals signals,
                      const double* residuals, const double* products, double* scores,
                      Rules rules);

/// Numbers that a block needs to solve a working set of this many atoms.
std::size_t numbers_to_solve(std::size_t most_atoms);
int blocks_that_solve(const Card& card);
/// Solves the working set of each signal; none has more than `most_atoms`.
void solve_sets(const Card& card, const Batch& batch, Signals signals, Scratch scratch);

/// Leaves only the atoms whose coefficient is not zero in each working set.
void keep_support(const Card& card, const Batch& batch, Signals signals);

std::size_t numbers_for_posterior(std::size_t most_atoms, std::size_t length);
int blocks_for_posterior(const Card& card);
/// Variances and evidence of each code; with `reweight` the weights of the next LASSO, too.
void find_posteriors(const Card& card, const Batch& batch, Signals signals, Scratch scratch,
                     bool reweight);
/// ‖y − Φ_S θ_LS‖² and the rank of Φ_S of each code.
struct LeastSquares {
  double square;
  int rank;
};
void fit_least_squares(const Card& card, const Batch& batch, Signals signals, Scratch scratch,
                       LeastSquares* found);

}  // namespace ardent::coding
