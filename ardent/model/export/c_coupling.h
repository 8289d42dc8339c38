// Exported code for probabilities of classes from those of pairs of classes: Wu, Lin and Weng
// (2004), second method, as model/combine.h:
//
//   p minimises Σ_i Σ_j (r_ji p_i − r_ij p_j)² over Σ p = 1, that is Q p = t 1 with
//   Q_ii = Σ_j r_ji²,  Q_ij = −r_ij r_ji
#pragma once

#include "ardent/model/export/c_source.h"
#include "ardent/model/row_model.h"

namespace ardent {

/// @name_couple(r, p), r_ij at i·classes + j, r_ii = 0; r is lost. Doubles and floats improve one
/// class after the other; pairs of floats eliminate: Q's diagonal is all that cancels there, and is
/// exact to 1e-14, which is the square of the least r.
void add_c_coupling(CSource& source, const RowModel& model);

/// Bytes on the stack of @name_couple.
Index c_coupling_stack(const CSource& source, Index classes);

}  // namespace ardent
