#include "ardent/data/column_statistics.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "ardent/base/parallel.h"

namespace ardent {
namespace {

constexpr Index kMostCounted = 8;
constexpr Index kReleasedRows = 1024;  // after which pages are let go under a limit of memory
constexpr Index kCountedColumns = 16384;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The rows cut into blocks; each_value(b, visit) calls visit(column, value, weight) for the stored
/// values of block b in order.
struct RowBlocks {
  const Features& features;
  std::span<const double> weights;
  std::vector<Index> bounds;

  explicit RowBlocks(const Features& f, std::span<const double> w = {}) : features(f), weights(w) {
    if (const auto* sparse = std::get_if<SparseRows>(&f)) {
      // Each block has an array of one double per column: all of them stay within the entries' own
      // eight bytes each.
      const Index affordable = sparse->nonzeros() / std::max<Index>(1, sparse->cols);
      bounds = balanced_row_blocks(*sparse, std::clamp<Index>(affordable, 1, kMostCounted));
      return;
    }
    constexpr Index kLeastRows = 256;
    const Index row_count = rows(f);
    const Index blocks = std::clamp<Index>(row_count / kLeastRows, 1, kMostCounted);
    for (Index b = 0; b <= blocks; ++b) bounds.push_back(row_count * b / blocks);
  }

  Index count() const { return std::ssize(bounds) - 1; }

  template <class Visit>
  void each_value(Index b, const Visit& visit) const {
    const Index begin = bounds[b];
    const Index end = bounds[b + 1];
    const auto* sparse = std::get_if<SparseRows>(&features);
    for (Index i = begin; i < end; ++i) {
      const double weight = weights.empty() ? 1 : weights[i];
      if (sparse) {
        for (auto e = sparse->offsets[i]; e < sparse->offsets[i + 1]; ++e) {
          visit(Index{sparse->columns[e]}, double{sparse->values[e]}, weight);
        }
        if ((i + 1) % kReleasedRows == 0 || i + 1 == end) {
          release_rows(*sparse, std::max(begin, i + 1 - kReleasedRows), i + 1);
        }
        continue;
      }
      const auto& dense = std::get<DenseRows>(features);
      const double* row = dense.values.data() + i * dense.cols;
      for (Index k = 0; k < dense.cols; ++k) visit(k, row[k], weight);
    }
  }
};

/// Folds update(so far, value, column, weight) over the stored values of each column, block by
/// block, then the blocks' results by combine(so far, block's) in block order.
template <class Update, class Combine>
Vector fold_columns(const RowBlocks& blocks, double start, const Update& update,
                    const Combine& combine) {
  const Index col_count = cols(blocks.features);
  auto partial = Buffer<double>::allocate(blocks.count() * col_count);
  double* const results = partial.mutable_data();
  parallel_for(blocks.count(), [&](Index b) {
    double* own = results + b * col_count;
    std::fill(own, own + col_count, start);
    blocks.each_value(b, [&](Index k, double x, double w) { own[k] = update(own[k], x, k, w); });
  });
  Vector result(col_count);
  parallel_blocks(col_count, kCountedColumns, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      result[k] = results[k];
      for (Index b = 1; b < blocks.count(); ++b) {
        result[k] = combine(result[k], results[b * col_count + k]);
      }
    }
  });
  return result;
}

constexpr auto kAdd = [](double a, double b) { return a + b; };
constexpr auto kLarger = [](double a, double b) { return std::max(a, b); };

/// How many zeros each column has that are not stored.
Vector implicit_zeros(const RowBlocks& blocks) {
  const Index col_count = cols(blocks.features);
  if (!is_sparse(blocks.features)) return Vector::Zero(col_count);
  const Vector stored_count = fold_columns(
      blocks, 0, [](double count, double, Index, double w) { return count + w; }, kAdd);
  return (row_count(blocks.features, blocks.weights) - stored_count.array()).matrix();
}

/// The power of two below `magnitude` (1 for 0): dividing by it is exact, and squares of what is
/// left cannot overflow.
double unit_of(double magnitude) {
  return magnitude > 0 && std::isfinite(magnitude) ? std::ldexp(1.0, std::ilogb(magnitude)) : 1.0;
}

}  // namespace

double row_count(const Features& features, std::span<const double> weights, const RowShare* share) {
  if (weights.empty()) return sum_over(share, static_cast<double>(rows(features)));
  return sum_over(share, std::accumulate(weights.begin(), weights.end(), 0.0));
}

Vector column_counts(const Features& features, std::span<const double> weights,
                     const RowShare* share) {
  Vector counts = fold_columns(
      RowBlocks(features, weights), 0,
      [](double count, double x, Index, double w) { return x != 0 ? count + w : count; }, kAdd);
  sum_over(share, counts);
  return counts;
}

ColumnRanges column_ranges(const Features& features, const RowShare* share) {
  const RowBlocks blocks(features);
  const auto smaller = [](double a, double b) { return std::min(a, b); };
  ColumnRanges ranges;
  ranges.min = fold_columns(
      blocks, kInfinity, [&](double a, double x, Index, double) { return smaller(a, x); }, smaller);
  ranges.max = fold_columns(
      blocks, -kInfinity, [&](double a, double x, Index, double) { return kLarger(a, x); },
      kLarger);
  const Vector zeros = implicit_zeros(blocks);
  for (Index k = 0; k < zeros.size(); ++k) {
    if (zeros[k] == 0) continue;
    ranges.min[k] = std::min(ranges.min[k], 0.0);
    ranges.max[k] = std::max(ranges.max[k], 0.0);
  }
  if (share) {
    Vector negative = -ranges.min;
    max_over(share, negative);
    ranges.min = -negative;
    max_over(share, ranges.max);
  }
  return ranges;
}

ColumnMoments column_moments(const Features& features, const ColumnRanges& ranges,
                             std::span<const double> weights, const RowShare* share) {
  const RowBlocks blocks(features, weights);
  const double count = row_count(features, weights, share);
  Vector unit = ranges.max.cwiseAbs().cwiseMax(ranges.min.cwiseAbs());
  for (double& u : unit) u = unit_of(u);

  Vector mean = fold_columns(
      blocks, 0, [&](double sum, double x, Index k, double w) { return sum + w * (x / unit[k]); },
      kAdd);
  sum_over(share, mean);
  mean /= count;
  Vector squares = fold_columns(
      blocks, 0,
      [&](double sum, double x, Index k, double w) {
        const double difference = x / unit[k] - mean[k];
        return sum + w * (difference * difference);
      },
      kAdd);
  squares.array() += implicit_zeros(blocks).array() * mean.array().square();
  sum_over(share, squares);
  return {mean.cwiseProduct(unit), (squares / count).cwiseSqrt().cwiseProduct(unit)};
}

Vector column_rms(const Features& features, std::span<const double> weights,
                  const RowShare* share) {
  const RowBlocks blocks(features, weights);
  Vector unit = Vector::Ones(cols(features));
  if (!is_sparse(features)) {  // squares of float32 values cannot overflow a double
    unit = fold_columns(
        blocks, 0, [](double a, double x, Index, double) { return std::max(a, std::abs(x)); },
        kLarger);
    max_over(share, unit);
    for (double& u : unit) u = unit_of(u);
  }
  Vector squares = fold_columns(
      blocks, 0,
      [&](double sum, double x, Index k, double w) {
        const double scaled = x / unit[k];
        return sum + w * (scaled * scaled);
      },
      kAdd);
  sum_over(share, squares);
  return (squares / row_count(features, weights, share)).cwiseSqrt().cwiseProduct(unit);
}

}  // namespace ardent
