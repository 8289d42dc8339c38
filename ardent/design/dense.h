// A dense design in memory, column-major.
#pragma once

#include "ardent/design/design.h"

namespace ardent {

class DenseDesign : public Design {
 public:
  explicit DenseDesign(Matrix phi);
  explicit DenseDesign(std::shared_ptr<const Matrix> phi);

  std::unique_ptr<Design> clone() const override;
  /// Without the factors of scale_columns; clones may share it.
  const std::shared_ptr<const Matrix>& values() const { return phi_; }

 protected:
  void do_multiply(const Eigen::Ref<const Vector>& w, Vector& out) const override;
  void do_multiply_transposed(const Vector& r, Vector& out) const override;
  void do_weighted_square_norms(const Vector& beta, Vector& out) const override;
  void do_weighted_gram(const Vector& beta, Matrix& out) const override;
  void do_weighted_outer(const Vector& gamma, Matrix& out) const override;
  void do_columns(std::span<const Index> which, Matrix& out) const override;
  void do_keep(std::span<const Index> active) override;

 private:
  std::shared_ptr<const Matrix> phi_;  // shared between clones until one is pruned
};

}  // namespace ardent
