#include <fmt/format.h>

#include "ardent/model/model_file.h"
#include "ardent/model/path.h"
#include "command.h"
#include "help.h"

namespace ardent::cli {

void Common::add_to(CLI::App& command) {
  command.add_flag("--json", json, "One JSON object on standard output instead of text");
  command
      .add_option("--threads", threads,
                  "Threads; 0: all cores. Results are the same bits whatever the number")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  command.add_flag("-v,--verbose", verbose, "Report each stage on standard error");
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
  command.add_option(
      "--labels", options.labels,
      "NPY, IDX: file with one label per row (NPY, IDX or text); default for MNIST's "
      "file names: the labels file beside the images");
}

void DataSource::add_weights_to(CLI::App& command) {
  command.add_option("--weights", options.weights,
                     "File with one number >= 0 a row (NPY, IDX or text): how often the row counts "
                     "in training");
}

void add_options(CLI::App& command, Schema& schema, const std::string& title) {
  schema.spell(Spelling::flag);
  for (const Option& option : schema.options()) {
    // The first group is where help shows an option; `published` is none to be shown in alone.
    std::vector<std::string> groups = option.groups;
    if (groups.empty() || groups.front() == "published") groups.insert(groups.begin(), title);
    command
        .add_option_function<std::string>(
            "--" + option.name,
            [&schema, name = option.name](const std::string& text) { schema.set(name, text); },
            option.help)
        ->type_name(option.values)
        ->default_str(option.get())
        ->group(joined_groups(groups));
  }
  command.parse_complete_callback([&schema] { schema.refuse_idle(); });
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
                  "with --keep-stages on); 0: as it ended")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
}

Model load_model_at(const std::string& path, Index stage) {
  Model model = load_model(path);
  return stage > 0 ? at_stage(model, stage) : model;
}

}  // namespace ardent::cli
