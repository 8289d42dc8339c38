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
  source.add_numbers("covariance", all);
  if (model.parts.size() > 1) {
    source.add_integers("covariance_start", part_starts(model, [](const RowPart& part) {
                          return std::ssize(part.covariance);
                        }));
  }
}

/// sum = sum + term, as a statement.
std::string grows(const CSource& source, std::string_view sum, const std::string& term) {
  return fmt::format("{} = {};\n", sum, source.plus(sum, term));
}

std::string variance_code(const CSource& source, bool diagonal) {
  if (diagonal) {
    return "    for (i = 0; i < count; ++i) {\n        const @number squared = " +
           source.times("PHI(i)", "PHI(i)") + ";\n        " +
           grows(source, "v", source.times("squared", "c[i]")) +
           "    }\n    if (@NAME_BIAS)\n        " + grows(source, "v", "c[count]");
  }
  if (source.single()) {
    return "    for (i = 0; i < count + @NAME_BIAS; ++i) {\n        @number sum = " +
           source.number(0) + ";\n        for (j = i; j < count; ++j, ++c)\n            " +
           grows(source, "sum", source.times("*c", "PHI(j)")) +
           "        if (@NAME_BIAS) {\n            " + grows(source, "sum", "*c") +
           "            ++c;\n        }\n        " +
           grows(source, "v", source.times("sum", "sum")) + "    }\n";
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
  std::string code = fmt::format(R"(
static inline @real @name_variance(int part, const @number *phi)
{{
    const @number *c = @name_covarianceSTART;
    const int count = COUNT;
    @number v = {};
    int i, j = 0;
    (void)part;
    (void)j;
)",
                                 source.number(0));
  code += variance_code(source, diagonal);
  code += fmt::format("    return {0} > 0 ? {0} : 0;\n}}\n", source.rounded("v"));
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

/// `less` = −‖z − point‖², and on to the next point. By pairs, differences so large that their
/// squares would overflow are cut: the kernel is 0 all the same.
std::string less_distance_code(const CSource& source, std::string_view point) {
  const std::string cut = R"(            if (difference.hi > 1e9f || difference.hi < -1e9f)
                difference = @name_pair_of(1e9f, 0.0f);
)";
  return fmt::format(R"(        @number less = {};
        for (k = 0; k < @NAME_INPUTS; ++k, ++{}) {{
            {}@number difference = {};
{}            less = {};
        }}
)",
                     source.number(0), point, source.paired() ? "" : "const ",
                     source.minus("z[k]", fmt::format("*{}", point)), source.paired() ? cut : "",
                     source.minus("less", source.times("difference", "difference")));
}

std::string kernel_call(const CSource& source) {
  return source.paired() ? "@name_pair_exp(less)" : "@name_exp(less)";
}

/// A node's 1/(1 + exp(−pointᵀz − bias)).
std::string node_code(const CSource& source) {
  return fmt::format(R"(        @number sum = @name_point_biases[b]{};
        for (k = 0; k < @NAME_INPUTS; ++k, ++point)
            sum = {};
        phi[b] = {};
)",
                     source.paired() ? "" : ", other",
                     source.plus("sum", source.times("z[k]", "*point")),
                     source.paired() ? "@name_pair_sigmoid(sum)" : "@name_sigmoid(sum, &other)");
}

}  // namespace

void add_c_basis(CSource& source, const RowModel& model) {
  if (model.map == RowMap::linear) return;
  const bool rbf = model.map == RowMap::rbf;
  source.add("\n");
  source.add_numbers("points", model.points);
  if (!rbf) source.add_numbers("point_biases", model.point_biases);
  source.add(R"(
static inline void @name_basis(const @number *z, @number *phi)
{
    const @number *point = @name_points;
    int b, k;
    for (b = 0; b < @NAME_BASIS; ++b) {
)");
  if (rbf) {
    source.add(less_distance_code(source, "point") + "        phi[b] = " + kernel_call(source) +
               ";\n");
  } else {
    source.add(node_code(source));
  }
  source.add("    }\n}\n");
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
  source.add_numbers("weight", weights);
  source.add_numbers("bias", biases);
  if (several) {
    source.add_integers("active", active);
    source.add_integers(
        "start", part_starts(model, [](const RowPart& part) { return std::ssize(part.active); }));
  }
  const std::string phi = several ? "phi[@name_active[k]]" : "phi[k]";
  source.add(fmt::format(R"(
static inline @number @name_score(int part, const @number *phi)
{{
    @number f = @name_bias[part];
    int k;
    for ({})
        {}    return f;
}}
)",
                         several ? "k = @name_start[part]; k < @name_start[part + 1]; ++k"
                                 : "k = 0; k < @NAME_BASIS; ++k",
                         grows(source, "f", source.times("@name_weight[k]", phi))));
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
  source.add_numbers("rows", process.rows);
  source.add_numbers("half", process.half);
  if (!process.ones.empty()) source.add_numbers("ones", process.ones);
  source.add_numbers("row_weights", process.weights);
  const bool bias = !process.ones.empty();
  source.add(fmt::format(R"(
static inline @real @name_process_variance(const @number *z, @number mean)
{{
    const @number *row = @name_rows, *half = @name_half;
    @number kernel[@NAME_ROWS], v = {0}, left = {1}, sum = {2};
    int i, j, k;
    for (i = 0; i < @NAME_ROWS; ++i) {{
        @number h = {2};
)",
                         source.number(process.amplitude), source.number(1), source.number(0)));
  source.add(less_distance_code(source, "row"));
  source.add(fmt::format(R"(        kernel[i] = {0};
        {1}        for (j = 0; j <= i; ++j, ++half)
            {2}        v = {3};
)",
                         kernel_call(source),
                         grows(source, "sum", source.times("kernel[i]", "@name_row_weights[i]")),
                         grows(source, "h", source.times("*half", "kernel[j]")),
                         source.minus("v", source.times("h", "h"))));
  if (bias) {
    source.add("        left = " + source.minus("left", source.times("h", "@name_ones[i]")) +
               ";\n");
  }
  source.add("    }\n");
  if (bias) {
    source.add("    left = " + source.times("left", "left") + ";\n    " +
               grows(source, "v", source.times("left", source.number(1 / squares))));
  } else {
    source.add("    (void)left;\n");
  }
  source.add(fmt::format(R"(    sum = {0};
    sum = {1};
    mean = {2};
    return ({3} > 0 ? {3} : 0) + {4} * {4};
}}
)",
                         source.times("sum", source.number(process.amplitude)),
                         source.plus("sum", source.number(process.bias)),
                         source.minus("sum", "mean"), source.rounded("v"), source.rounded("mean")));
}

}  // namespace ardent
