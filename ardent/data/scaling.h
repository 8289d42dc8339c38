// Feature scaling, fitted on training rows only and stored in the model: x' = (x − offset)·factor,
// for tfidf divided by the row's length.
#pragma once

#include <string>
#include <string_view>

#include "ardent/base/row_share.h"
#include "ardent/base/types.h"
#include "ardent/data/matrix.h"

namespace ardent {

enum class ScaleKind { automatic, minmax, standard, rms, tfidf, none };

ScaleKind parse_scale(std::string_view name);  // auto | minmax | standard | rms | tfidf | none
std::string_view scale_name(ScaleKind kind);

/// Per-feature affine map.
///   minmax    to [−1, 1]: offset = (max+min)/2, factor = 2/(max−min)
///   standard  mean 0, standard deviation 1 (divisor N)
///   rms       offset 0, factor = 1/√mean(x²): keeps zeros zero
///   tfidf     offset 0, factor = ln((1 + N)/(1 + df)) + 1 with df the rows whose x is not 0
///             (scikit-learn's smooth idf, rounded to float32), then each row divided by its
///             Euclidean length over all columns: keeps zeros zero; a row of zeros stays one
///   none      offset 0, factor 1
///   automatic minmax for dense features, rms for sparse ones
/// A constant column (zero range, deviation or RMS) gets factor 0: it says nothing.
/// (none and tfidf leave constant columns alone: a row's length may still make them vary.)
struct Scaling {
  ScaleKind kind = ScaleKind::none;  // never automatic
  Vector offset;
  Vector factor;
  /// tfidf: the factors of all training columns, which select_columns does not thin out: however
  /// few columns are used, a row's length counts them all. Otherwise empty.
  Buffer<float> every_factor = {};
  /// What stands for a missing value before it is scaled; empty: none may be missing.
  Vector fill = {};

  bool unit_rows() const { return kind == ScaleKind::tfidf; }
};

/// `weights`: none, or one per row, how often it counts. `share`: of the rows, where several
/// processes have them; the scaling is that of all.
Scaling fit_scaling(const Features& features, ScaleKind kind, std::span<const double> weights = {},
                    const RowShare* share = nullptr);

/// Scaled features. minmax and standard make sparse features dense where that fits in memory,
/// otherwise InputError says to use rms. Sparse features that stay sparse share their pattern with
/// the result, and where their transpose is available it is scaled too.
Features apply_scaling(const Features& features, const Scaling& scaling);

/// The same of selected columns. Where scaling.unit_rows(), `lengths` has the row_lengths of all
/// columns; otherwise it is not looked at.
Features apply_scaling(const Features& features, const Scaling& scaling,
                       const Eigen::Ref<const Vector>& lengths);

/// The columns named of these features, scaled. Where memory is limited and has no room for scaled
/// values, rows that stay sparse are scaled as they are read (StreamedRows).
Features scaled_columns(const Features& features, const Scaling& scaling,
                        std::span<const Index> which);

/// Where scaling.unit_rows(): each row's Euclidean length over all columns times their factors, 1
/// for a row of zeros, so that dividing leaves it alone. Columns beyond those of the training count
/// nothing. Empty otherwise.
Vector row_lengths(const Features& all_columns, const Scaling& scaling);

/// Columns that the scaling leaves something of: the others are constant.
std::vector<Index> varying_columns(const Scaling& scaling);
/// The scaling of the columns named.
Scaling select_columns(const Scaling& scaling, std::span<const Index> which);

}  // namespace ardent
