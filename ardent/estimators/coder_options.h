// What you ask of a sparse coder, written once: the command line, Python and the documents read it
// here.
#pragma once

#include <string>

#include "ardent/base/option_table.h"
#include "ardent/inference/coding/reweighted_l1.h"

namespace ardent {

struct CoderOptions {
  std::string method = "sbl";
  double lambda = 0;        // 0: by lambda_ratio, else automatic
  double lambda_ratio = 0;  // 0: not used
  double noise_factor = 0;  // 0: 2 ln n
  Index path = CodeOptions{}.path;
  std::string start = "zero";
  Index max_outer = CodeOptions{}.max_outer;
  double outer_tolerance = CodeOptions{}.outer_tolerance;
  double gap = CodeOptions{}.tolerance;
  bool nonnegative = false;
  std::string screening = "gap";
  std::string ball = "half";
  bool unit_norm = false;
  Index gram_memory = 1024;  // MiB
};

/// How one signal is coded: what training a dictionary classifier asks, too.
void add_coding_options(OptionTable& table, CoderOptions& options);

/// The table bound to `options`, which must outlive it.
OptionTable option_table(CoderOptions& options);

/// What the engine is asked. InputError where options contradict each other.
CodeOptions code_options(const CoderOptions& options);

}  // namespace ardent
