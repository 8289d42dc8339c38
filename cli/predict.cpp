#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "ardent/base/atomic_file.h"
#include "command.h"
#include "describe.h"
#include "predict_stream.h"
#include "prediction_text.h"
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
    if (is_stream()) {
      predict_stream(model, source.options_for(model, true), options, proba);
      return;
    }
    const Dataset data = source.read_for(model, true);
    const Prediction prediction = predict(model, data, options);
    warn(prediction.warnings);
    Agreement agreement;
    agreement.add(model, data, prediction);
    const std::string text = as_text(model, prediction, agreement);
    if (!to_file()) {
      fmt::print("{}", text);
      if (!common.json) fmt::print(stderr, "{}", agreement.text());
      return;
    }
    AtomicFile file(output);
    file.write(text);
    file.commit();
    if (!common.json) fmt::print("{}", agreement.text());
  }

  bool to_file() const { return !output.empty() && output != "-"; }

  /// Rows that arrive one after the other are answered as they come.
  bool is_stream() const {
    struct stat status {};
    return source.path == "-" && !to_file() && !common.json && fstat(STDIN_FILENO, &status) == 0 &&
           !S_ISREG(status.st_mode);
  }

  std::string as_text(const Model& model, const Prediction& prediction,
                      const Agreement& agreement) const {
    if (common.json) {
      Json json = prediction_json(model, prediction);
      agreement.add_to(json);
      return json.dump(2) + "\n";
    }
    if (output.ends_with(".csv")) return prediction_csv(model, prediction, proba);
    return lines_header(model, proba) + prediction_lines(model, prediction, proba);
  }
};

}  // namespace

void add_predict(CLI::App& app) {
  auto command = std::make_shared<PredictCommand>();
  CLI::App* sub =
      app.add_subcommand("predict",
                         "Predict labels (or means) and probabilities with a model. Rows from a "
                         "pipe (DATA is -) are answered line by line, as they come. Where the rows "
                         "have labels, the accuracy is reported (on standard error if the "
                         "predictions go to standard output)");
  add_input(*sub, "MODEL", command->model_path, "Model file written by train")->required();
  command->source.add_to(*sub);
  add_output(*sub, "-o,--output", command->output,
             "Output file; default: standard output. One prediction per line; NAME.csv: CSV with a "
             "header");
  sub->add_flag("--proba", command->proba,
                "Probabilities beside each label, after a line 'labels …' (regression: the "
                "standard deviation of a new observation beside each mean). Labels with blanks "
                "are quoted");
  add_predict_options(*sub, command->options);
  add_stage_option(*sub, command->stage);
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
