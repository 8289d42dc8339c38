#include <fmt/format.h>

#include <memory>
#include <optional>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"
#include "ardent/estimators/grid_search.h"
#include "ardent/model/model_file.h"
#include "command.h"
#include "describe.h"
#include "grid_report.h"
#include "ranks.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

struct CvCommand {
  Common common;
  DataSource source;
  TrainOptions options;
  Schema table = schema(options);
  PredictOptions predict_options;
  Index folds = GridOptions{}.folds;
  std::optional<std::uint64_t> fold_seed;
  std::vector<std::string> axes;
  std::string pick = "auto";
  std::string journal;
  std::string table_file;
  std::string output;

  void run() const {
    const ThreadScope threads(ranks() && common.threads == 0 ? 1 : common.threads);
    if (axes.empty()) {
      table.refuse_idle();
      run_folds(source.read());
    } else {
      // Mistakes are reported before the data are read, and not after hours of work.
      const Grid grid(axes);
      grid.refuse_idle(options, table.given());
      check_writable(table_file);
      check_writable(output);
      run_grid(grid, source.read());
    }
  }

  static void check_writable(const std::string& path) {
    if (!path.empty()) const AtomicFile file(path);  // not committed: it leaves nothing behind
  }

  void run_grid(const Grid& grid, const Dataset& data) const {
    const GridOptions grid_options{.folds = folds,
                                   .fold_seed = fold_seed.value_or(options.seed),
                                   .pick = pick,
                                   .journal = journal,
                                   .predict = predict_options,
                                   .farm = ranks() ? &ranks()->farm() : nullptr};
    const GridResult result = [&] {
      ProgressBar bar(common.verbose, ProgressBar::TimeLeft::shown);
      return grid_search(data, grid, options, grid_options, bar.callback());
    }();
    if (!leads()) return;
    if (!table_file.empty()) write_table(grid_csv(grid, result));
    if (!output.empty()) train_best(grid.options(options, result.best), data);
    if (common.json) {
      Json json{{"task", task_name(result.task)},
                {"rows", data.rows()},
                {"features", data.cols()},
                {"folds", result.pick == "evidence" ? Json(nullptr) : Json(folds)}};
      json.update(grid_json(grid, result));
      auto fixed = table.values();
      for (const GridAxis& axis : grid.axes()) fixed.erase(axis.name);
      json["options"] = fixed;
      json["model"] = output.empty() ? Json(nullptr) : Json(output);
      print_json(json);
      return;
    }
    fmt::print("{}: {} rows × {} features, {} points", data.source, data.rows(), data.cols(),
               grid.size());
    if (result.pick != "evidence") fmt::print(", {} folds", folds);
    if (result.resumed > 0) fmt::print(", {} points from {}", result.resumed, journal);
    fmt::print("\n{}", describe_grid(grid, result));
    if (!table_file.empty()) fmt::print("table written to {}\n", table_file);
    if (!output.empty()) fmt::print("model written to {}\n", output);
  }

  void write_table(const std::string& csv) const {
    AtomicFile file(table_file);
    file.write(csv);
    file.commit();
  }

  /// The best point's model, of all rows.
  void train_best(const TrainOptions& best, const Dataset& data) const {
    const Model model = [&] {
      ProgressBar bar(common.verbose);
      return train(data, best, bar.callback());
    }();
    save_model(model, output);
    warn(model);
  }

  void run_folds(const Dataset& data) const {
    const std::vector<Evaluation> evaluations = [&] {
      ProgressBar bar(common.verbose, ProgressBar::TimeLeft::shown);
      return cross_validate(data, options, folds, fold_seed.value_or(options.seed), predict_options,
                            bar.callback(), ranks() ? &ranks()->farm() : nullptr);
    }();
    if (!leads()) return;
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

void add_grid_options(CLI::App& sub, CvCommand& command) {
  CLI::Option* grid =
      sub.add_option("--grid", command.axes,
                     "NAME=LIST: search over values of any option of training, separated by "
                     "commas: 0.5, a word, 2^-3, 2^-5:2^5, 1:5, 0:1:0.25 (from:to:step). Several "
                     "--grid: every combination, the last varying fastest")
          ->type_name("NAME=LIST")
          ->allow_extra_args(false)
          ->group("Grid search");
  sub.add_option("--pick", command.pick,
                 "The best point's criterion, mean over folds: accuracy or log_loss (classes), "
                 "rmse, r2 or nlpd (regression), evidence (one fit to all rows, no folds); auto: "
                 "accuracy, rmse. Ties: fewer active weights, then the first")
      ->check(CLI::IsMember({"auto", "accuracy", "log_loss", "rmse", "r2", "nlpd", "evidence"}))
      ->capture_default_str()
      ->needs(grid)
      ->group("Grid search");
  add_output(sub, "-o,--output", command.output,
             "Write the best point's model, fitted again to all rows")
      ->needs(grid)
      ->group("Grid search");
  add_output(sub, "--table", command.table_file, "Write the results as CSV, one row per point")
      ->needs(grid)
      ->group("Grid search");
  add_output(sub, "--resume", command.journal,
             "Keep finished points in this file and take them from it: a search that was "
             "killed goes on where it was")
      ->needs(grid)
      ->group("Grid search");
}

}  // namespace

void add_cv(CLI::App& app) {
  auto command = std::make_shared<CvCommand>();
  CLI::App* sub = app.add_subcommand(
      "cv", "Cross-validate training: stratified folds, everything fitted on training rows only");
  command->source.add_weighted_to(*sub);
  sub->add_option("--folds", command->folds, "Number of folds")
      ->check(CLI::Range(2, 1'000'000))
      ->capture_default_str();
  sub->add_option("--fold-seed", command->fold_seed,
                  "Seed of the folds, the same for every point of a grid; default: --seed");
  add_grid_options(*sub, *command);
  add_options(*sub, command->table, "Training");
  add_class_weights(*sub, command->table);
  sub->parse_complete_callback([] {});  // a grid may use what one point does not: see run()
  add_predict_options(*sub, command->predict_options);
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
