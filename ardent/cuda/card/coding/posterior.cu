// The posterior of each signal's code and the weights of its next LASSO, as active_posterior.h has
// them, and least squares over the atoms of a code; one block a signal.
#include "ardent/cuda/card/coding/factor.cuh"
#include "ardent/cuda/card/coding/kernels.h"

namespace ardent::coding {
namespace {

constexpr int kThreads = 256;
constexpr double kLeastJitter = 1e-14;
constexpr double kDependentColumn = 1e-15;  // of its squared length outside the span of others
constexpr int kRows = 4, kAtoms = 4;        // of L⁻¹ and of the dictionary that a thread takes

/// One signal's code and a block's scratch.
struct Code {
  int s, k;
  double lambda;
  const int* atoms;
  const double* theta;
  double* factor;   // (k+1)×k
  double* inverse;  // L⁻¹, k×k, by rows
  double* root;     // √γ
  double* mean;
  double* row;
  double* residual;  // N
};

__device__ Code code_of(const Batch& b, int s, double* numbers) {
  const int k = b.set_size[s];
  const size_t square = (size_t)k * k;
  double* const vectors = numbers + 2 * square + k;
  return {s,
          k,
          b.lambda[s],
          b.set + (size_t)b.atoms * s,
          b.theta + (size_t)b.atoms * s,
          numbers,
          numbers + square + k,
          vectors,
          vectors + k,
          vectors + 2 * (size_t)k,
          vectors + 3 * (size_t)k};
}

__device__ double gram_of(const Batch& b, const Code& code, int i, int j) {
  return b.gram[(size_t)b.atoms * code.atoms[j] + code.atoms[i]];
}

/// Of B = I + Γ^½GΓ^½/λ with the right-hand side Γ^½ρ/λ. B may be singular to rounding.
__device__ void factorise(const Batch& b, const Code& code) {
  const double* const rho = b.rho + (size_t)b.atoms * code.s;
  double jitter = 0;
  while (true) {
    const auto element = [&](int i, int j) {
      if (i == code.k) return code.root[j] * rho[code.atoms[j]] / code.lambda;
      const double scaled = code.root[i] * gram_of(b, code, i, j) * code.root[j] / code.lambda;
      return i == j ? (1 + scaled) * (1 + jitter) : scaled;
    };
    const int done = block_cholesky<kThreads>(code.k, code.k + 1, element, 0, code.factor, code.row);
    if (done == code.k || jitter >= 1) return;
    jitter = jitter == 0 ? kLeastJitter : 10 * jitter;
    __syncthreads();
  }
}

/// A column of L⁻¹ per thread.
__device__ void invert(const Code& code) {
  const int k = code.k;
  for (int t = threadIdx.x; t < k; t += kThreads) {
    for (int i = 0; i < t; ++i) code.inverse[(size_t)k * i + t] = 0;
    for (int i = t; i < k; ++i) {
      double sum = i == t ? 1 : 0;
      for (int l = t; l < i; ++l) {
        sum = fma(-code.factor[i + (size_t)(k + 1) * l], code.inverse[(size_t)k * l + t], sum);
      }
      code.inverse[(size_t)k * i + t] = sum / code.factor[i + (size_t)(k + 1) * i];
    }
  }
  __syncthreads();
}

/// (B⁻¹)_tt
__device__ double inverse_diagonal(const Code& code, int t) {
  double sum = 0;
  for (int i = t; i < code.k; ++i) {
    const double entry = code.inverse[(size_t)code.k * i + t];
    sum = fma(entry, entry, sum);
  }
  return sum;
}

/// ‖y − Φ_S coefficients‖², the residual kept.
__device__ double find_residual(const Batch& b, const Code& code, const double* coefficients,
                                double* scratch) {
  __syncthreads();
  double square = 0;
  for (int i = threadIdx.x; i < b.length; i += kThreads) {
    double rest = b.y[(size_t)b.length * code.s + i];
    for (int p = 0; p < code.k; ++p) {
      rest = fma(-coefficients[p], b.dictionary[(size_t)b.length * code.atoms[p] + i], rest);
    }
    code.residual[i] = rest;
    square = fma(rest, rest, square);
  }
  return block_sum<kThreads>(square, scratch);
}

__device__ double evidence_of(const Batch& b, const Code& code, double* scratch) {
  block_back_substitute<kThreads>(code.k, code.k + 1, code.k, code.factor, code.mean);
  double logs = 0, prior = 0;
  for (int j = threadIdx.x; j < code.k; j += kThreads) {
    logs += 2 * log(code.factor[j + (size_t)(code.k + 1) * j]);
    prior = fma(code.mean[j], code.mean[j], prior);  // of mean²/γ, before its factor √γ
  }
  logs = block_sum<kThreads>(logs, scratch);
  prior = block_sum<kThreads>(prior, scratch);
  for (int j = threadIdx.x; j < code.k; j += kThreads) code.mean[j] *= code.root[j];
  return logs + find_residual(b, code, code.mean, scratch) / code.lambda + prior;
}

/// ‖L⁻¹Γ^½Φ_Sᵀφ_i‖² of four atoms i, `kThreads` apart.
__device__ void explained_by(const Batch& b, const Code& code, int first, double (&explained)[kAtoms]) {
  for (double& square : explained) square = 0;
  for (int begin = 0; begin < code.k; begin += kRows) {
    double sums[kRows][kAtoms] = {};
    const int rows = min(kRows, code.k - begin);
    for (int j = 0; j < begin + rows; ++j) {
      const double* const column = b.gram + (size_t)b.atoms * code.atoms[j];
      double products[kAtoms];
      for (int a = 0; a < kAtoms; ++a) {
        const int i = first + kThreads * a;
        products[a] = i < b.atoms ? code.root[j] * column[i] : 0;
      }
      for (int r = 0; r < kRows; ++r) {
        const double entry = r < rows ? code.inverse[(size_t)code.k * (begin + r) + j] : 0;
        for (int a = 0; a < kAtoms; ++a) sums[r][a] = fma(entry, products[a], sums[r][a]);
      }
    }
    for (int r = 0; r < kRows; ++r) {
      for (int a = 0; a < kAtoms; ++a) explained[a] = fma(sums[r][a], sums[r][a], explained[a]);
    }
  }
}

__device__ double penalty(double gamma_h, double square, double spread, double lambda) {
  return lambda * sqrt(fmin(fmax(gamma_h, square / spread), square / lambda));
}

/// w = λ√γ_h of all atoms.
__device__ void reweigh(const Batch& b, const Code& code, double* scratch) {
  double* const weights = b.weights + (size_t)b.atoms * code.s;
  double spread = 0;
  for (int j = threadIdx.x; j < code.k; j += kThreads) {
    const double d = b.norms[code.atoms[j]];
    spread = fma(code.root[j] * code.root[j], d * d, spread);
  }
  spread = code.lambda + block_sum<kThreads>(spread, scratch);
  for (int begin = 0; begin < b.atoms; begin += kThreads * kAtoms) {
    const int first = begin + static_cast<int>(threadIdx.x);
    double explained[kAtoms];
    explained_by(b, code, first, explained);
    for (int a = 0; a < kAtoms; ++a) {
      const int i = first + kThreads * a;
      if (i >= b.atoms || b.norms[i] == 0) continue;
      const double square = b.norms[i] * b.norms[i];
      const double gamma_h = (square - explained[a] / code.lambda) / code.lambda;
      weights[i] = penalty(gamma_h, square, spread, code.lambda);
    }
  }
  __syncthreads();
  // Where an atom is explained almost wholly by itself, the difference has lost its digits.
  for (int j = threadIdx.x; j < code.k; j += kThreads) {
    const double inverse = inverse_diagonal(code, j);
    const double square = b.norms[code.atoms[j]] * b.norms[code.atoms[j]];
    const double gamma_h = (1 - inverse) / (code.root[j] * code.root[j]);
    if (inverse < 0.5) weights[code.atoms[j]] = penalty(gamma_h, square, spread, code.lambda);
  }
}

__device__ void find_posterior(const Batch& b, const Code& code, bool reweight, double* scratch) {
  const double* const weights = b.weights + (size_t)b.atoms * code.s;
  for (int j = threadIdx.x; j < code.k; j += kThreads) {
    code.root[j] = sqrt(fabs(code.theta[j]) / (weights[code.atoms[j]] / code.lambda));
  }
  __syncthreads();
  factorise(b, code);
  invert(code);
  for (int j = threadIdx.x; j < code.k; j += kThreads) {
    b.variance[(size_t)b.atoms * code.s + j] =
        code.root[j] * code.root[j] * inverse_diagonal(code, j);
  }
  const double scale = evidence_of(b, code, scratch);
  if (threadIdx.x == 0) b.evidence[code.s].scale = scale;
  if (reweight) reweigh(b, code, scratch);
}

/// Signals one after the other: `work(s, numbers)` of each.
template <class Work>
__device__ void take_signals(Signals signals, Scratch scratch, Work work) {
  __shared__ int taken;
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) taken = atomicAdd(scratch.next, 1);
    __syncthreads();
    if (taken >= signals.count) return;
    work(taken, signals.which[taken], scratch.numbers + scratch.per_block * blockIdx.x);
  }
}

__global__ void __launch_bounds__(kThreads)
    posteriors(Batch b, Signals signals, Scratch scratch, bool reweight) {
  __shared__ double sums[kThreads / 32];
  take_signals(signals, scratch, [&](int, int s, double* numbers) {
    find_posterior(b, code_of(b, s, numbers), reweight, sums);
  });
}

/// θ_LS − θ from the products Φ_Sᵀr in code.root; columns of length 1 are meant.
__device__ int correct(const Batch& b, const Code& code) {
  const auto element = [&](int i, int j) {
    if (i == code.k) return code.root[j];
    return gram_of(b, code, i, j) / (b.norms[code.atoms[i]] * b.norms[code.atoms[j]]);
  };
  return block_cholesky<kThreads>(code.k, code.k + 1, element, kDependentColumn, code.factor,
                                  code.row);
}

/// code.root = Φ_Sᵀr of atoms of length 1: a warp each.
__device__ void correlate(const Batch& b, const Code& code) {
  __syncthreads();
  for (int j = threadIdx.x / 32; j < code.k; j += kThreads / 32) {
    const double* const atom = b.dictionary + (size_t)b.length * code.atoms[j];
    double sum = 0;
    for (int i = threadIdx.x % 32; i < b.length; i += 32) sum = fma(atom[i], code.residual[i], sum);
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(kWholeWarp, sum, step);
    if (threadIdx.x % 32 == 0) code.root[j] = sum / b.norms[code.atoms[j]];
  }
  __syncthreads();
}

/// By the normal equations, three times: each corrects the rounding of the one before.
__device__ LeastSquares least_squares(const Batch& b, Code code, double* scratch) {
  double* const coefficients = code.inverse;
  double* const step = code.mean;
  const int whole = code.k;
  for (int j = threadIdx.x; j < whole; j += kThreads) coefficients[j] = 0;
  double square = find_residual(b, code, coefficients, scratch);
  for (int time = 0; time < 3 && code.k > 0; ++time) {
    correlate(b, code);
    const int rank = correct(b, code);
    if (rank < code.k) {  // those from the first dependent one on are left out
      code.k = rank;
      time = -1;
      __syncthreads();
      for (int j = threadIdx.x; j < whole; j += kThreads) coefficients[j] = 0;
      square = find_residual(b, code, coefficients, scratch);
      continue;
    }
    block_back_substitute<kThreads>(code.k, code.k + 1, code.k, code.factor, step);
    for (int j = threadIdx.x; j < code.k; j += kThreads) {
      coefficients[j] += step[j] / b.norms[code.atoms[j]];
    }
    square = find_residual(b, code, coefficients, scratch);
  }
  return {square, code.k};
}

__global__ void __launch_bounds__(kThreads)
    all_least_squares(Batch b, Signals signals, Scratch scratch, LeastSquares* found) {
  __shared__ double sums[kThreads / 32];
  take_signals(signals, scratch, [&](int place, int s, double* numbers) {
    const LeastSquares result = least_squares(b, code_of(b, s, numbers), sums);
    if (threadIdx.x == 0) found[place] = result;
  });
}

int blocks_of(const Scratch& scratch, Signals signals) {
  return signals.count < scratch.blocks ? signals.count : scratch.blocks;
}

}  // namespace

std::size_t numbers_for_posterior(std::size_t most_atoms, std::size_t length) {
  return most_atoms * (2 * most_atoms + 1 + 3) + length;
}

int blocks_for_posterior(const Card&) {
  int device = 0, processors = 0, each = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, posteriors, kThreads, 0));
  return processors * each;
}

void find_posteriors(const Card& card, const Batch& batch, Signals signals, Scratch scratch,
                     bool reweight) {
  if (signals.count == 0) return;
  check(cudaMemsetAsync(scratch.next, 0, sizeof(int), card.stream()));
  posteriors<<<blocks_of(scratch, signals), kThreads, 0, card.stream()>>>(batch, signals, scratch,
                                                                         reweight);
  check(cudaGetLastError());
}

void fit_least_squares(const Card& card, const Batch& batch, Signals signals, Scratch scratch,
                       LeastSquares* found) {
  if (signals.count == 0) return;
  check(cudaMemsetAsync(scratch.next, 0, sizeof(int), card.stream()));
  all_least_squares<<<blocks_of(scratch, signals), kThreads, 0, card.stream()>>>(batch, signals,
                                                                                scratch, found);
  check(cudaGetLastError());
}

}  // namespace ardent::coding
