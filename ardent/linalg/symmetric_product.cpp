#include "ardent/linalg/symmetric_product.h"

#include <vector>

#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr Index kProductPanel =
    96;                        // columns of a panel: a multiple of every register tile of Eigen's
constexpr Index kRows = 288;   // rows of a task below the diagonal: a multiple of them, too
constexpr Index kDepth = 512;  // rows at a time: the weighted copy of a panel stays in cache
constexpr Index kMirrorTile = 64;  // edge of a tile when mirroring
constexpr Index kNarrow = 384;     // up to so many columns there are too few panels to share out,
constexpr Index kSlice = 4096;  // so that the inner dimension is cut into slices of at least this,
constexpr Index kMostProductSlices = 16;  // at most so many: each holds a partial result

/// A task: columns c0 … of the result, from the panel's corner on the diagonal (r0 = c0) or some of
/// the rows below it.
struct Tile {
  Index c0, width, r0, height;
};

/// The tiles of the lower triangle, panel by panel.
std::vector<Tile> tiles_of(Index n) {
  std::vector<Tile> tiles;
  for (Index c0 = 0; c0 < n; c0 += kProductPanel) {
    const Index width = std::min(kProductPanel, n - c0);
    tiles.push_back({c0, width, c0, width});
    for (Index r0 = c0 + width, height = 0; r0 < n; r0 += height) {
      // A remainder of few rows would be multiplied by other kernels of Eigen's, to other bits.
      height = n - r0 < kRows + kProductPanel ? n - r0 : kRows;
      tiles.push_back({c0, width, r0, height});
    }
  }
  return tiles;
}

/// The tile (of the corner: its lower triangle) += (aᵀ diag(weights) a) over inner rows
/// [begin, end).
template <class Tall>
void add_tile(const Tall& a, const Vector& weights, Index begin, Index end, const Tile& tile,
              Eigen::Ref<Matrix> out) {
  const auto [c0, width, r0, height] = tile;
  Matrix weighted;
  for (Index k = begin; k < end; k += kDepth) {
    const Index depth = std::min(kDepth, end - k);
    weighted = weights.segment(k, depth).asDiagonal() * a.block(k, c0, depth, width);
    const auto rows = a.block(k, r0, depth, height).transpose();
    if (r0 == c0) {
      out.block(r0, c0, height, width).template triangularView<Eigen::Lower>() += rows * weighted;
    } else {
      out.block(r0, c0, height, width).noalias() += rows * weighted;
    }
  }
}

template <class Tall>
void add_product(const Tall& a, const Vector& weights, Eigen::Ref<Matrix> out) {
  const Index inner = a.rows();
  const Index n = a.cols();
  const std::vector<Tile> tiles = tiles_of(n);
  const Index slices = n <= kNarrow ? std::clamp<Index>(inner / kSlice, 1, kMostProductSlices) : 1;
  if (slices == 1) {
    parallel_for(std::ssize(tiles),
                 [&](Index t) { add_tile(a, weights, 0, inner, tiles[t], out); });
    return;
  }
  std::vector<Matrix> partial(slices);
  parallel_for(slices, [&](Index s) {
    auto& sum = partial[s];
    sum = Matrix::Zero(n, n);
    for (const Tile& tile : tiles) {
      add_tile(a, weights, s * inner / slices, (s + 1) * inner / slices, tile, sum);
    }
  });
  for (const Matrix& sum : partial) out += sum;
}

}  // namespace

void add_weighted_gram(const Eigen::Ref<const Matrix>& a, const Vector& weights,
                       Eigen::Ref<Matrix> out) {
  add_product(a, weights, out);
}

void add_weighted_outer(const Eigen::Ref<const Matrix>& a, const Vector& weights,
                        Eigen::Ref<Matrix> out) {
  add_product(a.transpose(), weights, out);
}

void mirror_lower(Matrix& out) {
  const Index n = out.rows();
  parallel_blocks(n, kMirrorTile, [&](Index c0, Index c1) {
    for (Index c = c0; c < c1; ++c) {
      for (Index r = c + 1; r < c1; ++r) out(c, r) = out(r, c);
    }
    for (Index r0 = c1; r0 < n; r0 += kMirrorTile) {
      const Index height = std::min(kMirrorTile, n - r0);
      out.block(c0, r0, c1 - c0, height) = out.block(r0, c0, height, c1 - c0).transpose();
    }
  });
}

}  // namespace ardent
