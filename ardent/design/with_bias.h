// A design with one more column, of ones, after its own: the bias as just another weight.
#pragma once

#include "ardent/design/design.h"

namespace ardent {

class WithBias : public Design {
 public:
  explicit WithBias(std::unique_ptr<Design> inner);
  WithBias(const WithBias& other);

  std::unique_ptr<Design> clone() const override;
  const Design& inner() const { return *inner_; }

 protected:
  void do_multiply(const Eigen::Ref<const Vector>& w, Vector& out) const override;
  void do_multiply_transposed(const Vector& r, Vector& out) const override;
  void do_weighted_square_norms(const Vector& beta, Vector& out) const override;
  void do_weighted_gram(const Vector& beta, Matrix& out) const override;
  void do_weighted_outer(const Vector& gamma, Matrix& out) const override;
  void do_columns(std::span<const Index> which, Matrix& out) const override;
  /// The last of `active` must be the bias: it stays.
  void do_keep(std::span<const Index> active) override;

 private:
  std::unique_ptr<Design> inner_;
};

}  // namespace ardent
