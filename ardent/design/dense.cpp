#include "ardent/design/dense.h"

#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr Index kRowBlock = 4096;    // rows per block of Phi w
constexpr Index kColumnBlock = 64;   // columns per block of Phiᵀ r
constexpr Index kTile = 128;         // edge of a tile of a Gram matrix

/// out = Aᵀ B for symmetric results: the tiles on and below the diagonal are computed in parallel,
/// each by one thread over the whole inner dimension, and mirrored.
void symmetric_product(const Matrix& a, const Matrix& b, Matrix& out) {
  const Index n = out.rows();
  const Index tiles = (n + kTile - 1) / kTile;
  parallel_for(tiles * (tiles + 1) / 2, [&](Index t) {
    Index row_tile = 0;
    while ((row_tile + 1) * (row_tile + 2) / 2 <= t) ++row_tile;
    const Index column_tile = t - row_tile * (row_tile + 1) / 2;
    const Index r0 = row_tile * kTile, c0 = column_tile * kTile;
    const Index nr = std::min(kTile, n - r0), nc = std::min(kTile, n - c0);
    out.block(r0, c0, nr, nc).noalias() = a.middleCols(r0, nr).transpose() * b.middleCols(c0, nc);
    if (row_tile != column_tile) {
      out.block(c0, r0, nc, nr) = out.block(r0, c0, nr, nc).transpose();
    } else {
      // A product's two triangles may differ in the last bit; ours are one matrix.
      for (Index c = 0; c < nc; ++c) {
        for (Index r = c + 1; r < nr; ++r) out(c0 + c, r0 + r) = out(r0 + r, c0 + c);
      }
    }
  });
}

}  // namespace

DenseDesign::DenseDesign(Matrix phi)
    : Design(phi.rows(), phi.cols()), phi_(std::make_shared<const Matrix>(std::move(phi))) {}

std::unique_ptr<Design> DenseDesign::clone() const { return std::make_unique<DenseDesign>(*this); }

void DenseDesign::do_multiply(const Vector& w, Vector& out) const {
  parallel_blocks(rows(), kRowBlock, [&](Index begin, Index end) {
    out.segment(begin, end - begin).noalias() = phi_->middleRows(begin, end - begin) * w;
  });
}

void DenseDesign::do_multiply_transposed(const Vector& r, Vector& out) const {
  parallel_blocks(cols(), kColumnBlock, [&](Index begin, Index end) {
    out.segment(begin, end - begin).noalias() = phi_->middleCols(begin, end - begin).transpose() * r;
  });
}

void DenseDesign::do_weighted_square_norms(const Vector& beta, Vector& out) const {
  parallel_blocks(cols(), kColumnBlock, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      out[k] = (phi_->col(k).array().square() * beta.array()).sum();
    }
  });
}

void DenseDesign::do_weighted_gram(const Vector& beta, Matrix& out) const {
  const Matrix weighted = beta.asDiagonal() * *phi_;
  symmetric_product(weighted, *phi_, out);
}

void DenseDesign::do_weighted_outer(const Vector& gamma, Matrix& out) const {
  const Matrix transposed = phi_->transpose();
  const Matrix weighted = gamma.asDiagonal() * transposed;
  symmetric_product(weighted, transposed, out);
}

void DenseDesign::do_columns(std::span<const Index> which, Matrix& out) const {
  for (Index k = 0; k < out.cols(); ++k) out.col(k) = phi_->col(which[static_cast<std::size_t>(k)]);
}

void DenseDesign::do_keep(std::span<const Index> active) {
  auto kept = std::make_shared<Matrix>(rows(), static_cast<Index>(active.size()));
  do_columns(active, *kept);
  phi_ = std::move(kept);
}

}  // namespace ardent
