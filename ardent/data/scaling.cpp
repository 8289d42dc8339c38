#include "ardent/data/scaling.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/data/column_statistics.h"

namespace ardent {
namespace {

constexpr Index kRowBlock = 1024;

/// 1/spread, or 0 where the column tells nothing (spread 0, or too small to divide by).
double inverse_or_zero(double spread) {
  const double inverse = 1 / spread;
  return spread > 0 && std::isfinite(inverse) ? inverse : 0;
}

Scaling minmax_scaling(const Features& features) {
  const ColumnRanges ranges = column_ranges(features);
  // Halves first: max − min of ±1e308 would overflow.
  Scaling scaling{ScaleKind::minmax, ranges.max / 2 + ranges.min / 2,
                  ranges.max / 2 - ranges.min / 2};
  for (double& factor : scaling.factor) factor = inverse_or_zero(factor);
  return scaling;
}

Scaling standard_scaling(const Features& features) {
  const ColumnRanges ranges = column_ranges(features);
  const ColumnMoments moments = column_moments(features, ranges);
  Scaling scaling{ScaleKind::standard, moments.mean, moments.deviation};
  for (Index k = 0; k < scaling.factor.size(); ++k) {
    // A constant column's deviation may be a rounding error instead of 0: the range knows.
    const bool constant = ranges.min[k] == ranges.max[k];
    scaling.factor[k] = constant ? 0 : inverse_or_zero(scaling.factor[k]);
  }
  return scaling;
}

Scaling rms_scaling(const Features& features) {
  Scaling scaling{ScaleKind::rms, Vector::Zero(cols(features)), column_rms(features)};
  for (double& factor : scaling.factor) factor = inverse_or_zero(factor);
  return scaling;
}

DenseRows scale_dense(const DenseRows& dense, const Scaling& scaling) {
  DenseRows result{dense.rows, dense.cols, Buffer<double>::allocate(dense.values.size())};
  double* out = result.values.mutable_data();
  parallel_blocks(dense.rows, kRowBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const double* row = dense.values.data() + i * dense.cols;
      double* to = out + i * dense.cols;
      for (Index k = 0; k < dense.cols; ++k) {
        // Not ∞·0: a column without a factor is 0 whatever it holds.
        const double factor = scaling.factor[k];
        to[k] = factor == 0 ? 0 : (row[k] - scaling.offset[k]) * factor;
      }
    }
  });
  return result;
}

/// Values × factor of their column; the pattern is shared, not copied.
SparseRows scale_sparse(const SparseRows& sparse, const Vector& factor) {
  SparseRows result = sparse;
  result.transpose = nullptr;
  result.values = Buffer<float>::allocate(sparse.values.size());
  float* out = result.values.mutable_data();
  constexpr Index kEntryBlock = Index{1} << 18;
  parallel_blocks(sparse.nonzeros(), kEntryBlock, [&](Index begin, Index end) {
    for (auto e = static_cast<std::size_t>(begin); e < static_cast<std::size_t>(end); ++e) {
      out[e] = static_cast<float>(sparse.values[e] * factor[sparse.columns[e]]);
    }
  });
  return result;
}

/// The same for the transpose, whose rows are the columns.
SparseRows scale_sparse_rows(const SparseRows& transpose, const Vector& factor) {
  SparseRows result = transpose;
  result.values = Buffer<float>::allocate(transpose.values.size());
  float* out = result.values.mutable_data();
  parallel_blocks(transpose.rows, kRowBlock, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const auto row = static_cast<std::size_t>(k);
      for (std::uint64_t e = transpose.offsets[row]; e < transpose.offsets[row + 1]; ++e) {
        out[e] = static_cast<float>(transpose.values[e] * factor[k]);
      }
    }
  });
  return result;
}

}  // namespace

ScaleKind parse_scale(std::string_view name) {
  for (const ScaleKind kind : {ScaleKind::automatic, ScaleKind::minmax, ScaleKind::standard,
                               ScaleKind::rms, ScaleKind::none}) {
    if (name == scale_name(kind)) return kind;
  }
  throw InputError("scale must be auto, minmax, standard, rms or none, not " + quoted(name));
}

std::string_view scale_name(ScaleKind kind) {
  switch (kind) {
    case ScaleKind::automatic:
      return "auto";
    case ScaleKind::minmax:
      return "minmax";
    case ScaleKind::standard:
      return "standard";
    case ScaleKind::rms:
      return "rms";
    case ScaleKind::none:
      return "none";
  }
  return "unknown";
}

Scaling fit_scaling(const Features& features, ScaleKind kind) {
  if (rows(features) == 0) throw InputError("a scaling cannot be fitted to no rows");
  if (kind == ScaleKind::automatic) {
    kind = is_sparse(features) ? ScaleKind::rms : ScaleKind::minmax;
  }
  switch (kind) {
    case ScaleKind::minmax:
      return minmax_scaling(features);
    case ScaleKind::standard:
      return standard_scaling(features);
    case ScaleKind::rms:
      return rms_scaling(features);
    default:
      return {ScaleKind::none, Vector::Zero(cols(features)), Vector::Ones(cols(features))};
  }
}

Features apply_scaling(const Features& features, const Scaling& scaling) {
  if (scaling.factor.size() != cols(features) || scaling.offset.size() != cols(features)) {
    throw InputError(
        fmt::format("the features are {} × {}, but the scaling has {} offsets and {} factors",
                    rows(features), cols(features), scaling.offset.size(), scaling.factor.size()));
  }
  if (scaling.kind == ScaleKind::none) return features;
  const auto* sparse = std::get_if<SparseRows>(&features);
  if (!sparse) return scale_dense(std::get<DenseRows>(features), scaling);
  if (scaling.kind == ScaleKind::rms) {
    SparseRows result = scale_sparse(*sparse, scaling.factor);
    if (sparse->transpose) {
      result.transpose =
          std::make_shared<SparseRows>(scale_sparse_rows(*sparse->transpose, scaling.factor));
    }
    return result;
  }
  if (dense_bytes(features) > static_cast<double>(kDenseLimitBytes)) {
    throw InputError(fmt::format(
        "{} scaling would make {} × {} sparse features dense and take {:.1f} GiB: use --scale rms, "
        "which keeps them sparse",
        scale_name(scaling.kind), sparse->rows, sparse->cols, dense_bytes(features) / 0x1p30));
  }
  return scale_dense(to_dense(features), scaling);
}

Scaling select_columns(const Scaling& scaling, std::span<const Index> which) {
  const auto count = static_cast<Index>(which.size());
  Scaling result{scaling.kind, Vector(count), Vector(count)};
  for (Index k = 0; k < count; ++k) {
    const Index from = which[static_cast<std::size_t>(k)];
    if (from < 0 || from >= scaling.factor.size()) {
      throw InputError(fmt::format("column {} was asked for, but the scaling has {}", from + 1,
                                   scaling.factor.size()));
    }
    result.offset[k] = scaling.offset[from];
    result.factor[k] = scaling.factor[from];
  }
  return result;
}

}  // namespace ardent
