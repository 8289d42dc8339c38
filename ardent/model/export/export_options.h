// What you ask of exported code.
#pragma once

#include <string>

#include "ardent/base/option_schema.h"
#include "ardent/base/types.h"

namespace ardent {

enum class ExportTarget { c };
enum class ExportReal { double_precision, single_precision };
enum class ExportArithmetic { paired, plain };
enum class ExportExp { automatic, library, own };
enum class ExportProbability { automatic, moderated, plug_in };
enum class ExportVariance { automatic, none, weights, full };

struct ExportOptions {
  ExportTarget to = ExportTarget::c;
  std::string name = "";
  ExportReal real = ExportReal::double_precision;
  ExportArithmetic arithmetic = ExportArithmetic::paired;
  ExportExp exp = ExportExp::automatic;
  Index exp_table = 0;  // 0, or a power of two up to kMostExpTable
  ExportProbability probability = ExportProbability::automatic;
  ExportVariance variance = ExportVariance::automatic;
};

/// Larger tables gain nothing: the polynomial beside them is of degree 2 to 4 already.
constexpr Index kMostExpTable = 256;

inline Schema schema(ExportOptions& options) {
  Schema schema;
  schema.add("to", options.to,
             "what is written. c: a C99 header with the model's numbers and functions, which "
             "allocates nothing and includes math.h and stdint.h alone",
             {"c"});
  schema.add_text("name", options.name,
                  "what the names in the code begin with: a C identifier; default: the output "
                  "file's name, or model",
                  "NAME");
  schema.add("real", options.real,
             "type of all numbers. double agrees with predict to rounding; float takes half of the "
             "bytes, and processors with a unit for float alone are many times faster",
             {"double", "float"});
  schema
      .add("arithmetic", options.arithmetic,
           "of float. paired: the model's numbers and sums are pairs of floats, and results those "
           "of "
           "predict to 1e-6; plain: floats, in half of the bytes and a fraction of the time, but "
           "where large weights cancel results are off by what is printed",
           {"paired", "plain"})
      .needing(where("real", {"float"}));
  schema.add(
      "exp", options.exp,
      "exp and log of the code. libm: those of math.h (exp of kernels by paired arithmetic is "
      "its own all the same); own: a polynomial in the code itself, no function of math.h but "
      "sqrt is called; auto: own by paired arithmetic, else libm",
      {"auto", "libm", "own"});
  schema
      .add("exp-table", options.exp_table,
           "entries of the table that exp uses, a power of two up to 256: the more, the shorter "
           "its polynomial; 0: none",
           0)
      .needing(where("exp", {"own"}));
  schema.add("probability", options.probability,
             "of classes. moderated: averaged over the posterior, which needs the covariance of "
             "the weights; plug-in: sigmoid(f) at the mean weights; auto: as predict has it, "
             "moderated for two classes where the covariance is known",
             {"auto", "moderated", "plug-in"});
  schema.add("variance", options.variance,
             "a function of the variance, too (regression: of a new observation; classes: of each "
             "f). weights: that of the posterior of the weights; full: as predict has it, for a "
             "regression by rbf with the training rows, whose numbers grow as their square; auto: "
             "full for a regression where that needs no training rows, else none",
             {"auto", "none", "weights", "full"});
  return schema;
}

}  // namespace ardent
