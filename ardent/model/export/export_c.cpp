#include "ardent/model/export/export_c.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "ardent/base/error.h"
#include "ardent/model/export/c_classes.h"
#include "ardent/model/export/c_inputs.h"
#include "ardent/model/export/c_math.h"
#include "ardent/model/export/c_pairs.h"
#include "ardent/model/export/c_predictors.h"
#include "ardent/model/export/c_source.h"
#include "ardent/model/row_model.h"

namespace ardent {
namespace {

bool is_c_identifier(std::string_view name) {
  const auto fits = [](unsigned char c) { return c == '_' || (c < 128 && std::isalnum(c) != 0); };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::ranges::all_of(name, fits);
}

/// Training rows would have to come along for the variance that predict() gives.
bool needs_training_rows(const Model& model) {
  const auto* evidence = std::get_if<EvidenceModel>(&model.kind);
  return evidence && evidence->augmentation;
}

RowModel model_to_export(const Model& model, const ExportOptions& options) {
  const bool regression = model.task == Task::regression;
  const bool automatic = options.variance == ExportVariance::automatic;
  const bool wanted = automatic ? regression && !needs_training_rows(model)
                                : options.variance != ExportVariance::none;
  return row_model(model, {.moderated = options.probability == ExportProbability::moderated,
                           .plug_in = options.probability == ExportProbability::plug_in,
                           .latent = wanted,
                           .variance = wanted,
                           .process = options.variance == ExportVariance::full});
}

std::string_view map_word(RowMap map) {
  return map == RowMap::linear ? "linear" : map == RowMap::rbf ? "rbf" : "elm";
}

void add_heading(CSource& source, const Model& model, const RowModel& row) {
  source.add(fmt::format("/* A model of ardent: {} by {} of {} columns, {} of {} kept.\n",
                         task_name(row.task), map_word(row.map), row.features, row.basis,
                         model.total));
  const bool named = !model.feature_names.empty();
  for (std::size_t k = 0; named && k < model.inputs.size(); ++k) {
    const std::string name = c_comment(model.feature_names[k]);
    if (std::ranges::count(row.inputs, model.inputs[k]) > 0) {
      source.add(fmt::format("   column {}: {}\n", model.inputs[k], name));
    }
  }
  source.add(R"(   Columns count from 0. Functions allocate nothing and keep no state. */
#ifndef @NAME_MODEL_H
#define @NAME_MODEL_H

#include <math.h>
#include <stdint.h>

)");
  source.add(fmt::format("typedef {} @name_real;\n\n", source.single() ? "float" : "double"));
  source.add(fmt::format("#define @NAME_FEATURES {}\n", row.features));
  if (!row.classes.empty())
    source.add(fmt::format("#define @NAME_CLASSES {}\n", row.classes.size()));
  source.add(fmt::format("#define @NAME_PARTS {}\n", row.parts.size()));
  source.add(fmt::format("#define @NAME_INPUTS {}\n", row.input_count()));
  source.add(fmt::format("#define @NAME_BASIS {}\n", row.basis));
  source.add(fmt::format("#define @NAME_BIAS {}\n", row.parts[0].has_bias ? 1 : 0));
}

void add_labels(CSource& source, const RowModel& row) {
  source.add(R"(
/* The label of class k */
static inline const char *@name_label(int k)
{
    static const char *const labels[@NAME_CLASSES] = {
)");
  for (const std::string& name : row.classes) source.add("        " + c_string(name) + ",\n");
  source.add("    };\n    return labels[k];\n}\n");
}

/// From scaled inputs to basis functions, inside of a function.
std::string basis_code(const RowModel& row) {
  if (row.map == RowMap::linear) return "    const @number *phi = z;\n";
  return fmt::format("    @number phi[{}];\n", std::max<Index>(1, row.basis));
}

std::string basis_call(const RowModel& row) {
  return row.map == RowMap::linear ? "" : "    @name_basis(z, phi);\n";
}

/// A function of scaled inputs z, as one of a dense row and one of a sparse one. `head`: its type;
/// `more`: further parameters; `call`: what it returns, with z.
void add_for_rows(CSource& source, const RowModel& row, std::string_view comment,
                  std::string_view type, std::string_view name, std::string_view more,
                  std::string_view call) {
  const auto size = std::max<Index>(1, row.input_count());
  source.add(fmt::format(R"(
/* {0} */
static inline {1} @name_{2}(const @real *x{3})
{{
    @number z[{4}];
    @name_inputs(x, z);
    return {5};
}}

static inline {1} @name_{2}_sparse(int count, const int *columns, const @real *values{3})
{{
    @number z[{4}];
    @name_inputs_sparse(count, columns, values, z);
    return {5};
}}
)",
                         comment, type, name, more, size, call));
}

void add_classification(CSource& source, const RowModel& row) {
  add_c_classes(source, row);
  const bool two = row.classes.size() == 2;
  source.add("\nstatic inline int @name_probabilities_of(const @number *z, @real *p)\n{\n" +
             basis_code(row) + basis_call(row) + "    return @name_classify(phi, p);\n}\n");
  source.add("\nstatic inline int @name_class_of(const @number *z)\n{\n");
  if (two) {
    // The sign of f decides: neither exp nor a variance is needed.
    const Index positive = row.parts[0].positive;
    source.add(basis_code(row) + basis_call(row) +
               fmt::format("    return {} >= 0 ? {} : {};\n}}\n",
                           source.rounded("@name_score(0, phi)"), positive, 1 - positive));
  } else {
    source.add("    @real p[@NAME_CLASSES];\n    return @name_probabilities_of(z, p);\n}\n");
  }
  add_for_rows(source, row, "The most probable class, from 0", "int", "predict", "",
               "@name_class_of(z)");
  add_for_rows(source, row,
               "Probabilities of all classes go to p[@NAME_CLASSES]; returns the most probable",
               "int", "probabilities", ", @real *p", "@name_probabilities_of(z, p)");
}

void add_latent(CSource& source, const RowModel& row) {
  source.add(
      "\nstatic inline int @name_latent_of(const @number *z, @real *mean, @real *variance)\n{\n" +
      basis_code(row) + "    int part;\n" + basis_call(row) +
      "    for (part = 0; part < @NAME_PARTS; ++part) {\n        mean[part] = " +
      source.rounded("@name_score(part, phi)") + R"(;
        variance[part] = @name_variance(part, phi);
    }
    return @NAME_PARTS;
}
)");
  add_for_rows(source, row,
               "Mean and variance of each part's f, of which probabilities are made; returns their "
               "number, @NAME_PARTS",
               "int", "latent", ", @real *mean, @real *variance",
               "@name_latent_of(z, mean, variance)");
}

void add_regression(CSource& source, const RowModel& row) {
  source.add("\nstatic inline @real @name_mean_of(const @number *z)\n{\n" + basis_code(row) +
             basis_call(row) + "    return " + source.rounded("@name_score(0, phi)") + ";\n}\n");
  add_for_rows(source, row, "The mean", "@real", "predict", "", "@name_mean_of(z)");
  if (!row.has_variance) return;
  source.add("\nstatic inline @real @name_moments_of(const @number *z, @real *variance)\n{\n" +
             basis_code(row) + "    @number mean;\n" + basis_call(row) +
             "    mean = @name_score(0, phi);\n" +
             fmt::format("    *variance = {} + {};\n    return {};\n}}\n",
                         source.real(row.noise_variance),
                         row.process                       ? "@name_process_variance(z, mean)"
                         : row.parts[0].covariance.empty() ? "(@real)0"
                                                           : "@name_variance(0, phi)",
                         source.rounded("mean")));
  add_for_rows(source, row, "The mean; *variance is that of a new observation, noise included",
               "@real", "moments", ", @real *variance", "@name_moments_of(z, variance)");
}

Index stack_bytes(const CSource& source, const RowModel& row) {
  Index numbers = row.input_count() + (row.map == RowMap::linear ? 0 : row.basis);
  numbers += row.process ? row.process->size : 0;
  return numbers * source.number_bytes() + std::ssize(row.classes) * source.real_bytes() +
         c_classes_stack(source, row);
}

double largest_rounding(const CSource& source, const RowModel& row) {
  double largest = 0;
  for (const RowPart& part : row.parts) {
    double sum = std::abs(part.bias);
    for (const double weight : part.weights) sum += std::abs(weight);
    largest = std::max(largest, sum);
  }
  return largest * (source.paired() ? 0x1p-40 : source.single() ? 0x1p-23 : 0x1p-52);
}

CNumbers numbers_of(const ExportOptions& options) {
  if (options.real == ExportReal::double_precision) return CNumbers::doubles;
  return options.arithmetic == ExportArithmetic::paired ? CNumbers::pairs : CNumbers::floats;
}

/// Pairs, exp, log and the sigmoid, as far as the model needs them. By pairs, a kernel's exp serves
/// probabilities, too.
void add_arithmetic(CSource& source, const RowModel& row, ExportOptions options) {
  if (options.exp == ExportExp::automatic) {
    options.exp = source.paired() ? ExportExp::own : ExportExp::library;
  }
  const bool classes = row.task == Task::classification, elm = row.map == RowMap::elm;
  const bool pair_exp = source.paired() && row.map != RowMap::linear;
  require_table_size(options.exp_table);
  if (source.paired()) add_c_pairs(source);
  if (pair_exp) add_c_pair_exp(source, options);
  if (pair_exp && elm) add_c_pair_sigmoid(source);
  if (!pair_exp && (classes || row.map != RowMap::linear)) add_c_exp(source, options);
  if (row.classes.size() > 2 && row.temperature != 1) add_c_log(source, options);
  if (classes || (elm && !pair_exp)) add_c_sigmoid(source);
}

}  // namespace

std::string c_identifier(const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string();
  for (char& c : name) {
    if (!is_c_identifier(std::string("_") + c)) c = '_';
  }
  if (name.empty() || path == "-") return "model";
  return is_c_identifier(name) ? name : "_" + name;
}

ExportedC export_c(const Model& model, const ExportOptions& options) {
  const std::string name = options.name.empty() ? "model" : options.name;
  if (!is_c_identifier(name)) {
    throw InputError(fmt::format(
        "names in C consist of letters, digits and _, and begin with no digit; the name is {}",
        in_quotes(name)));
  }
  const RowModel row = model_to_export(model, options);
  CSource source(name, numbers_of(options));
  add_heading(source, model, row);
  if (!row.classes.empty()) add_labels(source, row);
  add_arithmetic(source, row, options);
  add_c_inputs(source, row);
  add_c_basis(source, row);
  add_c_scores(source, row);
  if (row.process) add_c_process(source, *row.process);
  if (row.task == Task::regression) {
    add_regression(source, row);
  } else {
    add_classification(source, row);
    const bool variances = std::ranges::none_of(
        row.parts, [](const RowPart& part) { return part.covariance.empty(); });
    const bool asked =
        options.variance == ExportVariance::weights || options.variance == ExportVariance::full;
    if (asked && variances) add_latent(source, row);
  }
  source.add("\n#endif\n");
  return {source.text(), source.constant_bytes(), stack_bytes(source, row), row.basis,
          largest_rounding(source, row)};
}

}  // namespace ardent
