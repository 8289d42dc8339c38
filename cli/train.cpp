#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "ardent/base/error.h"
#include "ardent/base/memory.h"
#include "ardent/estimators/doubly_sparse_training.h"
#include "ardent/estimators/trainer.h"
#include "ardent/model/model_file.h"
#include "command.h"
#include "describe.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

struct TrainCommand {
  Common common;
  DataSource source;
  TrainOptions options;
  Schema table = schema(options);
  std::string output;
  CheckpointOptions checkpoint;

  void run() const {
    const ThreadScope threads(common.threads);
    const Dataset data = source.read();
    const auto start = std::chrono::steady_clock::now();
    const Model model = [&] {
      ProgressBar bar(common.verbose);
      return checkpoint.path.empty() ? train(data, options, bar.callback())
                                     : train_on(data, bar.callback());
    }();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (!output.empty()) save_model(model, output);
    warn(model);
    if (common.json) {
      Json json = model_json(model);
      json["rows"] = data.rows();
      json["seconds"] = seconds.count();
      json["peak_bytes"] = peak_resident_bytes();
      json["model"] = output.empty() ? Json(nullptr) : Json(output);
      print_json(json);
      return;
    }
    constexpr double kMebibyte = 1 << 20;
    fmt::print("{}: {} rows\n{}\n{} in {:.2f} s, at most {:.0f} MiB in memory\n", data.source,
               data.rows(), describe_model(model), describe_fit(model), seconds.count(),
               static_cast<double>(peak_resident_bytes()) / kMebibyte);
    constexpr Index kShown = 20;
    if (model.parts.size() == 1) fmt::print("{}", describe_kept(model, 0, kShown));
    if (!output.empty()) fmt::print("model written to {}\n", output);
  }

  /// From the checkpoint, where there is one.
  Model train_on(const Dataset& data, const ProgressCallback& progress) const {
    if (options.map != DoublySparseModel::kMap) {
      throw InputError(
          fmt::format("checkpoint belongs to the map doubly-sparse; the map is {}", options.map));
    }
    return fit_doubly_sparse(data, options, checkpoint, progress).model;
  }
};

}  // namespace

void add_train(CLI::App& app) {
  auto command = std::make_shared<TrainCommand>();
  CLI::App* sub = app.add_subcommand("train", "Fit a sparse Bayesian model and write it to a file");
  command->source.add_weighted_to(*sub);
  add_output(*sub, "-o,--output", command->output, "Model file (written whole or not at all)");
  add_options(*sub, command->table, "Training");
  add_class_weights(*sub, command->table);
  add_checkpoint(*sub, command->checkpoint);
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
