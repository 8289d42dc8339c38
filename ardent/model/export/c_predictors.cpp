#include "ardent/model/export/c_predictors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"

namespace ardent {
namespace {

/// Σ = LLᵀ of a packed lower triangle, L by columns. What rounding leaves of a direction without
/// variance is taken as none.
std::vector<double> packed_factor(const std::vector<double>& packed, Index size) {
  constexpr double kRounding = 1e-15;
  Matrix l = Matrix::Zero(size, size);
  std::vector<double> factor;
  const auto at = [&](Index i, Index j) { return packed[i * (i + 1) / 2 + j]; };
  for (Index j = 0; j < size; ++j) {
    const double pivot = at(j, j) - l.row(j).head(j).squaredNorm();
    if (pivot > kRounding * at(j, j)) {
      l(j, j) = std::sqrt(pivot);
      for (Index i = j + 1; i < size; ++i) {
        l(i, j) = (at(i, j) - l.row(i).head(j).dot(l.row(j).head(j))) / l(j, j);
      }
    }
    for (Index i = j; i < size; ++i) factor.push_back(l(i, j));
  }
  return factor;
}

/// Where the numbers of each part begin, and one past the last.
template <class Count>
std::vector<Index> part_starts(const RowModel& model, const Count& count) {
  std::vector<Index> starts{0};
  for (const RowPart& part : model.parts) starts.push_back(starts.back() + count(part));
  return starts;
}

bool same_of_all(const RowModel& model, bool RowPart::*flag) {
  return std::ranges::all_of(model.parts,
                             [&](const RowPart& p) { return p.*flag == model.parts[0].*flag; });
}

void add_covariances(CSource& source, const RowModel& model) {
  std::vector<double> all;
  for (const RowPart& part : model.parts) {
    const Index size = std::ssize(part.active) + (part.has_bias ? 1 : 0);
    const bool by_factor = source.single() && !part.diagonal && !part.covariance.empty();
    const std::vector<double> own =
        by_factor ? packed_factor(part.covariance, size) : part.covariance;
    all.insert(all.end(), own.begin(), own.end());
  }
  source.add_reals("covariance", all);
  if (model.parts.size() > 1) {
    source.add_integers("covariance_start", part_starts(model, [](const RowPart& part) {
                          return std::ssize(part.covariance);
                        }));
  }
}

std::string_view variance_code(bool diagonal, bool by_factor) {
  if (diagonal) {
    return R"(    for (i = 0; i < count; ++i)
        v += *c++ * PHI(i) * PHI(i);
    if (@NAME_BIAS)
        v += *c;
)";
  }
  if (by_factor) {
    return R"(    for (i = 0; i < count + @NAME_BIAS; ++i) {
        @real sum = 0;
        for (j = i; j < count; ++j)
            sum += *c++ * PHI(j);
        if (@NAME_BIAS)
            sum += *c++;
        v += sum * sum;
    }
)";
  }
  return R"(    for (i = 0; i < count; ++i) {
        @real sum = 0;
        for (j = 0; j < i; ++j)
            sum += *c++ * PHI(j);
        v += PHI(i) * (2 * sum + *c++ * PHI(i));
    }
    if (@NAME_BIAS) {
        @real sum = 0;
        for (j = 0; j < count; ++j)
            sum += *c++ * PHI(j);
        v += 2 * sum + *c;
    }
)";
}

void add_variance(CSource& source, const RowModel& model) {
  const bool several = model.parts.size() > 1;
  const bool diagonal = model.parts[0].diagonal;
  std::string code = R"(
static inline @real @name_variance(int part, const @real *phi)
{
    const @real *c = @name_covarianceSTART;
    const int count = COUNT;
    @real v = 0;
    int i, j = 0;
    (void)part;
    (void)j;
)";
  code += variance_code(diagonal, source.single());
  code += "    return v > 0 ? v : 0;\n}\n";
  const auto replace = [&code](std::string_view what, std::string_view by) {
    for (std::size_t at = code.find(what); at != std::string::npos; at = code.find(what, at)) {
      code.replace(at, what.size(), by);
      at += by.size();
    }
  };
  replace("START", several ? " + @name_covariance_start[part]" : "");
  replace("COUNT", several ? "@name_start[part + 1] - @name_start[part]" : "@NAME_BASIS");
  for (const std::string_view index : {"i", "j"}) {
    replace(fmt::format("PHI({})", index),
            several ? fmt::format("phi[@name_active[@name_start[part] + {}]]", index)
                    : fmt::format("phi[{}]", index));
  }
  source.add(code);
}

}  // namespace

void add_c_basis(CSource& source, const RowModel& model) {
  if (model.map == RowMap::linear) return;
  const bool rbf = model.map == RowMap::rbf;
  source.add("\n");
  source.add_reals("points", model.points);
  if (!rbf) source.add_reals("point_biases", model.point_biases);
  source.add(R"(
static inline void @name_basis(const @real *z, @real *phi)
{
    const @real *point = @name_points;
    int b, k;
    for (b = 0; b < @NAME_BASIS; ++b) {
)");
  source.add(rbf ? R"(        @real sum = 0;
        for (k = 0; k < @NAME_INPUTS; ++k) {
            const @real difference = z[k] - *point++;
            sum += difference * difference;
        }
        phi[b] = @name_exp(-sum);
    }
}
)"
                 : R"(        @real sum = @name_point_biases[b], other;
        for (k = 0; k < @NAME_INPUTS; ++k)
            sum += z[k] * *point++;
        phi[b] = @name_sigmoid(sum, &other);
    }
}
)");
}

void add_c_scores(CSource& source, const RowModel& model) {
  const bool several = model.parts.size() > 1;
  if (!same_of_all(model, &RowPart::has_bias) || !same_of_all(model, &RowPart::diagonal)) {
    throw InputError(
        "the models of some classes have a bias or a joint covariance and others have not: export "
        "with plug-in probabilities and without variance");
  }
  std::vector<double> weights, biases;
  std::vector<Index> active;
  for (const RowPart& part : model.parts) {
    weights.insert(weights.end(), part.weights.begin(), part.weights.end());
    active.insert(active.end(), part.active.begin(), part.active.end());
    biases.push_back(part.bias);
  }
  source.add("\n");
  source.add_reals("weight", weights);
  source.add_reals("bias", biases);
  if (several) {
    source.add_integers("active", active);
    source.add_integers(
        "start", part_starts(model, [](const RowPart& part) { return std::ssize(part.active); }));
  }
  source.add(R"(
static inline @real @name_score(int part, const @real *phi)
{
    @real f = @name_bias[part];
    int k;
)");
  source.add(several ? R"(    for (k = @name_start[part]; k < @name_start[part + 1]; ++k)
        f += @name_weight[k] * phi[@name_active[k]];
    return f;
}
)"
                     : R"(    for (k = 0; k < @NAME_BASIS; ++k)
        f += @name_weight[k] * phi[k];
    return f;
}
)");
  const bool variance = std::ranges::any_of(
      model.parts, [](const RowPart& part) { return !part.covariance.empty(); });
  if (!variance) return;
  source.add("\n");
  add_covariances(source, model);
  add_variance(source, model);
}

void add_c_process(CSource& source, const RowProcess& process) {
  double squares = 0;
  for (const double one : process.ones) squares += one * one;
  source.add(fmt::format("\n#define @NAME_ROWS {}\n", process.size));
  source.add_reals("rows", process.rows);
  source.add_reals("half", process.half);
  if (!process.ones.empty()) source.add_reals("ones", process.ones);
  source.add_reals("row_weights", process.weights);
  source.add(fmt::format(R"(
static inline @real @name_process_variance(const @real *z, @real mean)
{{
    const @real *row = @name_rows, *half = @name_half;
    @real kernel[@NAME_ROWS], v = {0}, left = 1, sum = 0;
    int i, j;
    for (i = 0; i < @NAME_ROWS; ++i) {{
        @real distance = 0, h = 0;
        for (j = 0; j < @NAME_INPUTS; ++j) {{
            const @real difference = z[j] - *row++;
            distance += difference * difference;
        }}
        kernel[i] = @name_exp(-distance);
        sum += kernel[i] * @name_row_weights[i];
        for (j = 0; j <= i; ++j)
            h += *half++ * kernel[j];
        v -= h * h;
)",
                         source.real(process.amplitude)));
  if (!process.ones.empty()) source.add("        left -= h * @name_ones[i];\n");
  source.add("    }\n");
  source.add(process.ones.empty()
                 ? std::string("    (void)left;\n")
                 : fmt::format("    v += left * left * {};\n", source.real(1 / squares)));
  source.add(fmt::format(R"(    mean = {0} + {1} * sum - mean;
    return (v > 0 ? v : 0) + mean * mean;
}}
)",
                         source.real(process.bias), source.real(process.amplitude)));
}

}  // namespace ardent
