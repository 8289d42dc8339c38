// NumPy's .npz files: a zip archive of .npy arrays, stored without compression. Written only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

/// Compressed sparse rows in double: row i holds entries offsets[i] … offsets[i+1), columns
/// ascending from 0.
struct SparseTable {
  Index rows = 0;
  Index cols = 0;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int64_t> columns;
  std::vector<double> values;
};

/// A file that scipy.sparse.load_npz reads as a CSR matrix: data, indices, indptr, shape, format.
/// Appears whole under its name or not at all. Error if it would exceed 4 GiB, the limit of a plain
/// zip archive.
void write_sparse_npz(const SparseTable& table, const std::string& path);

}  // namespace ardent
