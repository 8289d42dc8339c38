#include "ardent/cuda/card/card.h"

#include <fmt/format.h>

#include <cstdint>

#include "ardent/base/error.h"

namespace ardent {
namespace {

constexpr std::size_t kBlasWorkspace = std::size_t{32} << 20;  // what cuBLAS asks for on Hopper

}  // namespace

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // it is reported here, not by the next call, too
  if (status == cudaErrorMemoryAllocation) {
    std::size_t free = 0, all = 0;
    cudaMemGetInfo(&free, &all);
    throw Error(
        fmt::format("device cuda: the card's memory is full ({:.1f} of {:.1f} GiB are free): take "
                    "fewer rows or columns, a card with more memory, or device cpu",
                    static_cast<double>(free) / (1 << 30), static_cast<double>(all) / (1 << 30)));
  }
  throw Error(fmt::format("device cuda: {}", cudaGetErrorString(status)));
}

void check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  if (status == CUBLAS_STATUS_ALLOC_FAILED) check(cudaErrorMemoryAllocation);
  throw Error(fmt::format("device cuda: cuBLAS: {}", cublasGetStatusString(status)));
}

void check(cusparseStatus_t status) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  if (status == CUSPARSE_STATUS_ALLOC_FAILED || status == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES) {
    check(cudaErrorMemoryAllocation);
  }
  throw Error(fmt::format("device cuda: cuSPARSE: {}", cusparseGetErrorString(status)));
}

void check(cusolverStatus_t status) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  if (status == CUSOLVER_STATUS_ALLOC_FAILED) check(cudaErrorMemoryAllocation);
  throw Error(fmt::format("device cuda: cuSOLVER: status {}", static_cast<int>(status)));
}

Card::Card() {
  check(cudaSetDevice(0));
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  // Memory that was given back is kept for the next array: a fit allocates many of the same sizes.
  cudaMemPool_t pool;
  check(cudaDeviceGetDefaultMemPool(&pool, 0));
  std::uint64_t keep = std::numeric_limits<std::uint64_t>::max();
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  check(cudaMallocHost(reinterpret_cast<void**>(&total_), kMostSums * sizeof(double)));
  check(cudaMalloc(reinterpret_cast<void**>(&partial_sums_),
                   kMostSums * (kMostBlocks + 1) * sizeof(double)));
}

Card::~Card() {
  if (blas_) cublasDestroy(blas_);
  if (sparse_) cusparseDestroy(sparse_);
  if (solver_) cusolverDnDestroy(solver_);
  cudaFree(blas_workspace_);
  cudaFree(partial_sums_);
  cudaFreeHost(total_);
  cudaStreamDestroy(stream_);
}

std::string Card::name() const {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  return fmt::format("{}, {} GiB", properties.name, properties.totalGlobalMem >> 30);
}

std::size_t Card::free_bytes() const {
  // What is kept for the next array is free, too.
  cudaMemPool_t pool;
  check(cudaDeviceGetDefaultMemPool(&pool, 0));
  wait();
  check(cudaMemPoolTrimTo(pool, 0));
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all));
  return free;
}

cublasHandle_t Card::blas() {
  if (!blas_) {
    check(cublasCreate(&blas_));
    check(cublasSetStream(blas_, stream_));
    check(cudaMalloc(&blas_workspace_, kBlasWorkspace));
    check(cublasSetWorkspace(blas_, blas_workspace_, kBlasWorkspace));
    check(cublasSetMathMode(blas_, CUBLAS_DEFAULT_MATH));
    check(cublasSetAtomicsMode(blas_, CUBLAS_ATOMICS_NOT_ALLOWED));
  }
  return blas_;
}

cusparseHandle_t Card::sparse() {
  if (!sparse_) {
    check(cusparseCreate(&sparse_));
    check(cusparseSetStream(sparse_, stream_));
  }
  return sparse_;
}

cusolverDnHandle_t Card::solver() {
  if (!solver_) {
    check(cusolverDnCreate(&solver_));
    check(cusolverDnSetStream(solver_, stream_));
    check(cusolverDnSetDeterministicMode(solver_, CUSOLVER_DETERMINISTIC_RESULTS));
  }
  return solver_;
}

void Card::wait() const {
  check(cudaStreamSynchronize(stream_));
}

}  // namespace ardent
