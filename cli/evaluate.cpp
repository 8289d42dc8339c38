#include <fmt/format.h>

#include <memory>

#include "ardent/estimators/evaluation.h"
#include "ardent/model/model_file.h"
#include "command.h"
#include "describe.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

struct EvaluateCommand {
  Common common;
  DataSource source;
  PredictOptions options;
  std::string model_path;

  void run() const {
    const ThreadScope threads(common.threads);
    const Model model = load_model(model_path);
    ReadOptions read = source.options;
    if (read.label.empty()) read.label = model.label_name;
    const Evaluation evaluation = evaluate(model, read_dataset(source.path, read), options);
    warn(evaluation.warnings);
    if (common.json) {
      print_json(evaluation_json(evaluation, model.classes));
    } else {
      fmt::print("{}", describe_evaluation(evaluation, model.classes));
    }
  }
};

}  // namespace

void add_evaluate(CLI::App& app) {
  auto command = std::make_shared<EvaluateCommand>();
  CLI::App* sub = app.add_subcommand("evaluate", "Measure a model on labelled data");
  sub->add_option("MODEL", command->model_path, "Model file written by train")->required();
  command->source.add_to(*sub);
  add_predict_options(*sub, command->options);
  command->common.add_to(*sub);
  sub->callback([command] { command->run(); });
}

}  // namespace ardent::cli
