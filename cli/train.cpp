#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "ardent/base/memory.h"
#include "ardent/estimators/trainer.h"
#include "ardent/model/model_file.h"
#include "command.h"
#include "describe.h"
#include "ranks.h"
#include "signals.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

struct TrainCommand {
  Common common;
  DataSource source;
  TrainOptions options;
  Schema table = schema(options);
  std::string output;
  CheckpointPlan checkpoint;
  MemoryOption memory;

  void run() const {
    // Of several processes each has one core, unless more are given.
    const ThreadScope threads(ranks() && common.threads == 0 ? 1 : common.threads);
    const MemoryLimit limit = memory.limit_for(source.path);
    // Processes share the rows of one fit where they can, and else the models or chains.
    const bool shares_rows = ranks() && needs_all_rows(options).empty();
    const Dataset data = shares_rows ? source.read_share(ranks()->share()) : source.read();
    const Index rows = data.all_rows();
    const auto start = std::chrono::steady_clock::now();
    const Model model = [&] {
      ProgressBar bar(common.verbose);
      TrainOptions asked = with_checkpoint();
      if (ranks() && !shares_rows) asked.farm = &ranks()->farm();
      return train(data, asked, bar.callback());
    }();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (!output.empty() && leads()) save_model(model, output);
    warn(model);
    if (common.json) {
      Json json = model_json(model);
      json["rows"] = rows;
      json["seconds"] = seconds.count();
      json["peak_bytes"] = peak_resident_bytes();
      add_ranks(json);
      json["model"] = output.empty() ? Json(nullptr) : Json(output);
      print_json(json);
      return;
    }
    constexpr double kMebibyte = 1 << 20;
    fmt::print("{}: {} rows\n{}\n{} in {:.2f} s, at most {:.0f} MiB in memory\n", data.source, rows,
               describe_model(model), describe_fit(model), seconds.count(),
               static_cast<double>(peak_resident_bytes()) / kMebibyte);
    constexpr Index kShown = 20;
    if (model.parts.size() == 1) fmt::print("{}", describe_kept(model, 0, kShown));
    if (!output.empty()) fmt::print("model written to {}\n", output);
  }

  /// Whoever ends the training says where it can go on.
  TrainOptions with_checkpoint() const {
    TrainOptions own = options;
    if (checkpoint.path.empty()) return own;
    CheckpointPlan plan = checkpoint;
    plan.written = [](const std::string& place) {
      const Ranks* const all = ranks();
      say_when_stopped(fmt::format(
          "{}: {}the last checkpoint is {}; --resume goes on from there", command_name(),
          all ? fmt::format("process {} of {}: ", all->rank() + 1, all->count()) : "", place));
    };
    own.checkpoint = std::make_shared<const CheckpointPlan>(std::move(plan));
    return own;
  }

  /// Where several processes share the rows.
  static void add_ranks(Json& json) {
    if (!ranks()) return;
    const Ranks::Traffic traffic = ranks()->traffic();
    const SharePointer share = ranks()->share();
    Vector most{{static_cast<double>(peak_resident_bytes()), static_cast<double>(traffic.bytes)}};
    max_over(share.get(), most);
    json["processes"] = ranks()->count();
    json["peak_bytes"] = most[0];  // of the process that has most
    json["bytes_sent"] = most[1];
    json["rounds"] = traffic.rounds;
    json["vectors"] = traffic.vectors;
  }
};

}  // namespace

void add_train(CLI::App& app) {
  auto command = std::make_shared<TrainCommand>();
  CLI::App* sub = app.add_subcommand("train", "Fit a sparse Bayesian model and write it to a file");
  command->source.add_weighted_to(*sub);
  add_output(*sub, "-o,--output", command->output, "Model file (written whole or not at all)");
  CLI::Option* const checkpoint =
      add_output(*sub, "--checkpoint", command->checkpoint.path,
                 "File to keep a long training in: the state after every so many stages (map "
                 "doubly-sparse: every few seconds) and, of several models, each that is fitted");
  sub->add_option("--checkpoint-stages", command->checkpoint.stages,
                  "Stages between checkpoints (path: values of lambda; shrinkage: strengths; "
                  "sequential and growing: twenties of steps)")
      ->check(CLI::PositiveNumber)
      ->needs(checkpoint)
      ->capture_default_str();
  sub->add_flag("--resume", command->checkpoint.resume,
                "Go on from the checkpoint, to the same bits as a training that was not stopped; "
                "begin anew where there is none")
      ->needs(checkpoint);
  add_options(*sub, command->table, "Training");
  add_class_weights(*sub, command->table);
  command->memory.add_to(*sub);
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
