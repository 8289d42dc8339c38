#include <fmt/format.h>

#include <memory>

#include "ardent/base/atomic_file.h"
#include "ardent/model/export/export_c.h"
#include "command.h"
#include "describe.h"

namespace ardent::cli {
namespace {

struct ExportCommand {
  Common common;
  ExportOptions options;
  Schema table = schema(options);
  std::string model_path;
  std::string output;
  Index stage = 0;

  void run() const {
    const Model model = load_model_at(model_path, stage);
    ExportOptions named = options;
    if (named.name.empty()) named.name = c_identifier(to_file() ? output : "-");
    const ExportedC exported = export_c(model, named);
    if (!to_file()) {
      if (common.json) {
        print_json(about(named, exported));
      } else {
        fmt::print("{}", exported.text);
      }
      return;
    }
    AtomicFile file(output);
    file.write(exported.text);
    file.commit();
    if (common.json) {
      print_json(about(named, exported));
    } else {
      fmt::print(
          "{}\n{} basis functions: {} bytes of constants, {} bytes of arrays on the stack; "
          "rounding "
          "moves f by {:.0e} at most\n{}_predict and others written to {}\n",
          describe_model(model), exported.kernels, exported.constant_bytes, exported.stack_bytes,
          exported.rounding, named.name, output);
    }
  }

  bool to_file() const { return !output.empty() && output != "-"; }

  Json about(const ExportOptions& named, const ExportedC& exported) const {
    Json json = {{"name", named.name},
                 {"basis_functions", exported.kernels},
                 {"constant_bytes", exported.constant_bytes},
                 {"stack_bytes", exported.stack_bytes},
                 {"rounding", exported.rounding}};
    if (to_file()) {
      json["output"] = output;
    } else {
      json["code"] = exported.text;
    }
    return json;
  }
};

}  // namespace

void add_export(CLI::App& app) {
  auto command = std::make_shared<ExportCommand>();
  CLI::App* sub = app.add_subcommand(
      "export",
      "Write a model as C99 code that predicts on a device: no allocation, no library but math.h");
  add_input(*sub, "MODEL", command->model_path, "Model file written by train")->required();
  add_output(*sub, "-o,--output", command->output,
             "C header (written whole or not at all); default: standard output");
  add_options(*sub, command->table, "Code");
  add_stage_option(*sub, command->stage);
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
