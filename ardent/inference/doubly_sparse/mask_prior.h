// The prior of a 0/1 mask of M elements with n of them on, as the paper's equations (12)–(22) can
// be read.
//
//   independent   η_k ~ Beta(a/M, 1) for each element, (12)–(15) taken literally:
//                 p(mask) ∝ (a/M)^n,                    log odds of switching on  log(a/M).
//                 The only reading with the claimed Poisson(a) limit; the default.
//   shared        one η ~ Beta(a, 1) for all, which is what the printed Γ(n + a) of (19), (20)
//   says:
//                 p(mask) ∝ Γ(n + a) Γ(M − n + 1),      log odds  log[(n + a)/(M − n)].
//   paper-count   (21), (22) are the distribution of the count n; used as that of the mask they
//   give
//                 p(mask) ∝ Γ(n + a)/n!,                log odds  log[(n + a)/(n + 1)],
//                 and no sparsity. Only to reproduce the paper's tables.
#pragma once

#include <string_view>

#include "ardent/base/types.h"

namespace ardent::doubly_sparse {

enum class MaskPriorKind { independent, shared, paper_count };

MaskPriorKind parse_prior(std::string_view name);  // independent | shared | paper-count

/// How many basis points are expected on, unless the user says.
inline constexpr double kExpectedBasis = 20;

struct MaskPrior {
  MaskPriorKind kind = MaskPriorKind::independent;
  double a = 1;    // > 0
  Index size = 0;  // M

  /// log p(on)/p(off) of an element while `others` of the M − 1 others are on.
  double log_odds(Index others) const;
  /// log p(mask) with `on` elements on, up to a constant.
  double log_probability(Index on) const;
};

}  // namespace ardent::doubly_sparse
