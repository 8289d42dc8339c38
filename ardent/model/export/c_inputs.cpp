#include "ardent/model/export/c_inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/index_range.h"

namespace ardent {
namespace {

bool centred(const RowModel& model) {
  return std::ranges::any_of(model.offset, [](double o) { return o != 0; });
}

bool stretched(const RowModel& model) {
  return std::ranges::any_of(model.factor, [](double f) { return f != 1; });
}

/// How a value becomes an input, as code of the input's number k.
std::string scaled_code(const CSource& source, const RowModel& model, std::string_view value) {
  std::string code(value);
  if (centred(model)) code = source.minus(code, "@name_offset[k]");
  if (centred(model) && !source.paired()) code = "(" + code + ")";
  if (stretched(model)) code = source.times(code, "@name_factor[k]");
  if (!model.unit_rows()) return code;
  return source.paired() ? source.times(code, "length") : code + " / length";
}

std::string column_code(const RowModel& model) {
  return model.inputs == index_range(0, model.features) ? "k" : "@name_column[k]";
}

void add_input_arrays(CSource& source, const RowModel& model) {
  source.add("\n");
  if (column_code(model) != "k") source.add_integers("column", model.inputs);
  if (centred(model)) source.add_numbers("offset", model.offset);
  if (stretched(model)) source.add_numbers("factor", model.factor);
  if (!model.fill.empty()) source.add_numbers("fill", model.fill);
  if (model.unit_rows()) {
    source.add_reals("every_factor",
                     std::vector<double>(model.every_factor.begin(), model.every_factor.end()));
  }
}

/// The row's length (1 for a row of zeros) from the sum of its squares; its inverse where pairs are
/// multiplied by it.
std::string length_code(const CSource& source) {
  if (source.paired()) {
    return "    length = length.hi > 0 ? @name_inverse(@name_root(length)) : @name_pair_of(1.0f, "
           "0.0f);\n";
  }
  return "    length = length > 0 ? sqrt@f(length) : (@real)1;\n";
}

/// A value that is missing is filled in.
std::string fill_code(const CSource& source, const RowModel& model) {
  if (model.fill.empty()) return "";
  return fmt::format("        if ({0} != {0})\n            value = @name_fill[k];\n",
                     source.rounded("value"));
}

void add_dense_inputs(CSource& source, const RowModel& model) {
  source.add("\nstatic inline void @name_inputs(const @real *x, @number *z)\n{\n    int k;\n");
  if (model.unit_rows()) {
    source.add(fmt::format(
        R"(    @number length = {};
    for (k = 0; k < @NAME_FEATURES; ++k) {{
        const @number scaled = {};
        length = {};
    }}
)",
        source.number(0),
        source.times(source.number_of("x[k]"), source.number_of("@name_every_factor[k]")),
        source.plus("length", source.times("scaled", "scaled"))));
    source.add(length_code(source));
  }
  source.add("    for (k = 0; k < @NAME_INPUTS; ++k) {\n        @number value = " +
             source.number_of("x[" + column_code(model) + "]") + ";\n");
  source.add(fill_code(source, model) + "        z[k] = " + scaled_code(source, model, "value") +
             ";\n    }\n}\n");
}

void add_sparse_inputs(CSource& source, const RowModel& model) {
  source.add(R"(
static inline void @name_inputs_sparse(int count, const int *columns, const @real *values, @number *z)
{
    int e, k;
)");
  if (model.unit_rows()) {
    source.add(fmt::format(R"(    @number length = {};
    for (e = 0; e < count; ++e) {{
        @number scaled;
        if (columns[e] >= @NAME_FEATURES)
            break;
        scaled = {};
        length = {};
    }}
)",
                           source.number(0),
                           source.times(source.number_of("values[e]"),
                                        source.number_of("@name_every_factor[columns[e]]")),
                           source.plus("length", source.times("scaled", "scaled"))));
    source.add(length_code(source));
  }
  const std::string empty = scaled_code(source, model, source.number(0));
  source.add("    for (k = 0; k < @NAME_INPUTS; ++k)\n        z[k] = " + empty + ";\n");
  source.add(
      "    for (e = 0, k = 0; e < count; ++e) {\n        @number value = " +
      source.number_of("values[e]") + ";\n" +
      fmt::format("        while (k < @NAME_INPUTS && {} < columns[e])\n            ++k;\n",
                  column_code(model)) +
      fmt::format("        if (k == @NAME_INPUTS || {} != columns[e])\n            continue;\n",
                  column_code(model)));
  source.add(fill_code(source, model) + "        z[k] = " + scaled_code(source, model, "value") +
             ";\n    }\n}\n");
}

}  // namespace

void add_c_inputs(CSource& source, const RowModel& model) {
  add_input_arrays(source, model);
  add_dense_inputs(source, model);
  add_sparse_inputs(source, model);
}

}  // namespace ardent
