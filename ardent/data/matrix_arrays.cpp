#include "ardent/data/matrix_arrays.h"

#include <fmt/format.h>

namespace ardent {

void add_matrix(ContainerWriter& file, const std::string& name, const Features& matrix) {
  if (const auto* sparse = std::get_if<SparseRows>(&matrix)) {
    file.add(name + ".offsets", sparse->offsets);
    file.add(name + ".columns", sparse->columns);
    file.add(name + ".values", sparse->values);
  } else {
    const auto& dense = std::get<DenseRows>(matrix);
    file.add(name, dense.values,
             {static_cast<std::uint64_t>(dense.rows), static_cast<std::uint64_t>(dense.cols)});
  }
}

DenseRows read_dense(const Container& file, const std::string& name) {
  const auto& shape = file.shape(name);
  if (shape.size() != 2) file.refuse(fmt::format("array {} is no matrix", name));
  // An extent of a matrix without entries could be anything: it must still be a sane Index.
  for (const std::uint64_t extent : shape) {
    if (extent >> 40) file.refuse(fmt::format("array {} has an absurd shape", name));
  }
  return {static_cast<Index>(shape[0]), static_cast<Index>(shape[1]), file.array<double>(name)};
}

SparseRows read_sparse(const Container& file, const std::string& name, Index cols) {
  SparseRows sparse;
  sparse.offsets = file.array<std::uint64_t>(name + ".offsets");
  sparse.columns = file.array<std::uint32_t>(name + ".columns");
  sparse.values = file.array<float>(name + ".values");
  if (sparse.offsets.empty()) file.refuse(fmt::format("the sparse rows {} have no offsets", name));
  sparse.rows = std::ssize(sparse.offsets) - 1;
  sparse.cols = cols;
  return sparse;
}

}  // namespace ardent
