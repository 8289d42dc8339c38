// One file per command; each adds itself to the application and runs from its callback.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "ardent/base/memory_limit.h"
#include "ardent/base/parallel.h"
#include "ardent/data/reader.h"
#include "ardent/estimators/doubly_sparse_sampling.h"
#include "ardent/estimators/train_options.h"
#include "ardent/model/predict.h"
#include "files.h"

namespace ardent::cli {

void add_train(CLI::App& app);
void add_predict(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_cv(CLI::App& app);
void add_select(CLI::App& app);
void add_masks(CLI::App& app);
void add_code(CLI::App& app);
void add_convert(CLI::App& app);
void add_inspect(CLI::App& app);
void add_report(CLI::App& app);
void add_export(CLI::App& app);
void add_synth(CLI::App& app);
void add_locate(CLI::App& app);
void add_denoise(CLI::App& app);
void add_scene(CLI::App& app);
void add_score_sources(CLI::App& app);
void add_demo(CLI::App& app);
void add_completion(CLI::App& app);
void add_manual(CLI::App& app);

/// In the order of the help.
std::vector<std::string> command_names();

/// All options of all commands take CLI11 longer to make than many a command to run: where the
/// first argument names a command, its own are made, and for the version none.
void add_commands(CLI::App& app, std::string_view first);
/// The commands that add_commands() left out.
void add_other_commands(CLI::App& app);

/// What every command takes.
struct Common {
  bool json = false;
  int threads = 0;
  bool verbose = false;

  void add_to(CLI::App& command);
};

/// How much memory large arrays may take.
struct MemoryOption {
  std::string text = "auto";

  void add_to(CLI::App& command);
  /// While it lives, what does not fit is left on disk; says so where work on this file does not.
  MemoryLimit limit_for(const std::string& path) const;
};

/// Where data come from and how they are read. Reading tells the reader's warnings.
struct DataSource {
  std::string path;
  ReadOptions options;
  Schema table = schema(options);

  void add_to(CLI::App& command);
  /// For commands whose rows may have weights.
  void add_weighted_to(CLI::App& command);
  Dataset read() const;
  /// This process's share of the rows.
  Dataset read_share(SharePointer share) const;
  /// How rows for this model are read; prediction needs no labels.
  ReadOptions options_for(const Model& model, bool labels_optional) const;
  Dataset read_for(const Model& model, bool labels_optional) const;
};

/// Every option of the schema, which must stay where it is; those of no group under `title`. An
/// option that is given and has no effect is refused.
void add_options(CLI::App& command, Schema& schema, const std::string& title);
/// -wLABEL WEIGHT as LIBSVM has it: another way to write --class-weight.
void add_class_weights(CLI::App& command, Schema& schema, const std::string& title = "Training");
/// Where the chains of doubly sparse models are kept.
void add_checkpoint(CLI::App& command, CheckpointOptions& checkpoint);
void add_predict_options(CLI::App& command, PredictOptions& options);
void add_stage_option(CLI::App& command, Index& stage);
/// The model of the file, as it was after that stage (0: as it ended).
Model load_model_at(const std::string& path, Index stage);

}  // namespace ardent::cli
