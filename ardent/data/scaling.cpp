#include "ardent/data/scaling.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/data/column_statistics.h"

namespace ardent {
namespace {

/// 1/spread, or 0 where the column tells nothing (spread 0, or too small to divide by).
double inverse_or_zero(double spread) {
  const double inverse = 1 / spread;
  return spread > 0 && std::isfinite(inverse) ? inverse : 0;
}

Scaling minmax_scaling(const Features& features, const RowShare* share) {
  const ColumnRanges ranges = column_ranges(features, share);
  // Halves first: max − min of ±1e308 would overflow.
  Scaling scaling{ScaleKind::minmax, ranges.max / 2 + ranges.min / 2,
                  ranges.max / 2 - ranges.min / 2};
  for (double& factor : scaling.factor) factor = inverse_or_zero(factor);
  return scaling;
}

Scaling standard_scaling(const Features& features, std::span<const double> weights,
                         const RowShare* share) {
  const ColumnRanges ranges = column_ranges(features, share);
  const ColumnMoments moments = column_moments(features, ranges, weights, share);
  Scaling scaling{ScaleKind::standard, moments.mean, moments.deviation};
  for (Index k = 0; k < scaling.factor.size(); ++k) {
    // A constant column's deviation may be a rounding error instead of 0: the range knows.
    const bool constant = ranges.min[k] == ranges.max[k];
    scaling.factor[k] = constant ? 0 : inverse_or_zero(scaling.factor[k]);
  }
  return scaling;
}

Scaling rms_scaling(const Features& features, std::span<const double> weights,
                    const RowShare* share) {
  Scaling scaling{ScaleKind::rms, Vector::Zero(cols(features)),
                  column_rms(features, weights, share)};
  for (double& factor : scaling.factor) factor = inverse_or_zero(factor);
  return scaling;
}

Scaling tfidf_scaling(const Features& features, std::span<const double> weights,
                      const RowShare* share) {
  const Vector frequency = column_counts(features, weights, share);
  const auto count = frequency.size();
  Scaling scaling{ScaleKind::tfidf, Vector::Zero(count), Vector(count),
                  Buffer<float>::allocate(count)};
  const double all = 1 + row_count(features, weights, share);
  float* const every = scaling.every_factor.mutable_data();
  for (Index k = 0; k < count; ++k) {
    // Rounded here, once: a model file keeps four bytes per column and loses nothing.
    every[k] = static_cast<float>(elementary::log(all / (1 + frequency[k])) + 1);
    scaling.factor[k] = every[k];
  }
  return scaling;
}

}  // namespace

constexpr std::string_view kScales[] = {"auto", "minmax", "standard", "rms", "tfidf", "none"};

ScaleKind parse_scale(std::string_view name) {
  return static_cast<ScaleKind>(place_of(name, kScales, "scale"));
}

std::string_view scale_name(ScaleKind kind) {
  return kScales[static_cast<std::size_t>(kind)];
}

Scaling fit_scaling(const Features& features, ScaleKind kind, std::span<const double> weights,
                    const RowShare* share) {
  if (rows(features) == 0) throw InputError("a scaling cannot be fitted to no rows");
  if (kind == ScaleKind::automatic) {
    kind = is_sparse(features) ? ScaleKind::rms : ScaleKind::minmax;
  }
  switch (kind) {
    case ScaleKind::minmax:
      return minmax_scaling(features, share);
    case ScaleKind::standard:
      return standard_scaling(features, weights, share);
    case ScaleKind::rms:
      return rms_scaling(features, weights, share);
    case ScaleKind::tfidf:
      return tfidf_scaling(features, weights, share);
    default:
      return {ScaleKind::none, Vector::Zero(cols(features)), Vector::Ones(cols(features))};
  }
}

std::vector<Index> varying_columns(const Scaling& scaling) {
  std::vector<Index> columns;
  for (Index k = 0; k < scaling.factor.size(); ++k) {
    if (scaling.factor[k] != 0) columns.push_back(k);
  }
  return columns;
}

Scaling select_columns(const Scaling& scaling, std::span<const Index> which) {
  const auto count = std::ssize(which);
  Scaling result{scaling.kind, Vector(count), Vector(count), scaling.every_factor};
  const bool fills = scaling.fill.size() > 0;
  if (fills) result.fill.resize(count);
  for (Index k = 0; k < count; ++k) {
    const Index from = which[k];
    if (from < 0 || from >= scaling.factor.size()) {
      throw InputError(fmt::format("column {} was asked for, but the scaling has {}", from + 1,
                                   scaling.factor.size()));
    }
    result.offset[k] = scaling.offset[from];
    result.factor[k] = scaling.factor[from];
    if (fills) result.fill[k] = scaling.fill[from];
  }
  return result;
}

}  // namespace ardent
