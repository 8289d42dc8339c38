// What you ask of training, written once: the command line, Python and the documents read it here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ardent/base/option_table.h"
#include "ardent/estimators/coder_options.h"
#include "ardent/estimators/mask_options.h"
#include "ardent/inference/engine.h"

namespace ardent {

struct Model;

struct TrainOptions {
  std::string task = "auto";
  std::string map = "linear";
  std::string engine = "auto";
  std::string scale = "auto";
  std::string multiclass = "ovo";
  std::string class_weight = "none";
  double sigma = 0;    // rbf; 0: automatic
  Index hidden = 200;  // elm
  std::uint64_t seed = 1;
  std::string early_stop = "none";
  bool refit = false;
  EngineOptions engine_options = {};
  MaskOptions masks = {};      // doubly-sparse
  Index atoms = 0;             // dictionary; 0: all training rows
  std::string vote = "refit";  // dictionary
  CoderOptions coder = {};     // dictionary
  /// An earlier model to begin from (linear, rbf, elm; see warm_start.h); null: none.
  std::shared_ptr<const Model> start = nullptr;
};

/// The table bound to `options`, which must outlive it.
OptionTable option_table(TrainOptions& options);

}  // namespace ardent
