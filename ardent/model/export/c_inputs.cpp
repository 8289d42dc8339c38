#include "ardent/model/export/c_inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/index_range.h"

namespace ardent {
namespace {

/// How a value becomes an input, as code of the input's number k.
std::string scaled_code(const RowModel& model, std::string_view value) {
  const bool plain = std::ranges::all_of(model.factor, [](double f) { return f == 1; });
  const bool centred = std::ranges::any_of(model.offset, [](double o) { return o != 0; });
  std::string code = centred ? fmt::format("({} - @name_offset[k])", value) : std::string(value);
  if (!plain) code += " * @name_factor[k]";
  if (model.unit_rows()) code += " / length";
  return code;
}

std::string column_code(const RowModel& model) {
  return model.inputs == index_range(0, model.features) ? "k" : "@name_column[k]";
}

void add_input_arrays(CSource& source, const RowModel& model) {
  source.add("\n");
  if (column_code(model) != "k") source.add_integers("column", model.inputs);
  const std::string code = scaled_code(model, "");
  if (code.find("offset") != std::string::npos) source.add_reals("offset", model.offset);
  if (code.find("factor") != std::string::npos) source.add_reals("factor", model.factor);
  if (!model.fill.empty()) source.add_reals("fill", model.fill);
  if (model.unit_rows()) {
    source.add_reals("every_factor",
                     std::vector<double>(model.every_factor.begin(), model.every_factor.end()));
  }
}

constexpr std::string_view kFillCode = R"(        if (value != value)
            value = @name_fill[k];
)";

void add_dense_inputs(CSource& source, const RowModel& model) {
  source.add("\nstatic inline void @name_inputs(const @real *x, @real *z)\n{\n    int k;\n");
  if (model.unit_rows()) {
    source.add(R"(    @real length = 0;
    for (k = 0; k < @NAME_FEATURES; ++k) {
        const @real scaled = x[k] * @name_every_factor[k];
        length += scaled * scaled;
    }
    length = length > 0 ? sqrt@f(length) : (@real)1;
)");
  }
  source.add("    for (k = 0; k < @NAME_INPUTS; ++k) {\n        @real value = x[" +
             column_code(model) + "];\n");
  if (!model.fill.empty()) source.add(kFillCode);
  source.add("        z[k] = " + scaled_code(model, "value") + ";\n    }\n}\n");
}

void add_sparse_inputs(CSource& source, const RowModel& model) {
  source.add(R"(
static inline void @name_inputs_sparse(int count, const int *columns, const @real *values, @real *z)
{
    int e, k;
)");
  if (model.unit_rows()) {
    source.add(R"(    @real length = 0;
    for (e = 0; e < count; ++e) {
        @real scaled;
        if (columns[e] >= @NAME_FEATURES)
            break;
        scaled = values[e] * @name_every_factor[columns[e]];
        length += scaled * scaled;
    }
    length = length > 0 ? sqrt@f(length) : (@real)1;
)");
  }
  const std::string empty = scaled_code(model, "(@real)0");
  source.add("    for (k = 0; k < @NAME_INPUTS; ++k)\n        z[k] = " + empty + ";\n");
  source.add(
      "    for (e = 0, k = 0; e < count; ++e) {\n        @real value = values[e];\n" +
      fmt::format("        while (k < @NAME_INPUTS && {} < columns[e])\n            ++k;\n",
                  column_code(model)) +
      fmt::format("        if (k == @NAME_INPUTS || {} != columns[e])\n            continue;\n",
                  column_code(model)));
  if (!model.fill.empty()) source.add(kFillCode);
  source.add("        z[k] = " + scaled_code(model, "value") + ";\n    }\n}\n");
}

}  // namespace

void add_c_inputs(CSource& source, const RowModel& model) {
  add_input_arrays(source, model);
  add_dense_inputs(source, model);
  add_sparse_inputs(source, model);
}

}  // namespace ardent
