// Feature scaling, fitted on training rows only and stored in the model: x' = (x − offset)·factor.
#pragma once

#include <string>
#include <string_view>

#include "ardent/base/types.h"
#include "ardent/data/matrix.h"

namespace ardent {

enum class ScaleKind { automatic, minmax, standard, rms, none };

ScaleKind parse_scale(std::string_view name);  // auto | minmax | standard | rms | none
std::string_view scale_name(ScaleKind kind);

/// Per-feature affine map.
///   minmax    to [−1, 1]: offset = (max+min)/2, factor = 2/(max−min)
///   standard  mean 0, standard deviation 1 (divisor N)
///   rms       offset 0, factor = 1/√mean(x²): keeps zeros zero
///   none      offset 0, factor 1
///   automatic minmax for dense features, rms for sparse ones
/// A constant column (zero range, deviation or RMS) gets factor 0: it can tell nothing.
/// (none leaves constant columns alone.)
struct Scaling {
  ScaleKind kind = ScaleKind::none;  // never automatic
  Vector offset;
  Vector factor;
};

Scaling fit_scaling(const Features& features, ScaleKind kind);

/// Scaled features. minmax and standard make sparse features dense where that fits in memory,
/// otherwise InputError says to use rms.
Features apply_scaling(const Features& features, const Scaling& scaling);

/// The scaling of the columns named.
Scaling select_columns(const Scaling& scaling, std::span<const Index> which);

}  // namespace ardent
