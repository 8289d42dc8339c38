#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "ardent/model/model_file.h"
#include "command.h"
#include "describe.h"

namespace ardent::cli {
namespace {

struct InspectCommand {
  Common common;
  std::string model_path;
  Index top = 20;

  void run() const {
    const Model model = load_model(model_path);
    if (common.json) {
      print_json(model_json(model));
      return;
    }
    fmt::print("{}\n{}\n", describe_model(model), describe_fit(model));
    for (std::size_t p = 0; p < model.parts.size(); ++p) {
      fmt::print("{}", describe_kept(model, p, top));
    }
    if (common.verbose) {
      for (const auto& [name, value] : model.options) fmt::print("  --{} {}\n", name, value);
    }
  }
};

}  // namespace

void add_inspect(CLI::App& app) {
  auto command = std::make_shared<InspectCommand>();
  CLI::App* sub = app.add_subcommand(
      "inspect", "Show what a model kept: weights, standard deviations, relevance, evidence");
  add_input(*sub, "MODEL", command->model_path, "Model file written by train")->required();
  sub->add_option("--top", command->top, "Weights shown for each binary model; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
