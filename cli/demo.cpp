// The main job on embedded data: train, look at what was kept, measure, save, load, predict.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "ardent/data/bytes.h"
#include "ardent/data/csv.h"
#include "ardent/data/folds.h"
#include "ardent/estimators/evaluation.h"
#include "ardent/model/model_file.h"
#include "command.h"
#include "describe.h"
#include "embedded_data.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

struct Trained {
  Model model;
  Evaluation held_out;
  double seconds = 0;
};

Trained train_and_measure(const Dataset& training, const Dataset& test,
                          const TrainOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Trained trained;
  trained.model = train(training, options);
  trained.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  trained.held_out = evaluate(trained.model, test);
  return trained;
}

std::vector<std::string> summary_row(const std::string& name, const Trained& trained) {
  const auto& m = trained.held_out.classification;
  return {name,
          fmt::format("{} of {}", trained.held_out.active, trained.held_out.total),
          fmt::format("{:.1f}%", 100 * m.accuracy),
          fmt::format("{:.4f}", m.log_loss),
          fmt::format("{:.4f}", m.auc),
          fmt::format("{:.2f}", trained.held_out.evidence),
          fmt::format("{:.2f} s", trained.seconds)};
}

struct DemoCommand {
  Common common;
  std::string output;

  void run() const {
    const ThreadScope threads(common.threads);
    const Dataset data = parse_csv(bytes_of(breast_cancer_csv(), "breast_cancer.csv"));
    const auto classes = encode(data.labels, make_classes(data.labels));
    const Split split = stratified_folds(classes, 4, 1).front();
    const Dataset training = select_rows(data, split.train), test = select_rows(data, split.test);

    TrainOptions linear, kernel;
    kernel.map = "rbf";
    const Trained features = train_and_measure(training, test, linear);
    const Trained basis = train_and_measure(training, test, kernel);

    const std::string path =
        output.empty() ? (std::filesystem::temp_directory_path() / "ardent-demo.model").string()
                       : output;
    save_model(features.model, path);
    const Model loaded = load_model(path);
    if (common.json) {
      print_json({{"linear", evaluation_json(features.held_out, features.model.classes)},
                  {"rbf", evaluation_json(basis.held_out, basis.model.classes)},
                  {"kept", kept_json(features.model, 0)},
                  {"model", path}});
      return;
    }
    fmt::print(
        "Breast tumours: {} rows, {} measurements of cell nuclei each, benign or malignant.\n"
        "Trained on {} rows, measured on the {} held out.\n\n",
        data.rows(), data.cols(), training.rows(), test.rows());
    fmt::print(
        "1. Which measurements matter? A linear model with one prior precision per weight.\n");
    fmt::print("   {}\n{}\n", describe_fit(features.model), describe_kept(features.model, 0, 0));
    fmt::print("2. Which patients matter? A relevance vector machine on the same rows.\n");
    fmt::print("   {}\n{}\n", describe_fit(basis.model), describe_kept(basis.model, 0, 0));
    fmt::print("3. On the held-out rows, with no regularisation search:\n{}\n",
               text_table({{"map", "kept", "accuracy", "log loss", "AUC", "evidence", "training"},
                           summary_row("linear", features),
                           summary_row("rbf", basis)}));
    fmt::print("4. Saved as {} ({} bytes), loaded, and asked about ten held-out rows:\n", path,
               std::filesystem::file_size(path));
    fmt::print("{}", describe_predictions(loaded, test));
    fmt::print(
        "\nNow yours:  ardent train my.libsvm -o my.model;  ardent predict my.model new.libsvm "
        "--proba\n");
  }

  static std::string describe_predictions(const Model& model, const Dataset& test) {
    std::vector<Index> some;
    for (Index i = 0; i < 10; ++i) some.push_back(i * test.rows() / 10);
    const Dataset asked = select_rows(test, some);
    const Prediction prediction = predict(model, asked);
    const auto truth = encode(asked.labels, model.classes);
    const auto positive = model.classes.positive;
    std::vector<std::vector<std::string>> rows{
        {"predicted", "truth", fmt::format("p({})", model.classes.names[positive])}};
    for (std::size_t i = 0; i < some.size(); ++i) {
      rows.push_back({model.classes.names[prediction.classes[i]], model.classes.names[truth[i]],
                      fmt::format("{:.4f}", prediction.probabilities(i, positive))});
    }
    return text_table(rows);
  }
};

}  // namespace

void add_demo(CLI::App& app) {
  auto command = std::make_shared<DemoCommand>();
  CLI::App* sub = app.add_subcommand("demo", "The main job, on data that travel in the command");
  add_output(*sub, "-o,--output", command->output,
             "Model file; default: ardent-demo.model in the folder for temporary files");
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
