#include <fmt/format.h>

#include <memory>
#include <optional>

#include "ardent/estimators/evaluation.h"
#include "command.h"
#include "describe.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

struct CvCommand {
  Common common;
  DataSource source;
  TrainOptions options;
  OptionTable table = option_table(options);
  PredictOptions predict_options;
  Index folds = 5;
  std::optional<std::uint64_t> fold_seed;

  void run() const {
    const ThreadScope threads(common.threads);
    const Dataset data = source.read();
    const std::vector<Evaluation> evaluations = [&] {
      ProgressBar bar(common.verbose);
      return cross_validate(data, options, folds, fold_seed.value_or(options.seed), predict_options,
                            bar.callback());
    }();
    const bool classification = evaluations.front().task == Task::classification;
    const ClassTable classes = classification ? make_classes(data.labels) : ClassTable{};
    if (common.json) {
      print_json(as_json(data, evaluations, classes));
    } else {
      fmt::print("{}", as_text(data, evaluations, classes));
    }
  }

  static Eigen::MatrixXi total_confusion(const std::vector<Evaluation>& evaluations) {
    Eigen::MatrixXi sum = evaluations.front().classification.confusion;
    for (std::size_t f = 1; f < evaluations.size(); ++f) {
      sum += evaluations[f].classification.confusion;
    }
    return sum;
  }

  /// Each scalar's name with its value in every fold.
  static std::vector<std::pair<std::string, std::vector<double>>> by_name(
      const std::vector<Evaluation>& evaluations) {
    std::vector<std::pair<std::string, std::vector<double>>> named;
    for (const Evaluation& evaluation : evaluations) {
      const auto values = scalars(evaluation);
      named.resize(values.size());
      for (std::size_t s = 0; s < values.size(); ++s) {
        named[s].first = values[s].first;
        named[s].second.push_back(values[s].second);
      }
    }
    return named;
  }

  Json as_json(const Dataset& data, const std::vector<Evaluation>& evaluations,
               const ClassTable& classes) const {
    Json json{{"task", task_name(evaluations.front().task)},
              {"rows", data.rows()},
              {"features", data.cols()}};
    for (const auto& [name, values] : by_name(evaluations)) {
      const Summary summary = summarise(values);
      json[name] = {{"mean", summary.mean}, {"sd", summary.sd}};
    }
    if (classes.size() > 0) {
      json["labels"] = classes.names;
      json["confusion"] = confusion_json(total_confusion(evaluations));
    }
    json["options"] = table.values();
    json["folds"] = Json::array();
    for (const Evaluation& evaluation : evaluations) {
      json["folds"].push_back(evaluation_json(evaluation, classes));
    }
    return json;
  }

  std::string as_text(const Dataset& data, const std::vector<Evaluation>& evaluations,
                      const ClassTable& classes) const {
    std::vector<std::vector<std::string>> rows{{"", "mean", "sd"}};
    for (const auto& [name, values] : by_name(evaluations)) {
      const Summary summary = summarise(values);
      rows.push_back(
          {name, fmt::format("{:.6g}", summary.mean), fmt::format("{:.3g}", summary.sd)});
    }
    std::string text = fmt::format("{}: {} rows × {} features, {} folds\n{}", data.source,
                                   data.rows(), data.cols(), folds, text_table(rows));
    if (classes.size() > 0) text += describe_confusion(total_confusion(evaluations), classes);
    return text;
  }
};

}  // namespace

void add_cv(CLI::App& app) {
  auto command = std::make_shared<CvCommand>();
  CLI::App* sub = app.add_subcommand(
      "cv", "Cross-validate training: stratified folds, everything fitted on training rows only");
  command->source.add_to(*sub);
  sub->add_option("--folds", command->folds, "Number of folds")
      ->check(CLI::Range(2, 1'000'000))
      ->capture_default_str();
  sub->add_option("--fold-seed", command->fold_seed, "Seed of the folds; default: --seed");
  add_train_options(*sub, command->table);
  add_predict_options(*sub, command->predict_options);
  command->common.add_to(*sub);
  sub->callback([command] { command->run(); });
}

}  // namespace ardent::cli
