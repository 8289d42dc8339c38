#include <fmt/format.h>

#include "ardent/data/shared_rows.h"
#include "ardent/model/model_file.h"
#include "ardent/model/path.h"
#include "ardent/model/read_for.h"
#include "command.h"
#include "help.h"
#include "terminal.h"

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
  table.fix("weights", "");
  add_weighted_to(command);
}

void DataSource::add_weighted_to(CLI::App& command) {
  add_input(command, "DATA", path,
            "LIBSVM, CSV, NPY, IDX or ardent cache; gzip, xz or bzip2 as they are; - for standard "
            "input")
      ->required();
  options.spelling = Spelling::flag;
  add_options(command, table, "Data");
}

Dataset DataSource::read() const {
  Dataset data = read_dataset(path, options);
  warn(data.warnings);
  return data;
}

Dataset DataSource::read_share(SharePointer share) const {
  Dataset data = ardent::read_share(path, options, std::move(share));
  warn(data.warnings);
  return data;
}

ReadOptions DataSource::options_for(const Model& model, bool labels_optional) const {
  return read_options_for(model, options, labels_optional);
}

Dataset DataSource::read_for(const Model& model, bool labels_optional) const {
  Dataset data = read_dataset(path, options_for(model, labels_optional));
  warn(data.warnings);
  return data;
}

void add_options(CLI::App& command, Schema& schema, const std::string& title) {
  schema.spell(Spelling::flag);
  for (const Option& option : schema.options()) {
    // The first group is where help shows an option; `published` is none to be shown in alone.
    std::vector<std::string> groups = option.groups;
    if (groups.empty() || groups.front() == "published") groups.insert(groups.begin(), title);
    const auto set = [&schema, name = option.name](const std::string& text) {
      schema.set(name, text);
    };
    const std::string flag = "--" + option.name;
    CLI::Option* const added =
        option.kind == OptionKind::flag
            ? command.add_flag_callback(
                  flag, [set] { set("on"); }, option.help)
            : command.add_option_function<std::string>(flag, set, option.help)
                  ->type_name(option.values)
                  ->default_str(option.get());
    added->group(joined_groups(groups));
  }
  command.parse_complete_callback([&schema] { schema.refuse_idle(); });
}

void add_class_weights(CLI::App& command, Schema& schema, const std::string& title) {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  command
      .add_option_function<Pairs>(
          "-w",
          [&schema](const Pairs& pairs) {
            std::string text;
            for (const auto& [label, weight] : pairs) {
              text += (text.empty() ? "" : ",") + label + "=" + weight;
            }
            schema.set("class-weight", text);
          },
          "Weight of a class as LIBSVM has it: -w1 5 -w-1 0.5 is --class-weight 1=5,-1=0.5")
      ->type_name("LABEL WEIGHT")
      ->excludes("--class-weight")
      ->group(title);
}

void add_checkpoint(CLI::App& command, CheckpointOptions& checkpoint) {
  add_output(command, "--checkpoint", checkpoint.path,
             "File to write the chains of a doubly sparse model to and to go on from: a killed run "
             "resumes to the same bits (collapsed sampler)");
  command
      .add_option("--checkpoint-seconds", checkpoint.seconds, "Time between such writes of a chain")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
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
