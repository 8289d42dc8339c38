#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <memory>

#include "ardent/base/atomic_file.h"
#include "command.h"
#include "describe.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

struct PredictCommand {
  Common common;
  DataSource source;
  PredictOptions options;
  std::string model_path;
  std::string output;
  bool proba = false;
  Index stage = 0;

  void run() const {
    const ThreadScope threads(common.threads);
    const Model model = load_model_at(model_path, stage);
    ReadOptions read = source.options;
    read.labels_optional = true;
    if (read.label.empty()) read.label = model.label_name;
    const Dataset data = read_dataset(source.path, read);
    const Prediction prediction = predict(model, data, options);
    warn(prediction.warnings);
    const std::string text =
        common.json ? as_json(model, prediction).dump(2) + "\n" : as_lines(model, prediction);
    if (output.empty() || output == "-") {
      fmt::print("{}", text);
      return;
    }
    AtomicFile file(output);
    file.write(text);
    file.commit();
  }

  const std::string& name(const Model& model, const Prediction& prediction, std::size_t i) const {
    return model.classes.names[prediction.classes[i]];
  }

  /// One prediction per line. With probabilities as LIBSVM writes them: a first line
  /// "labels a b …", then label and probabilities; for regression mean and standard deviation.
  std::string as_lines(const Model& model, const Prediction& prediction) const {
    fmt::memory_buffer text;
    const auto out = std::back_inserter(text);
    if (model.task == Task::regression) {
      for (Index i = 0; i < prediction.mean.size(); ++i) {
        fmt::format_to(out, "{}", prediction.mean[i]);
        if (proba) fmt::format_to(out, " {}", std::sqrt(prediction.variance[i]));
        text.push_back('\n');
      }
      return fmt::to_string(text);
    }
    if (proba) fmt::format_to(out, "labels {}\n", fmt::join(model.classes.names, " "));
    for (std::size_t i = 0; i < prediction.classes.size(); ++i) {
      fmt::format_to(out, "{}", name(model, prediction, i));
      for (Index c = 0; proba && c < prediction.probabilities.cols(); ++c) {
        fmt::format_to(out, " {}", prediction.probabilities(static_cast<Index>(i), c));
      }
      text.push_back('\n');
    }
    return fmt::to_string(text);
  }

  Json as_json(const Model& model, const Prediction& prediction) const {
    Json json;
    if (model.task == Task::regression) {
      json["predictions"] = std::vector<double>(prediction.mean.begin(), prediction.mean.end());
      json["sd"] = Json::array();
      // std::sqrt rounds correctly; Eigen's may be off by a bit.
      for (const double variance : prediction.variance) json["sd"].push_back(std::sqrt(variance));
      return json;
    }
    json["labels"] = model.classes.names;
    json["predictions"] = Json::array();
    json["probabilities"] = Json::array();
    for (std::size_t i = 0; i < prediction.classes.size(); ++i) {
      const Vector row = prediction.probabilities.row(static_cast<Index>(i));
      json["predictions"].push_back(name(model, prediction, i));
      json["probabilities"].push_back(std::vector<double>(row.begin(), row.end()));
    }
    return json;
  }
};

}  // namespace

void add_predict(CLI::App& app) {
  auto command = std::make_shared<PredictCommand>();
  CLI::App* sub =
      app.add_subcommand("predict", "Predict labels (or means) and probabilities with a model");
  sub->add_option("MODEL", command->model_path, "Model file written by train")->required();
  command->source.add_to(*sub);
  sub->add_option("-o,--output", command->output,
                  "Output file; default: standard output. One prediction per line");
  sub->add_flag("--proba", command->proba,
                "Probabilities beside each label, after a line 'labels …' (regression: the "
                "standard deviation of a new observation beside each mean)");
  add_predict_options(*sub, command->options);
  add_stage_option(*sub, command->stage);
  command->common.add_to(*sub);
  sub->callback([command] { command->run(); });
}

}  // namespace ardent::cli
