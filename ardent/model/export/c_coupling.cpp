#include "ardent/model/export/c_coupling.h"

#include <fmt/format.h>

namespace ardent {
namespace {

constexpr std::string_view kHead = R"(
/* Probabilities of classes from those of pairs: Wu, Lin and Weng (2004), second method */
static inline void @name_couple(@real *{}, @real *p)
{{
)";

/// Q = LDLᵀ; y = L⁻¹1. With s the last of D, p_n = y_n and p_i = (s y_i − Σ_j (DLᵀ)_ij p_j)/D_i but
/// for a factor: all terms are positive, and nothing is divided by s, which is 0 where the pairs
/// agree.
constexpr std::string_view kElimination =
    R"(    @name_pair q[@NAME_CLASSES * (@NAME_CLASSES + 1) / 2], *of_i = q;
    float y[@NAME_CLASSES], sum = 0, last;
    int i, j, k;
    for (i = 0; i < @NAME_CLASSES; ++i) {
        @name_pair diagonal = @name_pair_of(0.0f, 0.0f);
        for (j = 0; j < @NAME_CLASSES; ++j) {
            const @name_pair r_ji = @name_pair_of(r[j * @NAME_CLASSES + i], 0.0f);
            if (j != i)
                diagonal = @name_plus(diagonal, @name_times(r_ji, r_ji));
            if (j > i)
                of_i[j - i] = @name_times(@name_pair_of(-r[i * @NAME_CLASSES + j], 0.0f), r_ji);
        }
        of_i[0] = diagonal;
        of_i += @NAME_CLASSES - i;
        y[i] = 1;
    }
    for (of_i = q, i = 0; i + 1 < @NAME_CLASSES; of_i += @NAME_CLASSES - i, ++i) {
        @name_pair *of_k = of_i + (@NAME_CLASSES - i), inverse;
        if (of_i[0].hi < 1e-14f)
            of_i[0] = @name_pair_of(1e-14f, 0.0f);
        inverse = @name_inverse(of_i[0]);
        for (k = i + 1; k < @NAME_CLASSES; of_k += @NAME_CLASSES - k, ++k) {
            const @name_pair share = @name_times(of_i[k - i], inverse);
            for (j = k; j < @NAME_CLASSES; ++j)
                of_k[j - k] = @name_minus(of_k[j - k], @name_times(share, of_i[j - i]));
            y[k] -= share.hi * y[i];
        }
    }
    last = of_i[0].hi > 0 ? of_i[0].hi : 0;
    p[@NAME_CLASSES - 1] = sum = y[@NAME_CLASSES - 1];
    for (i = @NAME_CLASSES - 2; i >= 0; --i) {
        float above = last * y[i];
        of_i -= @NAME_CLASSES - i;
        for (j = i + 1; j < @NAME_CLASSES; ++j)
            above -= of_i[j - i].hi * p[j];
        p[i] = above / of_i[0].hi;
        sum += p[i];
    }
    for (i = 0; i < @NAME_CLASSES; ++i)
        p[i] /= sum;
}
)";

/// One class after the other.
void add_descent(CSource& source, const RowModel& model) {
  const auto classes = static_cast<double>(model.classes.size());
  source.add(R"(    @real qp[@NAME_CLASSES];
    int cycle, i, j;
    for (i = 0; i < @NAME_CLASSES; ++i) {
        p[i] = (@real)1 / (@real)@NAME_CLASSES;
        for (j = 0; j < i; ++j) { /* from r to Q, in its place */
            const @real r_ij = q[i * @NAME_CLASSES + j], r_ji = q[j * @NAME_CLASSES + i];
            q[i * @NAME_CLASSES + i] += r_ji * r_ji;
            q[j * @NAME_CLASSES + j] += r_ij * r_ij;
            q[i * @NAME_CLASSES + j] = q[j * @NAME_CLASSES + i] = -r_ij * r_ji;
        }
    }
    for (cycle = 0; cycle < @NAME_CYCLES; ++cycle) {
        @real pqp = 0, worst = 0;
        for (i = 0; i < @NAME_CLASSES; ++i) {
            for (qp[i] = 0, j = 0; j < @NAME_CLASSES; ++j)
                qp[i] += q[i * @NAME_CLASSES + j] * p[j];
            pqp += p[i] * qp[i];
        }
        for (i = 0; i < @NAME_CLASSES; ++i) {
            @real off = qp[i] - pqp;
)");
  // In float no residual gets as small as the library's tolerance: there the change of each p that
  // it asks for counts, against p itself.
  if (source.single()) source.add("            off /= q[i * @NAME_CLASSES + i] * p[i];\n");
  source.add(fmt::format(R"(            if (off < 0)
                off = -off;
            if (off > worst)
                worst = off;
        }}
        if (worst < {0})
            return;
        for (i = 0; i < @NAME_CLASSES; ++i) {{
            const @real own = q[i * @NAME_CLASSES + i];
            const @real d = (pqp - qp[i]) / own;
            const @real scale = (@real)1 / ((@real)1 + d);
            pqp = (pqp + d * (d * own + 2 * qp[i])) * scale * scale;
            p[i] += d;
            for (j = 0; j < @NAME_CLASSES; ++j) {{
                qp[j] = (qp[j] + d * q[i * @NAME_CLASSES + j]) * scale;
                p[j] *= scale;
            }}
        }}
    }}
}}
)",
                         source.real(source.single() ? 1e-6 : 1e-12 / classes)));
}

}  // namespace

void add_c_coupling(CSource& source, const RowModel& model) {
  if (source.paired()) {
    source.add(fmt::format(kHead, "r"));
    source.add(kElimination);
    return;
  }
  source.add(fmt::format("\n#define @NAME_CYCLES {}\n", source.single() ? 200 : 1000));
  source.add(fmt::format(kHead, "q"));
  add_descent(source, model);
}

Index c_coupling_stack(const CSource& source, Index classes) {
  if (source.paired()) {
    return classes * (classes + 1) / 2 * source.number_bytes() + classes * source.real_bytes();
  }
  return classes * source.real_bytes();
}

}  // namespace ardent
