#include "ardent/design/linear.h"

#include "ardent/base/parallel.h"
#include "ardent/design/dense.h"
#include "ardent/design/sparse.h"

namespace ardent {

std::unique_ptr<Design> linear_design(const Features& features) {
  constexpr Index kRowBlock = 256;
  if (const auto* sparse = std::get_if<SparseRows>(&features)) {
    return std::make_unique<SparseDesign>(*sparse);
  }
  const auto& dense = std::get<DenseRows>(features);
  const Eigen::Map<const Matrix> transposed(dense.values.data(), dense.cols, dense.rows);
  Matrix phi(dense.rows, dense.cols);
  parallel_blocks(dense.rows, kRowBlock, [&](Index begin, Index end) {
    phi.middleRows(begin, end - begin) = transposed.middleCols(begin, end - begin).transpose();
  });
  return std::make_unique<DenseDesign>(std::move(phi));
}

}  // namespace ardent
