#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <vector>

#include "ardent/cuda/card/sparse_rows_on_card.h"
#include "ardent/cuda/card/sums.cuh"

namespace ardent {
namespace {

constexpr std::uint64_t kLongRow = 1024;  // entries: a row of more is summed in pieces
constexpr std::uint64_t kPiece = 4096;

__device__ void use_sum(const RowSumUse& use, std::size_t row, double sum) {
  if (use.constant) sum += *use.constant;
  if (use.multiplier) sum *= use.multiplier[row];
  if (use.scale) {
    const double scale = use.scale[row];
    sum *= use.squared ? scale * scale : scale;
  }
  sum *= use.factor;
  if (use.alpha) sum += use.v ? use.alpha[row] * use.v[row] : use.alpha[row];
  use.out[row] = sum;
}

template <bool squared>
__device__ double term(float value, double x) {
  const double wide = value;
  return squared ? wide * wide * x : wide * x;
}

template <int lanes, bool squared>
__global__ void sum_short_rows(std::size_t rows, const std::uint64_t* offsets,
                               const std::uint32_t* columns, const float* values, const double* x,
                               RowSumUse use) {
  const std::size_t thread = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % lanes;
  const std::size_t row = thread / lanes;
  double sum = 0;
  bool is_short = false;
  if (row < rows) {
    const std::uint64_t begin = offsets[row], end = offsets[row + 1];
    is_short = end - begin <= kLongRow;
    if (is_short) {
      for (std::uint64_t e = begin + lane; e < end; e += lanes) {
        sum += term<squared>(values[e], x[columns[e]]);
      }
    }
  }
  for (int step = lanes / 2; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step, lanes);
  if (is_short && lane == 0) use_sum(use, row, sum);
}

template <bool squared>
__global__ void sum_pieces(const RowPiece* pieces, const std::uint32_t* columns,
                           const float* values, const double* x, double* sums) {
  const RowPiece piece = pieces[blockIdx.x];
  double own[1] = {};
  for (std::uint64_t e = piece.begin + threadIdx.x; e < piece.end; e += kSumThreads) {
    own[0] += term<squared>(values[e], x[columns[e]]);
  }
  sum_over_block(own);
  if (threadIdx.x == 0) sums[blockIdx.x] = own[0];
}

template <bool squared>
void sum_short(const Card& card, int lanes, std::size_t rows, const std::uint64_t* offsets,
               const std::uint32_t* columns, const float* values, const double* x,
               const RowSumUse& use) {
  const auto blocks = static_cast<unsigned>((rows * lanes + kSumThreads - 1) / kSumThreads);
  const auto launch = [&](auto kernel) {
    kernel<<<blocks, kSumThreads, 0, card.stream()>>>(rows, offsets, columns, values, x, use);
  };
  switch (lanes) {
    case 2:
      return launch(sum_short_rows<2, squared>);
    case 4:
      return launch(sum_short_rows<4, squared>);
    case 8:
      return launch(sum_short_rows<8, squared>);
    case 16:
      return launch(sum_short_rows<16, squared>);
    default:
      return launch(sum_short_rows<32, squared>);
  }
}

/// The row of entry e: the last whose offset is at most e.
__device__ std::size_t row_of(const std::uint64_t* offsets, std::size_t rows, std::uint64_t e) {
  std::size_t low = 0, high = rows;  // offsets[low] <= e < offsets[high]
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (offsets[middle] <= e ? low : high) = middle;
  }
  return low;
}

/// Warp per row: how many of its entries stay; then, with `to`, where they go.
__global__ void keep_columns(std::size_t rows, const std::uint64_t* offsets,
                             const std::uint32_t* columns, const float* values,
                             const std::uint32_t* new_number, std::uint64_t* counts,
                             const std::uint64_t* to, std::uint32_t* columns_to, float* values_to) {
  const std::size_t row = (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const std::uint64_t end = offsets[row + 1];
  std::uint64_t next = to ? to[row] : 0;
  for (std::uint64_t first = offsets[row]; first < end; first += 32) {
    const std::uint64_t e = first + lane;
    const std::uint32_t number = e < end ? new_number[columns[e]] : SparseRowsOnCard::kDropped;
    const bool stays = number != SparseRowsOnCard::kDropped;
    const unsigned who = __ballot_sync(~0u, stays);
    if (to && stays) {
      const std::uint64_t place = next + __popc(who & ((1u << lane) - 1));
      columns_to[place] = number;
      values_to[place] = values[e];
    }
    next += __popc(who);
  }
  if (!to && lane == 0) counts[row] = next;
}

/// counts[0 … size), and one more place, become the sums of those before; their total.
std::uint64_t running_sums(Card& card, CardArray<std::uint64_t>& counts) {
  std::size_t bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts.data(), counts.data(), counts.size(),
                                      card.stream()));
  CardArray<char> room(card, bytes);
  check(cub::DeviceScan::ExclusiveSum(room.data(), bytes, counts.data(), counts.data(),
                                      counts.size(), card.stream()));
  std::uint64_t total = 0;
  check(cudaMemcpyAsync(&total, counts.data() + counts.size() - 1, sizeof total,
                        cudaMemcpyDeviceToHost, card.stream()));
  card.wait();
  return total;
}

/// In their order; there are at most so many.
std::vector<LongRow> long_rows(Card& card, const std::uint64_t* offsets, std::size_t rows,
                               std::size_t most) {
  if (most == 0) return {};
  CardArray<std::uint32_t> numbers(card, std::min(most, rows));
  CardArray<std::uint64_t> count(card, 1);
  const auto is_long = [offsets] __device__(std::uint32_t row) -> bool {
    return offsets[row + 1] - offsets[row] > kLongRow;
  };
  const thrust::counting_iterator<std::uint32_t> all(0);
  std::size_t bytes = 0;
  check(cub::DeviceSelect::If(nullptr, bytes, all, numbers.data(), count.data(), rows, is_long,
                              card.stream()));
  CardArray<char> room(card, bytes);
  check(cub::DeviceSelect::If(room.data(), bytes, all, numbers.data(), count.data(), rows, is_long,
                              card.stream()));
  CardArray<LongRow> found(card, count.on_host()[0]);
  LongRow* const to = found.data();
  const std::uint32_t* const from = numbers.data();
  for_each_on_card(card, found.size(), [=] __device__(std::ptrdiff_t i) {
    const std::uint32_t row = from[i];
    to[i] = {offsets[row], offsets[row + 1], row, 0};
  });
  return found.on_host();
}

}  // namespace

SparseRowsOnCard::SparseRowsOnCard(Card& card, std::span<const std::uint64_t> offsets,
                                   std::span<const std::uint32_t> columns,
                                   std::span<const float> values)
    : offsets_(card, offsets), columns_(card, columns), values_(card, values) {
  plan(card);
}

void SparseRowsOnCard::plan(Card& card) {
  const std::size_t mean = rows() > 0 ? entries() / rows() : 0;
  lanes_ = mean <= 2 ? 2 : mean <= 8 ? 4 : mean <= 24 ? 8 : mean <= 64 ? 16 : 32;
  std::vector<LongRow> found = long_rows(card, offsets_.data(), rows(), entries() / (kLongRow + 1));
  std::vector<RowPiece> pieces;
  for (LongRow& row : found) {
    row.first_piece = static_cast<std::uint32_t>(pieces.size());
    for (std::uint64_t begin = row.begin; begin < row.end; begin += kPiece) {
      pieces.push_back({begin, std::min(begin + kPiece, row.end)});
    }
  }
  long_rows_ = CardArray<LongRow>(card, std::span<const LongRow>(found));
  pieces_ = CardArray<RowPiece>(card, std::span<const RowPiece>(pieces));
}

void SparseRowsOnCard::sum_rows(Card& card, const double* x, const RowSumUse& use) const {
  if (rows() == 0) return;
  const auto short_rows = use.squared ? sum_short<true> : sum_short<false>;
  short_rows(card, lanes_, rows(), offsets_.data(), columns_.data(), values_.data(), x, use);
  check(cudaGetLastError());
  if (pieces_.empty()) return;
  CardArray<double> sums(card, pieces_.size());
  const auto piece_kernel = use.squared ? sum_pieces<true> : sum_pieces<false>;
  piece_kernel<<<static_cast<unsigned>(pieces_.size()), kSumThreads, 0, card.stream()>>>(
      pieces_.data(), columns_.data(), values_.data(), x, sums.data());
  check(cudaGetLastError());
  const LongRow* const long_rows = long_rows_.data();
  const double* const of_pieces = sums.data();
  for_each_on_card(card, long_rows_.size(), [=] __device__(std::ptrdiff_t i) {
    const LongRow row = long_rows[i];
    const std::uint64_t count = (row.end - row.begin + kPiece - 1) / kPiece;
    double sum = 0;
    for (std::uint64_t p = 0; p < count; ++p) sum += of_pieces[row.first_piece + p];
    use_sum(use, row.row, sum);
  });
}

SparseRowsOnCard SparseRowsOnCard::with_rows(Card& card, const std::uint32_t* kept,
                                             std::size_t count) const {
  SparseRowsOnCard result;
  result.offsets_ = CardArray<std::uint64_t>(card, count + 1);
  std::uint64_t* const to = result.offsets_.data();
  const std::uint64_t* const from = offsets_.data();
  for_each_on_card(card, count + 1, [=] __device__(std::ptrdiff_t k) {
    to[k] = k < static_cast<std::ptrdiff_t>(count) ? from[kept[k] + 1] - from[kept[k]] : 0;
  });
  const std::uint64_t total = running_sums(card, result.offsets_);
  result.columns_ = CardArray<std::uint32_t>(card, total);
  result.values_ = CardArray<float>(card, total);
  std::uint32_t* const columns_to = result.columns_.data();
  float* const values_to = result.values_.data();
  const std::uint32_t* const columns_from = columns_.data();
  const float* const values_from = values_.data();
  for_each_on_card(card, total, [=] __device__(std::ptrdiff_t e) {
    const std::size_t row = row_of(to, count, e);
    const std::uint64_t source = from[kept[row]] + (e - to[row]);
    columns_to[e] = columns_from[source];
    values_to[e] = values_from[source];
  });
  result.plan(card);
  return result;
}

SparseRowsOnCard SparseRowsOnCard::with_columns(Card& card, const std::uint32_t* new_number) const {
  SparseRowsOnCard result;
  result.offsets_ = CardArray<std::uint64_t>(card, rows() + 1);
  result.offsets_.set_zero();
  const auto blocks = static_cast<unsigned>((rows() * 32 + kSumThreads - 1) / kSumThreads);
  const auto run = [&](const std::uint64_t* to, std::uint32_t* columns_to, float* values_to) {
    if (rows() == 0) return;
    keep_columns<<<blocks, kSumThreads, 0, card.stream()>>>(
        rows(), offsets_.data(), columns_.data(), values_.data(), new_number,
        result.offsets_.data(), to, columns_to, values_to);
    check(cudaGetLastError());
  };
  run(nullptr, nullptr, nullptr);
  const std::uint64_t total = running_sums(card, result.offsets_);
  result.columns_ = CardArray<std::uint32_t>(card, total);
  result.values_ = CardArray<float>(card, total);
  run(result.offsets_.data(), result.columns_.data(), result.values_.data());
  result.plan(card);
  return result;
}

}  // namespace ardent
