#include <fmt/format.h>

#include "ardent/model/model_file.h"
#include "ardent/model/path.h"
#include "command.h"

namespace ardent::cli {

void Common::add_to(CLI::App& command) {
  command.add_flag("--json", json, "One JSON object on standard output instead of text");
  command
      .add_option("--threads", threads,
                  "Threads; 0: all cores. Results are the same bits whatever the number")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  command.add_flag("-v,--verbose", verbose, "Tell each stage on standard error");
}

void DataSource::add_to(CLI::App& command) {
  command
      .add_option("DATA", path,
                  "LIBSVM, CSV, NPY, IDX or ardent cache; .gz, .xz, .bz2 as they are; - for "
                  "standard input")
      ->required();
  command
      .add_option("--format", options.format,
                  "auto|libsvm|csv|npy|idx|cache; auto: by content, then by name")
      ->check(CLI::IsMember({"auto", "libsvm", "csv", "npy", "idx", "cache"}))
      ->capture_default_str();
  command
      .add_option("--features", options.features,
                  "Number of features of a LIBSVM file whose last columns may be empty; 0: the "
                  "highest index present")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("--label", options.label,
                     "CSV: name of the label column; default: label, class, target or y, else the "
                     "last column");
  command.add_option("--labels", options.labels,
                     "NPY, IDX: file with one label a row (NPY, IDX or text); default for MNIST's "
                     "file names: the labels file beside the images");
  command.add_option("--weights", options.weights,
                     "File with one number >= 0 a row (NPY, IDX or text): how often the row counts "
                     "in training");
}

void add_train_options(CLI::App& command, OptionTable& table, const std::string& group) {
  for (const Option& option : table.options()) {
    command
        .add_option_function<std::string>(
            "--" + option.name, [set = option.set](const std::string& text) { set(text); },
            option.help)
        ->type_name(option.values)
        ->default_str(option.get())
        ->group(group);
  }
}

void add_predict_options(CLI::App& command, PredictOptions& options) {
  auto* plug_in = command.add_flag(
      "--plug-in", options.plug_in,
      "Probability sigmoid(f) at the mean weights; the default for more than two classes, and "
      "where the model has no joint covariance of its weights (beyond 2,000 weights for engines "
      "other than exact)");
  command
      .add_flag("--moderated", options.moderated,
                "Probability averaged over the posterior, sigmoid(f/sqrt(1 + pi*v/8)) with v the "
                "variance of f; the default for two classes")
      ->excludes(plug_in);
}

void add_stage_option(CLI::App& command, Index& stage) {
  command
      .add_option("--stage", stage,
                  "The model as it was after this stage of training, from 1 (of a model trained "
                  "with --path on); 0: as it ended")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
}

Model load_model_at(const std::string& path, Index stage) {
  Model model = load_model(path);
  return stage > 0 ? at_stage(model, stage) : model;
}

}  // namespace ardent::cli
