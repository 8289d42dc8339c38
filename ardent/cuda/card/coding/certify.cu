// The certificate of each signal's code, and the atoms that its working set gets next.
//
// As on the processor (duality_gap.h, working_set_solver.h), but over all atoms: their products
// with the residual are there anyway, so none is rejected on the way.
#include "ardent/cuda/card/coding/block.cuh"
#include "ardent/cuda/card/coding/kernels.h"

namespace ardent::coding {
namespace {

constexpr int kThreads = 256;
constexpr int kFirstSet = 16;  // as working_set_solver.cpp has them
constexpr double kFinestInner = 1e-14;
constexpr double kGapRounding = 4e-15;

/// One signal's columns.
struct Column {
  int s;
  const double* residual;
  const double* c;
  const double* weights;
  double* scores;
  unsigned char* in_set;
  int* set;
  double* theta;
  int size;
};

__device__ Column column_of(const Batch& b, int s) {
  const size_t begin = (size_t)b.atoms * s;
  return {s,
          nullptr,
          nullptr,
          b.weights + begin,
          nullptr,
          b.in_set + begin,
          b.set + begin,
          b.theta + begin,
          b.set_size[s]};
}

struct Gap {
  double primal, gap;
  int nonzeros;
};

__device__ Gap gap_of(const Batch& b, const Column& column, double* scratch) {
  double square = 0, explained = 0, ratio = 0, nonzeros = 0;
  for (int i = threadIdx.x; i < b.length; i += kThreads) {
    square = fma(column.residual[i], column.residual[i], square);
  }
  for (int i = threadIdx.x; i < b.atoms; i += kThreads) {
    const double c = b.nonnegative ? column.c[i] : fabs(column.c[i]);
    ratio = fmax(ratio, c / column.weights[i]);
  }
  for (int p = threadIdx.x; p < column.size; p += kThreads) {
    explained = fma(column.theta[p], column.c[column.set[p]], explained);
    nonzeros += column.theta[p] != 0;
  }
  square = block_sum<kThreads>(square, scratch);
  explained = block_sum<kThreads>(explained, scratch);
  ratio = block_max<kThreads>(ratio, scratch);
  nonzeros = block_sum<kThreads>(nonzeros, scratch);
  const double best = square > 0 ? 1 + explained / square : 1;
  const double scale = fmin(fmax(best, 0.0), 1 / ratio);
  double penalty = 0, slack = 0;
  for (int p = threadIdx.x; p < column.size; p += kThreads) {
    if (column.theta[p] == 0) continue;
    const int atom = column.set[p];
    const double penalised = column.weights[atom] * fabs(column.theta[p]);
    penalty += penalised;
    slack += fmax(0.0, penalised - scale * column.theta[p] * column.c[atom]);
  }
  penalty = block_sum<kThreads>(penalty, scratch);
  slack = block_sum<kThreads>(slack, scratch);
  const double primal = 0.5 * square + penalty;
  const double gap = 0.5 * square * (1 - scale) * (1 - scale) + slack;
  // Not finite: a residual of rounding alone, for which η = 0 is feasible, too.
  return {primal, isfinite(gap) ? gap : primal, static_cast<int>(nonzeros)};
}

/// By how much an atom outside the set violates its constraint, in units of its length; 0: it does
/// not. Every thread gets how many violate theirs.
__device__ int find_scores(const Batch& b, const Column& column, double* scratch) {
  double count = 0;
  for (int i = threadIdx.x; i < b.atoms; i += kThreads) {
    const double c = b.nonnegative ? column.c[i] : fabs(column.c[i]);
    const double excess = c - column.weights[i];
    const double score = excess > 0 && !column.in_set[i] ? excess / b.norms[i] : 0;
    column.scores[i] = score;
    count += score > 0;
  }
  return static_cast<int>(block_sum<kThreads>(count, scratch));
}

/// The bits of positive numbers are ordered as the numbers are.
__device__ unsigned long long bits_of(double score) {
  return static_cast<unsigned long long>(__double_as_longlong(score));
}

/// The `rank`-th largest score (from 1), byte by byte; `equal`: how many scores equal to it are
/// among the `rank` largest.
__device__ unsigned long long score_of_rank(const Batch& b, const Column& column, int rank,
                                            int& equal) {
  __shared__ int histogram[256];
  __shared__ int chosen, left;
  unsigned long long prefix = 0;
  for (int shift = 56; shift >= 0; shift -= 8) {
    for (int bin = threadIdx.x; bin < 256; bin += kThreads) histogram[bin] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < b.atoms; i += kThreads) {
      const unsigned long long bits = bits_of(column.scores[i]);
      const bool same = shift == 56 || (bits >> (shift + 8)) == prefix;
      if (bits != 0 && same) atomicAdd(&histogram[(bits >> shift) & 255], 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      int rest = rank, bin = 255;
      while (histogram[bin] < rest) rest -= histogram[bin--];
      chosen = bin;
      left = rest;
    }
    __syncthreads();
    rank = left;
    prefix = (prefix << 8) | static_cast<unsigned long long>(chosen);
    __syncthreads();
  }
  equal = rank;
  return prefix;
}

/// Appends the atoms that `wanted` names, ascending, `most` of them at most.
template <class Wanted>
__device__ void append(const Batch& b, Column& column, Wanted wanted, int most) {
  __shared__ int scratch[kThreads / 32];
  int added = 0;
  for (int begin = 0; begin < b.atoms && added < most; begin += kThreads) {
    const int i = begin + threadIdx.x;
    const bool flag = i < b.atoms && wanted(i);
    int total = 0;
    const int rank = added + block_rank<kThreads>(flag, scratch, total);
    if (flag && rank < most) {
      column.set[column.size + rank] = i;
      column.theta[column.size + rank] = 0;
      column.in_set[i] = 1;
    }
    added = min(most, added + total);
  }
  column.size += added;
}

__device__ void grow(const Batch& b, Column& column, int candidates, int most) {
  const double* const scores = column.scores;
  if (candidates <= most) {
    append(b, column, [&](int i) { return scores[i] > 0; }, candidates);
  } else {
    int equal = 0;
    const unsigned long long last = score_of_rank(b, column, most, equal);
    append(b, column, [&](int i) { return bits_of(scores[i]) > last; }, most - equal);
    append(b, column, [&](int i) { return bits_of(scores[i]) == last; }, equal);
  }
  if (threadIdx.x == 0) b.set_size[column.s] = column.size;
}

/// Nothing more can be had where a correlation's rounding is all that is left of the gap.
__device__ State when_stalled(const Batch& b, const Column& column, Gap gap, double* scratch) {
  double coarsest = 0;
  for (int p = threadIdx.x; p < column.size; p += kThreads) {
    const int atom = column.set[p];
    coarsest = fmax(coarsest, b.norms[atom] / column.weights[atom]);
  }
  coarsest = block_max<kThreads>(coarsest, scratch);
  const double lost = kGapRounding * coarsest * b.signal[column.s].norm;
  return gap.gap <= lost * gap.primal ? State::converged : State::stalled;
}

__global__ void certify(Batch b, Signals signals, const double* residuals, const double* products,
                        double* scores, Rules rules) {
  __shared__ double scratch[kThreads / 32];
  Column column = column_of(b, signals.which[blockIdx.x]);
  column.residual = residuals + (size_t)b.length * blockIdx.x;
  column.c = products + (size_t)b.atoms * blockIdx.x;
  column.scores = scores + (size_t)b.atoms * blockIdx.x;
  const Gap gap = gap_of(b, column, scratch);
  Solve solve = b.solve[column.s];
  solve.primal = gap.primal;
  solve.gap = gap.gap;
  if (gap.gap <= rules.tolerance * gap.primal) {
    solve.state = State::converged;
  } else if (solve.rounds >= rules.most_rounds) {
    solve.state = State::round_limit;
  } else {
    const int candidates = find_scores(b, column, scratch);
    __syncthreads();
    if (candidates > 0) {
      grow(b, column, candidates, max(kFirstSet, gap.nonzeros));
    } else if (solve.inner_tolerance <= kFinestInner) {
      solve.state = when_stalled(b, column, gap, scratch);
    } else {
      solve.inner_tolerance = fmax(kFinestInner, 0.1 * solve.inner_tolerance);
    }
    ++solve.rounds;
  }
  __syncthreads();
  if (threadIdx.x == 0) b.solve[column.s] = solve;
}

}  // namespace

void certify_and_grow(const Card& card, const Batch& batch, Signals signals,
                      const double* residuals, const double* products, double* scores,
                      Rules rules) {
  if (signals.count == 0) return;
  certify<<<signals.count, kThreads, 0, card.stream()>>>(batch, signals, residuals, products, scores,
                                                         rules);
  check(cudaGetLastError());
}

}  // namespace ardent::coding
