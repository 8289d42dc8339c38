// exp, log and the sigmoid in exported code, by math.h or of its own.
//
// exp is called for arguments ≤ 0 alone, so that nothing overflows:
//   exp(x) = 2^(n/N) exp(r),  n = round(N x/log 2),  |r| <= log(2)/(2N),
// with 2^(j/N), j < N, from the table and exp(r) by its Taylor polynomial, of the degree that N and
// the precision ask for. log x = e log 2 + 2 artanh((m − 1)/(m + 1)), √½ < m <= √2.
#pragma once

#include "ardent/model/export/c_source.h"
#include "ardent/model/export/export_options.h"

namespace ardent {

/// InputError unless the table of exp has 0 entries or a power of two up to kMostExpTable.
void require_table_size(Index entries);
/// @name_exp.
void add_c_exp(CSource& source, const ExportOptions& options);
/// @name_log, of numbers from 1e-12 to 1.
void add_c_log(CSource& source, const ExportOptions& options);
/// @name_sigmoid(f, &other): 1/(1 + exp(−f)), and 1 − that without cancellation; needs @name_exp.
void add_c_sigmoid(CSource& source);

}  // namespace ardent
