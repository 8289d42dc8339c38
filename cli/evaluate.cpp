#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "ardent/estimators/evaluation.h"
#include "ardent/model/path.h"
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
  Index stage = 0;
  bool every_stage = false;

  void run() const {
    const ThreadScope threads(common.threads);
    const Model model = load_model_at(model_path, stage);
    const Dataset data = source.read_for(model, false);
    if (every_stage) {
      report_stages(model, data);
      return;
    }
    const Evaluation evaluation = evaluate(model, data, options);
    warn(evaluation.warnings);
    if (common.json) {
      print_json(evaluation_json(evaluation, model.classes));
    } else {
      fmt::print("{}", describe_evaluation(evaluation, model.classes));
    }
  }

  /// How sparse and how good the model was after each stage: the accuracy–sparsity curve.
  void report_stages(const Model& model, const Dataset& data) const {
    const Index stages = path_stages(model);
    Json json = Json::array();
    std::vector<std::vector<std::string>> rows;
    for (Index s = 1; s <= std::max<Index>(1, stages); ++s) {
      const Evaluation evaluation = evaluate(at_stage(model, s), data, options);
      const std::vector<std::string> names =
          evaluation.task == Task::classification
              ? std::vector<std::string>{"active", "accuracy", "balanced_accuracy", "log_loss"}
              : std::vector<std::string>{"active", "rmse", "r2"};
      if (rows.empty()) {
        rows.push_back({"stage"});
        rows[0].insert(rows[0].end(), names.begin(), names.end());
      }
      Json point{{"stage", s}};
      rows.push_back({fmt::format("{}", s)});
      for (const auto& [name, value] : scalars(evaluation)) point[name] = value;
      for (const auto& name : names)
        rows.back().push_back(fmt::format("{:.6g}", point[name].get<double>()));
      json.push_back(std::move(point));
    }
    if (common.json) {
      print_json(Json{{"rows", data.rows()}, {"stages", std::move(json)}});
    } else {
      fmt::print("{}", text_table(rows));
    }
  }
};

}  // namespace

void add_evaluate(CLI::App& app) {
  auto command = std::make_shared<EvaluateCommand>();
  CLI::App* sub = app.add_subcommand("evaluate", "Measure a model on labelled data");
  add_input(*sub, "MODEL", command->model_path, "Model file written by train")->required();
  command->source.add_to(*sub);
  add_predict_options(*sub, command->options);
  add_stage_option(*sub, command->stage);
  sub->add_flag("--every-stage", command->every_stage,
                "Measure every stage of a model trained with --keep-stages on: weights kept "
                "against accuracy from one fit")
      ->excludes("--stage");
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
