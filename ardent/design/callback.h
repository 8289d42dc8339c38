// A design that exists as its products alone: somebody else computes Phi W and Phiᵀ R.
//
// The matrix may lie on other machines, or nowhere: a convolution, a Fourier transform, a product
// of matrices. Engines that need products and square norms (diagonal, probes, dqn) are at home
// here; everything else of the interface is made of products with unit vectors, which is exact and
// slow.
//
//   square norms   Σ_i β_i φ_ik² where the design is not asked for them itself: of a design with
//                  at most kExactNorms rows or columns by products with unit vectors; else the
//                  mean over kNormProbes random sign vectors s of (Phiᵀ(√β∘s))_k², which has a
//                  relative standard deviation of at most √(2/kNormProbes). The signs are always
//                  the same, so that stages of a fit see the same error.
//
// Vectors go in packs of up to kMostVectors. Calls come one after another from the thread that the
// engine runs on. What a product throws ends the fit.
#pragma once

#include <functional>

#include "ardent/design/design.h"

namespace ardent {

struct DesignProducts {
  /// out = Phi W (rows × k) and out = Phiᵀ R (cols × k); `out` arrives sized.
  std::function<void(const RowMatrix&w, RowMatrix&out)> multiply, multiply_transposed;
  /// out_k = Σ_i beta_i phi_ik², for all columns; may be empty.
  std::function<void(const Vector& beta, Vector& out)> weighted_square_norms = {};
};

class CallbackDesign : public Design {
 public:
  static constexpr Index kMostVectors = 8;
  static constexpr Index kExactNorms = 64;
  static constexpr Index kNormProbes = 64;

  CallbackDesign(Index rows, Index cols, DesignProducts products);

  std::unique_ptr<Design> clone() const override;

 protected:
  void do_multiply(const Eigen::Ref<const Vector>& w, Vector& out) const override;
  void do_multiply_transposed(const Vector& r, Vector& out) const override;
  void do_multiply_many(const RowMatrix& w, RowMatrix& out) const override;
  void do_multiply_transposed_many(const RowMatrix& r, RowMatrix& out) const override;
  void do_weighted_square_norms(const Vector& beta, Vector& out) const override;
  void do_weighted_gram(const Vector& beta, Matrix& out) const override;
  void do_weighted_outer(const Vector& gamma, Matrix& out) const override;
  void do_columns(std::span<const Index> which, Matrix& out) const override;
  void do_keep(std::span<const Index> active) override;

 private:
  Index kept() const { return std::ssize(kept_); }
  void probed_square_norms(const Vector& beta, Vector& out) const;

  std::shared_ptr<const DesignProducts> products_;
  Index all_columns_;
  std::vector<Index> kept_;  // of all columns, ascending
};

}  // namespace ardent
