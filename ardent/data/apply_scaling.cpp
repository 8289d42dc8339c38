// Scaling put to the data. A scaled value is one expression, (x − offset)·factor/length, so that a
// row gives the same bits whether it is scaled whole, in part, or as part of the transpose.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/base/written_pages.h"
#include "ardent/data/scaling.h"

namespace ardent {
namespace {

constexpr Index kScaledRows = 1024;
constexpr Index kMostScaledBlocks = 256;

using Lengths = Eigen::Ref<const Vector>;

DenseRows scale_dense(const DenseRows& dense, const Scaling& scaling, const Lengths& lengths) {
  DenseRows result{dense.rows, dense.cols, Buffer<double>::allocate(dense.values.size())};
  double* out = result.values.mutable_data();
  parallel_blocks(dense.rows, kScaledRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const double* row = dense.values.data() + i * dense.cols;
      double* to = out + i * dense.cols;
      const double length = scaling.unit_rows() ? lengths[i] : 1;
      for (Index k = 0; k < dense.cols; ++k) {
        // Not ∞·0: a column without a factor is 0 whatever it holds.
        const double factor = scaling.factor[k];
        to[k] = factor == 0 ? 0 : (row[k] - scaling.offset[k]) * factor / length;
      }
    }
  });
  return result;
}

/// scaled(value, row, column) of every entry; the pattern is shared, not copied.
template <class Scaled>
SparseRows map_entries(const SparseRows& sparse, const Scaled& scaled) {
  SparseRows result = sparse;
  result.transpose = nullptr;
  result.values = Buffer<float>::allocate(sparse.values.size());
  float* out = result.values.mutable_data();
  const std::vector<Index> bounds = balanced_row_blocks(sparse, kMostScaledBlocks);
  parallel_for(std::ssize(bounds) - 1, [&](Index b) {
    const Index end = bounds[b + 1];
    for (Index i = bounds[b]; i < end; ++i) {
      for (std::uint64_t e = sparse.offsets[i]; e < sparse.offsets[i + 1]; ++e) {
        out[e] = static_cast<float>(scaled(sparse.values[e], i, sparse.columns[e]));
      }
      if ((i + 1) % kScaledRows == 0 || i + 1 == end) {
        const Index done = std::max(bounds[b], i + 1 - kScaledRows);
        release_rows(sparse, done, i + 1);
        release_rows(result, done, i + 1);
      }
    }
  });
  return result;
}

/// scaled(value, row, column) of every entry of the rows and, where it is available, of the
/// transpose: a ninth of the time of transposing once more, and less memory.
template <class Scaled>
SparseRows scale_sparse(const SparseRows& sparse, const Scaled& scaled) {
  SparseRows result = map_entries(sparse, scaled);
  if (sparse.transpose) {
    result.transpose = std::make_shared<SparseRows>(
        map_entries(*sparse.transpose,
                    [&](double x, Index column, Index row) { return scaled(x, row, column); }));
  }
  return result;
}

/// Squares of float32 numbers cannot overflow a double, nor vanish.
double sparse_length(const SparseRows& sparse, Index i, std::span<const float> factors) {
  double squares = 0;
  for (std::uint64_t e = sparse.offsets[i]; e < sparse.offsets[i + 1]; ++e) {
    const std::uint32_t k = sparse.columns[e];
    if (k >= factors.size()) break;  // columns ascend
    const double x = static_cast<double>(sparse.values[e]) * static_cast<double>(factors[k]);
    squares += x * x;
  }
  return std::sqrt(squares);
}

/// Squares of 1e300 would overflow, those of 1e-300 vanish: the largest number is the unit.
double dense_length(std::span<const double> row, std::span<const float> factors) {
  const std::size_t count = std::min(row.size(), factors.size());
  double largest = 0;
  for (std::size_t k = 0; k < count; ++k) {
    largest = std::max(largest, std::abs(row[k] * static_cast<double>(factors[k])));
  }
  if (largest == 0) return 0;
  double squares = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double x = row[k] * static_cast<double>(factors[k]) / largest;
    squares += x * x;
  }
  return largest * std::sqrt(squares);
}

/// Would a scaled copy of these columns be on disk?
bool left_on_disk(const SparseRows& sparse, ScaleKind kind, std::span<const Index> which) {
  const bool stays_sparse = kind == ScaleKind::rms || kind == ScaleKind::tfidf;
  const auto copies = static_cast<std::size_t>(sparse.transpose ? 2 : 1);
  return stays_sparse && !which.empty() &&
         !memory_has_room(copies * static_cast<std::size_t>(sparse.nonzeros()) * sizeof(float));
}

void require_fit(const Features& features, const Scaling& scaling, const Lengths& lengths) {
  if (scaling.factor.size() != cols(features) || scaling.offset.size() != cols(features)) {
    throw InputError(
        fmt::format("the features are {} × {}, but the scaling has {} offsets and {} factors",
                    rows(features), cols(features), scaling.offset.size(), scaling.factor.size()));
  }
  if (scaling.unit_rows() && lengths.size() != rows(features)) {
    throw InputError(fmt::format("the features are {} × {}, but {} row lengths were given",
                                 rows(features), cols(features), lengths.size()));
  }
}

}  // namespace

Features apply_scaling(const Features& features, const Scaling& scaling) {
  if (scaling.unit_rows() && scaling.factor.size() != std::ssize(scaling.every_factor)) {
    throw InputError(
        fmt::format("tfidf scaling of {} of {} columns needs the rows' lengths over all of them",
                    scaling.factor.size(), scaling.every_factor.size()));
  }
  return apply_scaling(features, scaling, row_lengths(features, scaling));
}

Features apply_scaling(const Features& features, const Scaling& scaling, const Lengths& lengths) {
  require_fit(features, scaling, lengths);
  if (scaling.kind == ScaleKind::none) return features;
  const auto* sparse = std::get_if<SparseRows>(&features);
  if (!sparse) return scale_dense(std::get<DenseRows>(features), scaling, lengths);
  const double* factor = scaling.factor.data();
  if (scaling.kind == ScaleKind::rms) {
    return scale_sparse(*sparse, [=](double x, Index, Index k) { return x * factor[k]; });
  }
  if (scaling.unit_rows()) {
    const double* length = lengths.data();
    return scale_sparse(*sparse,
                        [=](double x, Index i, Index k) { return x * factor[k] / length[i]; });
  }
  if (dense_bytes(features) > static_cast<double>(kDenseLimitBytes)) {
    throw InputError(fmt::format(
        "{} scaling would make {} × {} sparse features dense and take {:.1f} GiB: use scale rms, "
        "which keeps them sparse",
        scale_name(scaling.kind), sparse->rows, sparse->cols, dense_bytes(features) / 0x1p30));
  }
  return scale_dense(to_dense(features), scaling, lengths);
}

Features scaled_columns(const Features& features, const Scaling& scaling,
                        std::span<const Index> which) {
  Vector lengths = row_lengths(features, scaling);
  const auto* const sparse = std::get_if<SparseRows>(&features);
  if (sparse == nullptr || !left_on_disk(*sparse, scaling.kind, which)) {
    return apply_scaling(select_columns(features, which), select_columns(scaling, which), lengths);
  }
  StreamedRows streamed{.rows = sparse->rows, .cols = std::ssize(which), .stored = *sparse};
  streamed.scale =
      std::make_shared<const EntryScale>(EntryScale{scaling.factor, std::move(lengths)});
  if (streamed.cols < sparse->cols) streamed.kept.assign(which.begin(), which.end());
  return streamed;
}

Vector row_lengths(const Features& all_columns, const Scaling& scaling) {
  if (!scaling.unit_rows()) return {};
  const auto factors = scaling.every_factor.span();
  const auto* sparse = std::get_if<SparseRows>(&all_columns);
  Vector lengths(rows(all_columns));
  parallel_blocks(lengths.size(), kScaledRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const double length = sparse ? sparse_length(*sparse, i, factors)
                                   : dense_length(std::get<DenseRows>(all_columns).row(i), factors);
      lengths[i] = length > 0 ? length : 1;
    }
    if (sparse) release_rows(*sparse, begin, end);
  });
  return lengths;
}

}  // namespace ardent
