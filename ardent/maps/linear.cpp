#include "ardent/maps/linear.h"

#include "ardent/base/parallel.h"
#include "ardent/design/dense.h"
#include "ardent/design/sparse.h"
#include "ardent/maps/feature_arrays.h"

namespace ardent {

std::unique_ptr<Design> linear_design(const Features& features) {
  constexpr Index kRowBlock = 256;
  if (const auto* sparse = std::get_if<SparseRows>(&features)) {
    return std::make_unique<SparseDesign>(*sparse);
  }
  if (const auto* streamed = std::get_if<StreamedRows>(&features)) {
    return std::make_unique<SparseDesign>(*streamed);
  }
  const auto& dense = std::get<DenseRows>(features);
  const Eigen::Map<const Matrix> transposed(dense.values.data(), dense.cols, dense.rows);
  Matrix phi(dense.rows, dense.cols);
  parallel_blocks(dense.rows, kRowBlock, [&](Index begin, Index end) {
    phi.middleRows(begin, end - begin) = transposed.middleCols(begin, end - begin).transpose();
  });
  return std::make_unique<DenseDesign>(std::move(phi));
}

MapPointer LinearMap::build(const MapRows& rows, const MapOptions&) {
  return std::make_shared<LinearMap>(rows.columns);
}

MapPointer LinearMap::load(const Container&, std::vector<Index> origin, Index) {
  return std::make_shared<LinearMap>(std::move(origin));
}

MapPointer LinearMap::restricted(std::span<const Index> kept) const {
  return std::make_shared<LinearMap>(origin_of(kept));
}

void LinearMap::check(Index inputs) const {
  check_origin(origin(), inputs);
}

}  // namespace ardent
