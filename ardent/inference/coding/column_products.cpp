#include "ardent/inference/coding/column_products.h"

#include <algorithm>
#include <vector>

#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr Index kLanes = 8;     // partial sums of one inner product
constexpr Index kTile = 4;      // columns of A and of B that share their loads
constexpr Index kStreams = 16;  // columns of A read at once where there is one of B
constexpr Index kCached = 8;    // the same, where the columns are in the cache
constexpr Index kAPanel = 32;   // columns of A that stay in the second-level cache
constexpr Index kAShare = 256;  // columns of A that a thread takes at a time

using PanelLanes = Eigen::Array<double, kLanes, 1>;
using LoadLanes = Eigen::Map<const PanelLanes>;

double sum_of(const PanelLanes& lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/// Inner products of RowsOfTile columns a[i] with ColsOfTile columns of B. The rest of a length
/// that is no multiple of the lanes is added last, in order.
template <Index RowsOfTile, Index ColsOfTile>
void tile(const double* const* a, const double* b, Index length, double* out, Index out_stride) {
  PanelLanes sums[RowsOfTile][ColsOfTile];
  for (auto& row : sums) {
    for (auto& lanes : row) lanes.setZero();
  }
  const Index whole = length / kLanes * kLanes;
  for (Index t = 0; t < whole; t += kLanes) {
    PanelLanes bs[ColsOfTile];
    for (Index j = 0; j < ColsOfTile; ++j) bs[j] = LoadLanes(b + j * length + t);
    for (Index i = 0; i < RowsOfTile; ++i) {
      const PanelLanes as = LoadLanes(a[i] + t);
      for (Index j = 0; j < ColsOfTile; ++j) sums[i][j] += as * bs[j];
    }
  }
  for (Index i = 0; i < RowsOfTile; ++i) {
    for (Index j = 0; j < ColsOfTile; ++j) {
      double sum = sum_of(sums[i][j]);
      for (Index t = whole; t < length; ++t) sum += a[i][t] * b[j * length + t];
      out[j * out_stride + i] = sum;
    }
  }
}

template <Index ColsOfTile>
void tile_column(const double* a, Index a_count, const double* b, Index length, double* out,
                 Index out_stride) {
  Index i = 0;
  constexpr Index kRowsOfTile = ColsOfTile == 1 ? kStreams : kTile;
  const double* columns[kRowsOfTile];
  for (; i + kRowsOfTile <= a_count; i += kRowsOfTile) {
    for (Index k = 0; k < kRowsOfTile; ++k) columns[k] = a + (i + k) * length;
    tile<kRowsOfTile, ColsOfTile>(columns, b, length, out + i, out_stride);
  }
  for (; i < a_count; ++i) {
    columns[0] = a + i * length;
    tile<1, ColsOfTile>(columns, b, length, out + i, out_stride);
  }
}

/// Streams columns of A at once.
template <Index Streams>
void listed_tiles(const double* a, std::span<const Index> which, const double* v, Index length,
                  double* out) {
  const double* columns[Streams];
  const Index count = std::ssize(which);
  Index k = 0;
  for (; k + Streams <= count; k += Streams) {
    for (Index i = 0; i < Streams; ++i) columns[i] = a + which[k + i] * length;
    tile<Streams, 1>(columns, v, length, out + k, 0);
  }
  for (; k < count; ++k) {
    columns[0] = a + which[k] * length;
    tile<1, 1>(columns, v, length, out + k, 0);
  }
}

}  // namespace

void column_products(const double* a, Index a_count, const double* b, Index b_count, Index length,
                     double* out, Index out_stride) {
  parallel_blocks(a_count, kAShare, [&](Index begin, Index end) {
    for (Index i = begin; i < end; i += kAPanel) {
      const Index panel = std::min(kAPanel, end - i);
      Index j = 0;
      for (; j + kTile <= b_count; j += kTile) {
        tile_column<kTile>(a + i * length, panel, b + j * length, length, out + j * out_stride + i,
                           out_stride);
      }
      for (; j < b_count; ++j) {
        tile_column<1>(a + i * length, panel, b + j * length, length, out + j * out_stride + i,
                       out_stride);
      }
    }
  });
}

void listed_products(const double* a, std::span<const Index> which, const double* v, Index length,
                     double* out) {
  parallel_blocks(std::ssize(which), kAShare, [&](Index begin, Index end) {
    listed_tiles<kStreams>(a, which.subspan(begin, end - begin), v, length, out + begin);
  });
}

void listed_products(const double* a, Index a_count, std::span<const ProductList> lists,
                     Index length) {
  parallel_blocks(a_count, kAShare, [&](Index begin, Index end) {
    std::vector<const Index*> next;  // the first of each list that is not done
    for (const ProductList& list : lists) {
      next.push_back(
          std::lower_bound(list.which.data(), list.which.data() + list.which.size(), begin));
    }
    for (Index i = begin; i < end; i += kAPanel) {
      for (std::size_t k = 0; k < lists.size(); ++k) {
        const ProductList& list = lists[k];
        const Index* const last = list.which.data() + list.which.size();
        const Index* const stop = std::lower_bound(next[k], std::min(last, next[k] + kAPanel),
                                                   std::min(end, i + kAPanel));
        listed_tiles<kCached>(a, {next[k], stop}, list.v, length,
                              list.out + (next[k] - list.which.data()));
        next[k] = stop;
      }
    }
  });
}

}  // namespace ardent
