// A design over a RowSource: every operation asks for blocks of rows, uses them and drops them, so
// that N×M numbers are never held. Each pass over the rows computes them again.
#pragma once

#include "ardent/design/design.h"
#include "ardent/design/row_source.h"

namespace ardent {

class LazyDesign : public Design {
 public:
  explicit LazyDesign(std::shared_ptr<const RowSource> source);

  std::unique_ptr<Design> clone() const override;
  const RowSource& source() const { return *source_; }

 protected:
  void do_multiply(const Eigen::Ref<const Vector>& w, Vector& out) const override;
  void do_multiply_transposed(const Vector& r, Vector& out) const override;
  void do_weighted_square_norms(const Vector& beta, Vector& out) const override;
  void do_weighted_gram(const Vector& beta, Matrix& out) const override;
  void do_weighted_outer(const Vector& gamma, Matrix& out) const override;
  void do_columns(std::span<const Index> which, Matrix& out) const override;
  void do_keep(std::span<const Index> active) override;

 private:
  std::shared_ptr<const RowSource> source_;
};

constexpr std::size_t kMaterialiseLimitBytes = std::size_t{2} << 30;

/// Phi in memory where its N×M doubles fit `memory_limit` bytes, a LazyDesign otherwise.
std::unique_ptr<Design> make_design(std::shared_ptr<const RowSource> source,
                                    std::size_t memory_limit = kMaterialiseLimitBytes);

}  // namespace ardent
