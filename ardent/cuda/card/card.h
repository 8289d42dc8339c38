// An NVIDIA card: its stream, the handles of its libraries, and checked calls.
//
// All work of one Card goes to one stream, in order. One thread at a time works with a Card: who
// begins a piece of work that others must not interrupt holds `turn()` meanwhile.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cusolverDn.h>
#include <cusparse.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

namespace ardent {

/// Throw Error where a call failed; memory that is not there says how much there is.
void check(cudaError_t status);
void check(cublasStatus_t status);
void check(cusparseStatus_t status);
void check(cusolverStatus_t status);

class Card {
 public:
  /// The first card that CUDA_VISIBLE_DEVICES leaves; there must be one.
  Card();
  ~Card();
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

  /// "NVIDIA H200, 139 GiB".
  std::string name() const;
  /// Bytes that could be allocated now.
  std::size_t free_bytes() const;
  std::recursive_mutex& turn() { return turn_; }

  cudaStream_t stream() const { return stream_; }
  /// Made when first asked for. FP64 math as the card has it, no atomics, a workspace of their own:
  /// the same bits from call to call.
  cublasHandle_t blas();
  cusparseHandle_t sparse();
  cusolverDnHandle_t solver();

  /// Waits for all that was asked for so far.
  void wait() const;

  // For sums (sums.cuh): room for the partial sums of a kernel, and where their total is read.
  static constexpr int kMostSums = 8;       // at once
  static constexpr int kMostBlocks = 1024;  // of partial sums
  double* partial_sums() const { return partial_sums_; }
  double* total_on_card() const { return partial_sums_ + kMostSums * kMostBlocks; }
  double* total_on_host() const { return total_; }

 private:
  std::recursive_mutex turn_;
  cudaStream_t stream_ = nullptr;
  cublasHandle_t blas_ = nullptr;
  cusparseHandle_t sparse_ = nullptr;
  cusolverDnHandle_t solver_ = nullptr;
  void* blas_workspace_ = nullptr;
  double* partial_sums_ = nullptr;
  double* total_ = nullptr;  // pinned
};

}  // namespace ardent
