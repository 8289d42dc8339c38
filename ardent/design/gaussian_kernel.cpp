#include "ardent/design/gaussian_kernel.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"

namespace ardent {
namespace {

/// Turns squared distances into phi. Results that would be subnormal are 0: they slow every
/// product.
void exponentiate(Eigen::Ref<Matrix> block, double sigma) {
  constexpr double kLeast = 1e-300;
  for (Index i = 0; i < block.cols(); ++i) {
    auto column = block.col(i).array();
    column = -column / sigma / sigma;  // σ² itself could underflow
    double* phi = block.col(i).data();
    elementary::exp_in_place(phi, block.rows());
    for (Index k = 0; k < block.rows(); ++k) phi[k] = phi[k] < kLeast ? 0 : phi[k];
  }
}

class KernelRows : public RowSource {
 public:
  KernelRows(std::shared_ptr<const RowSource> distances, double sigma)
      : RowSource(distances->rows(), distances->cols()),
        distances_(std::move(distances)),
        sigma_(sigma) {}

  void fill(Index begin, Index end, Eigen::Ref<Matrix> block) const override {
    distances_->fill(begin, end, block);
    exponentiate(block, sigma_);
  }

  std::shared_ptr<const RowSource> select(std::span<const Index> which) const override {
    return std::make_shared<KernelRows>(distances_->select(which), sigma_);
  }

 private:
  std::shared_ptr<const RowSource> distances_;
  double sigma_;
};

}  // namespace

std::unique_ptr<Design> gaussian_kernel_design(std::shared_ptr<const RowSource> distances,
                                               double sigma, std::size_t memory_limit) {
  if (!(sigma > 0) || !std::isfinite(sigma)) {
    throw InputError(
        fmt::format("sigma is {}, but a kernel width must be positive and finite", sigma));
  }
  return make_design(std::make_shared<KernelRows>(std::move(distances), sigma), memory_limit);
}

std::unique_ptr<Design> gaussian_kernel_design(const Features& rows, const Features& centres,
                                               double sigma, std::size_t memory_limit) {
  return gaussian_kernel_design(squared_distances(rows, centres), sigma, memory_limit);
}

}  // namespace ardent
