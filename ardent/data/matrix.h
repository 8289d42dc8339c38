// The numbers of a data set: dense rows in double, or sparse rows (CSR) in float32.
//
// Sparse values are float32 because a million-feature text set is bound by the bytes moved; dense
// data are small, and keep every digit. Both share their buffers when copied.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "ardent/base/buffer.h"
#include "ardent/base/types.h"

namespace ardent {

/// Row-major: row i is values[i*cols … (i+1)*cols).
struct DenseRows {
  Index rows = 0;
  Index cols = 0;
  Buffer<double> values;

  std::span<const double> row(Index i) const {
    return values.span().subspan(static_cast<std::size_t>(i * cols),
                                 static_cast<std::size_t>(cols));
  }
};

/// Compressed sparse rows: row i holds entries offsets[i] … offsets[i+1), columns ascending from 0.
struct SparseRows {
  Index rows = 0;
  Index cols = 0;
  Buffer<std::uint64_t> offsets;  // rows + 1
  Buffer<std::uint32_t> columns;
  Buffer<float> values;
  std::shared_ptr<const SparseRows> transpose;  // where it is available (the cache keeps it)

  Index nonzeros() const { return std::ssize(columns); }
};

/// A scaled value of a stored one: float32(x · by_column / row_lengths), as a scaled copy has it.
struct EntryScale {
  Vector by_column;
  Vector row_lengths = {};  // empty: 1

  float of(float x, Index row, Index column) const {
    const double scaled = static_cast<double>(x) * by_column[column];
    return static_cast<float>(row_lengths.size() > 0 ? scaled / row_lengths[row] : scaled);
  }
};

/// Scaled and selected columns of sparse rows, as they are read: nothing is copied. For rows that
/// are left on disk (base/memory_limit.h); what works on entries takes SparseRows.
struct StreamedRows {
  Index rows = 0;
  Index cols = 0;
  SparseRows stored;
  std::shared_ptr<const EntryScale> scale = nullptr;  // of the stored columns
  std::vector<Index> kept = {};                       // of the stored columns, ascending; empty: all
};

using Features = std::variant<DenseRows, SparseRows, StreamedRows>;

Index rows(const Features& features);
Index cols(const Features& features);
bool is_sparse(const Features& features);
/// Stored entries: rows × cols when dense, those of all stored columns when streamed.
Index stored(const Features& features);

/// The rows named, in that order (a row may be named twice). Of streamed rows: a copy with its
/// values scaled.
Features select_rows(const Features& features, std::span<const Index> which);
/// The columns named, ascending; the result's column k is column which[k]. All of them: no copy.
Features select_columns(const Features& features, std::span<const Index> which);
/// With columns of zeros at the end, `col_count` in all; dense rows that would exceed
/// kDenseLimitBytes become sparse.
Features widened(const Features& features, Index col_count);
/// Dense rows larger than this are taken for a mistake rather than allocated.
constexpr std::size_t kDenseLimitBytes = std::size_t{4} << 30;
/// Bytes that the features take as dense rows (a double: the product may be huge).
double dense_bytes(const Features& features);
/// Dense rows; throws InputError naming the bytes needed if they exceed `limit_bytes`.
DenseRows to_dense(const Features& features, std::size_t limit_bytes = kDenseLimitBytes);
/// The same as a matrix of its own.
Matrix dense_matrix(const Features& features);
/// Zeros are dropped; a value beyond float32's range is an InputError naming its place.
SparseRows to_sparse(const DenseRows& dense);

/// Where the entries of sparse rows are to be.
struct EntryRoom {
  Buffer<std::uint32_t> columns;
  Buffer<float> values;
};
EntryRoom allocate_entries(std::uint64_t count);
/// Makes room for so many entries, or fewer.
using MakeEntryRoom = std::function<EntryRoom(std::uint64_t entries)>;

/// The transpose of sparse rows: row k of the result is column k. Parallel, same bits always.
/// Where `sparse.transpose` is available, that is the answer.
SparseRows transposed(const SparseRows& sparse);
/// The same, made anew in this room, which has as many entries.
SparseRows transposed(const SparseRows& sparse, EntryRoom room);

/// Under a limit of memory (base/memory_limit.h): the entries of rows [begin, end) are read next,
/// or have been for now.
void expect_rows(const SparseRows& sparse, Index begin, Index end);
void release_rows(const SparseRows& sparse, Index begin, Index end);

/// Bounds of at most `most` blocks of rows with about equally many entries each: block b is rows
/// bounds[b] … bounds[b+1). They depend on the matrix and on `most` alone.
std::vector<Index> balanced_row_blocks(const SparseRows& sparse, Index most);

}  // namespace ardent
