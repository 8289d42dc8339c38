// A training of any engine that is stopped after any of its checkpoints goes on to the same bytes.
#include "ardent/estimators/training_checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "ardent/base/error.h"
#include "ardent/data/synth.h"
#include "ardent/estimators/trainer.h"
#include "ardent/model/model_file.h"
#include "problems/labelled.h"

namespace ardent {
namespace {

using problems::line;
using problems::three_classes;
using problems::two_classes;

struct Case {
  std::string name;
  Dataset data;
  TrainOptions options;
  Index stages = 1;  // between checkpoints
};

Dataset planted_words(Index rows, Index columns) {
  return make_synth({.rows = rows, .columns = columns, .nonzeros = 30, .relevant = 200}).data;
}

TrainOptions by(const std::string& engine, const std::string& support_prior = "auto") {
  TrainOptions options;
  options.engine = engine;
  options.support_prior = support_prior;
  return options;
}

TrainOptions by_kernels(const std::string& engine) {
  TrainOptions options = by(engine);
  options.map = "rbf";
  options.sigma = 1;
  return options;
}

std::vector<Case> checkpoint_cases() {
  TrainOptions folded = by("exact");
  folded.early_stop = "cv";
  folded.refit = true;
  TrainOptions path_of_words = by("path");
  path_of_words.scale = "none";
  TrainOptions kept = by("exact", "none");
  kept.engine_options.keep_stages = true;
  return {{"exact", two_classes(120, 12, 1), by("exact", "none"), 5},
          {"exact, every stage kept", two_classes(120, 12, 1), kept, 10},
          {"exact, few rows", two_classes(30, 60, 1), by("exact", "none"), 5},
          {"exact, a price", line(100, 40, 2), by("exact"), 10},
          {"exact, folds and the path", two_classes(90, 20, 3), by("auto"), 20},
          {"exact, stages by folds", two_classes(80, 10, 4), folded, 10},
          {"exact, kernels of three classes", three_classes(60, 2, 5), by_kernels("exact"), 10},
          {"sequential", two_classes(150, 60, 6), by("sequential", "none")},
          {"sequential, a regression", line(80, 70, 7), by("sequential", "none")},
          {"growing", three_classes(150, 2, 8), by_kernels("growing")},
          {"growing, a regression", line(120, 3, 9), by_kernels("growing")},
          {"thinned", two_classes(120, 12, 1), by("thinned"), 1},
          {"path", two_classes(120, 15, 10), by("path"), 20},
          {"path, words", planted_words(300, 2000), path_of_words, 20},
          {"shrinkage", planted_words(300, 2000), by("shrinkage"), 2},
          {"diagonal", planted_words(300, 2000), by("diagonal", "none"), 2},
          {"the default of words", planted_words(700, 20000), by("auto"), 2}};
}

std::string file_of(const std::string& name) {
  return testing::TempDir() + std::to_string(getpid()) + name;
}

/// The model's bytes, and how many times progress was reported.
struct Outcome {
  std::string bytes;
  Index events = 0;
};

Outcome trained(const Case& own, const CheckpointPlan& plan) {
  Outcome outcome;
  TrainOptions options = own.options;
  options.checkpoint = std::make_shared<const CheckpointPlan>(plan);
  std::mutex mutex;
  outcome.bytes = model_bytes(train(own.data, options, [&](const ProgressEvent&) {
    const std::lock_guard lock(mutex);
    ++outcome.events;
    return true;
  }));
  return outcome;
}

TEST(TrainingCheckpoint, ATrainingGoesOnToTheSameBytesFromAnyOfThem) {
  for (const Case& own : checkpoint_cases()) {
    SCOPED_TRACE(own.name);
    const std::string path = file_of("run.checkpoint");
    std::vector<std::string> left;
    CheckpointPlan plan{.path = path, .stages = own.stages};
    plan.written = [&](const std::string&) {
      left.push_back(file_of("left." + std::to_string(left.size())));
      std::filesystem::copy_file(path, left.back(),
                                 std::filesystem::copy_options::overwrite_existing);
    };
    const Outcome whole = trained(own, plan);
    ASSERT_GE(left.size(), 2u);
    // The first, the last and one or two between.
    const std::size_t stride = std::max<std::size_t>(1, left.size() / 2);
    for (std::size_t k = left.size() - 1;; k -= std::min(k, stride)) {
      const Outcome resumed = trained(own, {.path = left[k], .stages = own.stages, .resume = true});
      EXPECT_EQ(resumed.bytes, whole.bytes) << "from checkpoint " << k << " of " << left.size();
      const bool last = k + 1 == left.size();
      EXPECT_LE(resumed.events, last ? whole.events - 1 : whole.events);
      if (k == 0) break;
    }
    for (const std::string& file : left) std::filesystem::remove(file);
  }
}

TEST(TrainingCheckpoint, AnotherTrainingsIsRefused) {
  Case own{"", two_classes(120, 12, 1), by("exact", "none")};
  const std::string path = file_of("other.checkpoint");
  trained(own, {.path = path, .stages = 2});
  own.options.seed = 2;
  EXPECT_THROW(trained(own, {.path = path, .stages = 2, .resume = true}), InputError);
}

}  // namespace
}  // namespace ardent
