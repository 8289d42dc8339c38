// Statistics of each feature over the rows, for scaling. The zeros that sparse rows do not store
// count like any other value. Where weights are given, one per row, a row counts so many times.
// Where several processes share the rows the statistics are those of all rows.
// Same bits for any number of threads.
#pragma once

#include <span>

#include "ardent/base/row_share.h"
#include "ardent/base/types.h"
#include "ardent/data/matrix.h"

namespace ardent {

/// Rows whose value is not 0.
Vector column_counts(const Features& features, std::span<const double> weights = {},
                     const RowShare* share = nullptr);
/// How many rows there are.
double row_count(const Features& features, std::span<const double> weights = {},
                 const RowShare* share = nullptr);

struct ColumnRanges {
  Vector min;
  Vector max;
};
ColumnRanges column_ranges(const Features& features, const RowShare* share = nullptr);

struct ColumnMoments {
  Vector mean;
  Vector deviation;  // divisor N
};
/// Two passes, mean first: values of 1e6 that differ by 1 keep all their digits, and values of
/// 1e300 do not overflow when squared.
ColumnMoments column_moments(const Features& features, const ColumnRanges& ranges,
                             std::span<const double> weights = {}, const RowShare* share = nullptr);

/// √mean(x²), without overflow.
Vector column_rms(const Features& features, std::span<const double> weights = {},
                  const RowShare* share = nullptr);

}  // namespace ardent
