// Exported models compiled into one C program, as strictly as a user may, which prints what each
// says of the same rows.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ardent/data/matrix.h"
#include "ardent/model/export/export_c.h"
#include "base/temporary_files.h"

namespace ardent::export_test {

inline constexpr const char* kStrictly =
    "-std=c99 -pedantic -Wall -Wextra -Werror -Wconversion -Wdouble-promotion -Wshadow -Wundef";

/// What one model printed for one row: classes' probabilities and the class by four functions, or
/// mean and mean of the sparse row; then means and variances where there are any.
using Printed = std::vector<double>;

class ExportedProgram {
 public:
  explicit ExportedProgram(const DenseRows& rows) {
    body_ = fmt::format("#define ROWS {}\nstatic const double rows[ROWS][{}] = {{\n", rows.rows,
                        rows.cols);
    for (Index i = 0; i < rows.rows; ++i) {
      body_ += "{";
      for (const double x : rows.row(i)) {
        const bool missing = x != x;
        body_ += missing ? "(double)NAN," : fmt::format("{},", x);
      }
      body_ += "},\n";
    }
    body_ += "};\n";
    cols_ = rows.cols;
    files_.write("say.h", kSay);
  }

  void add(const Model& model, ExportOptions options) {
    options.name = fmt::format("m{}", count_++);
    files_.write(options.name + ".h", export_c(model, options).text);
    heads_ += fmt::format("#include \"{}.h\"\n", options.name);
    const bool classes = model.task == Task::classification;
    const bool asked =
        options.variance == ExportVariance::full || options.variance == ExportVariance::weights;
    const bool moments = classes ? asked : options.variance != ExportVariance::none;
    std::string say = "    for (i = 0; i < ROWS; ++i) {\n";
    say += fmt::format("        {0}_real x[{1}], values[{1}];\n", options.name, cols_);
    say += fmt::format(
        "        int columns[{0}], count = 0;\n        for (k = 0; k < {0}; ++k) {{\n", cols_);
    say += fmt::format("            x[k] = ({}_real)rows[i][k];\n", options.name);
    say += "            if (rows[i][k] == 0) continue;\n            columns[count] = k;\n";
    say += "            values[count++] = x[k];\n        }\n";
    say += fmt::format("        {}({}, {}, {});\n        printf(\"\\n\");\n    }}\n",
                       classes ? "SAY_CLASSES" : "SAY_MEAN", options.name, model.classes.size(),
                       moments ? (classes ? "SAY_LATENT" : "SAY_MOMENTS") : "SAY_NOTHING");
    says_ += say;
  }

  /// By model, then by row. Empty where the program does not compile.
  std::vector<std::vector<Printed>> run() {
    files_.write("main.c", heads_ + "#include \"say.h\"\n" + body_ +
                               "int main(void)\n{\n    int i, k;\n" + says_ + "    return 0;\n}\n");
    const std::string folder = files_.folder().string();
    const std::string line = fmt::format(
        "cd '{}' && cc {} -O1 main.c -o main -lm >log 2>&1 && ./main >out", folder, kStrictly);
    if (std::system(line.c_str()) != 0) {
      std::ifstream log(files_.path("log"));
      std::stringstream text;
      text << log.rdbuf();
      ADD_FAILURE() << text.str().substr(0, 3000);
      return {};
    }
    return read();
  }

 private:
  std::vector<std::vector<Printed>> read() const {
    std::vector<Printed> lines;
    std::ifstream out(files_.path("out"));
    for (std::string text; std::getline(out, text);) {
      std::istringstream numbers(text);
      lines.emplace_back();
      for (double x = 0; numbers >> x;) lines.back().push_back(x);
    }
    std::vector<std::vector<Printed>> by_model(count_);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      by_model[i / (lines.size() / count_)].push_back(lines[i]);
    }
    return by_model;
  }

  static constexpr const char* kSay = R"(
#include <stdio.h>
#define SAY(value) printf("%.17g ", (double)(value))
#define SAY_NOTHING(name)
#define SAY_CLASSES(name, classes, more) \
    do { \
        name##_real p[16]; \
        const int found = name##_probabilities(x, p); \
        for (k = 0; name##_label(0)[0] && k < classes; ++k) SAY(p[k]); \
        SAY(found); SAY(name##_predict(x)); \
        SAY(name##_predict_sparse(count, columns, values)); \
        SAY(name##_probabilities_sparse(count, columns, values, p)); \
        more(name); \
    } while (0)
#define SAY_LATENT(name) \
    do { \
        name##_real mean[64], variance[64]; \
        const int parts = name##_latent(x, mean, variance); \
        for (k = 0; k < parts; ++k) { SAY(mean[k]); SAY(variance[k]); } \
    } while (0)
#define SAY_MEAN(name, classes, more) \
    do { \
        SAY(name##_predict(x)); SAY(name##_predict_sparse(count, columns, values)); \
        more(name); \
    } while (0)
#define SAY_MOMENTS(name) \
    do { \
        name##_real variance; \
        SAY(name##_moments(x, &variance)); SAY(variance); \
        SAY(name##_moments_sparse(count, columns, values, &variance)); SAY(variance); \
    } while (0)
)";

  TemporaryFiles files_;
  std::string body_, heads_, says_;
  Index cols_ = 0;
  Index count_ = 0;
};

}  // namespace ardent::export_test
