#include "ardent/data/repeated_rows.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "ardent/base/error.h"

namespace ardent {
namespace {

/// The bytes of some numbers of a row.
template <class T>
std::string_view bytes_of(const T* begin, std::uint64_t count) {
  return {reinterpret_cast<const char*>(begin), count * sizeof(T)};
}

struct Row {
  std::string_view columns;  // sparse
  std::string_view values;
  auto operator<=>(const Row&) const = default;
};

struct RowHash {
  std::size_t operator()(const Row& row) const {
    const std::hash<std::string_view> hash;
    return hash(row.columns) * 0x9e3779b97f4a7c15ULL ^ hash(row.values);
  }
};

Row row_at(const DenseRows& dense, Index i) {
  return {{}, bytes_of(dense.row(i).data(), dense.cols)};
}

Row row_at(const SparseRows& sparse, Index i) {
  const std::uint64_t begin = sparse.offsets[i], count = sparse.offsets[i + 1] - begin;
  return {bytes_of(sparse.columns.data() + begin, count),
          bytes_of(sparse.values.data() + begin, count)};
}

[[noreturn]] Row row_at(const StreamedRows&, Index) {
  throw Error("rows that are left on disk cannot be compared with each other");
}

}  // namespace

std::vector<Index> first_copies(const Features& features) {
  return std::visit(
      [](const auto& matrix) {
        std::unordered_map<Row, Index, RowHash> seen;
        std::vector<Index> first(matrix.rows);
        for (Index i = 0; i < matrix.rows; ++i) {
          first[i] = seen.try_emplace(row_at(matrix, i), i).first->second;
        }
        return first;
      },
      features);
}

std::vector<Index> content_ranks(const Features& features) {
  return std::visit(
      [](const auto& matrix) {
        std::vector<Index> order(matrix.rows), ranks(matrix.rows);
        std::iota(order.begin(), order.end(), Index{0});
        std::sort(order.begin(), order.end(),
                  [&](Index a, Index b) { return row_at(matrix, a) < row_at(matrix, b); });
        for (Index i = 1; i < matrix.rows; ++i) {
          const bool copy = row_at(matrix, order[i - 1]) == row_at(matrix, order[i]);
          ranks[order[i]] = ranks[order[i - 1]] + (copy ? 0 : 1);
        }
        return ranks;
      },
      features);
}

}  // namespace ardent
