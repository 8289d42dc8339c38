#include "ardent/linalg/symmetric_product.h"

#include <vector>

#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr Index kProductPanel =
    96;                         // columns of a panel: a multiple of every register tile of Eigen's
constexpr Index kDepth = 512;   // rows at a time: the weighted copy of a panel stays in cache
constexpr Index kTile = 64;     // edge of a tile when mirroring
constexpr Index kNarrow = 384;  // up to so many columns there are too few panels to share out,
constexpr Index kSlice = 4096;  // so that the inner dimension is cut into slices of at least this,
constexpr Index kMostSlices = 16;  // at most so many: each holds a partial result

/// Lower triangle of the panel at column c0 += (aᵀ diag(weights) a) over inner rows [begin, end).
template <class Tall>
void add_panel(const Tall& a, const Vector& weights, Index begin, Index end, Index c0,
               Eigen::Ref<Matrix> out) {
  const Index n = a.cols();
  const Index width = std::min(kProductPanel, n - c0);
  Matrix weighted;
  for (Index k = begin; k < end; k += kDepth) {
    const Index depth = std::min(kDepth, end - k);
    weighted = weights.segment(k, depth).asDiagonal() * a.block(k, c0, depth, width);
    out.block(c0, c0, width, width).template triangularView<Eigen::Lower>() +=
        a.block(k, c0, depth, width).transpose() * weighted;
    out.block(c0 + width, c0, n - c0 - width, width).noalias() +=
        a.block(k, c0 + width, depth, n - c0 - width).transpose() * weighted;
  }
}

template <class Tall>
void add_product(const Tall& a, const Vector& weights, Eigen::Ref<Matrix> out) {
  const Index inner = a.rows();
  const Index n = a.cols();
  const Index panels = (n + kProductPanel - 1) / kProductPanel;
  const Index slices = n <= kNarrow ? std::clamp<Index>(inner / kSlice, 1, kMostSlices) : 1;
  if (slices == 1) {
    parallel_for(panels, [&](Index p) { add_panel(a, weights, 0, inner, p * kProductPanel, out); });
    return;
  }
  std::vector<Matrix> partial(static_cast<std::size_t>(slices));
  parallel_for(slices, [&](Index s) {
    auto& sum = partial[static_cast<std::size_t>(s)];
    sum = Matrix::Zero(n, n);
    for (Index p = 0; p < panels; ++p) {
      add_panel(a, weights, s * inner / slices, (s + 1) * inner / slices, p * kProductPanel, sum);
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
  parallel_blocks(n, kTile, [&](Index c0, Index c1) {
    for (Index c = c0; c < c1; ++c) {
      for (Index r = c + 1; r < c1; ++r) out(c, r) = out(r, c);
    }
    for (Index r0 = c1; r0 < n; r0 += kTile) {
      const Index height = std::min(kTile, n - r0);
      out.block(c0, r0, c1 - c0, height) = out.block(r0, c0, height, c1 - c0).transpose();
    }
  });
}

}  // namespace ardent
