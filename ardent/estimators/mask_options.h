// What you ask of a doubly sparse kernel model.
#pragma once

#include <string>

#include "ardent/base/option_table.h"

namespace ardent {

struct MaskOptions {
  std::string sampler = "collapsed";
  std::string prior = "independent";
  double expected_features = 0;  // a_ζ; 0: a quarter of them
  double expected_basis = 20;    // a_z
  double delta = 0;              // 0: automatic
  bool sample_delta = true;
  double xi = 1;
  bool sample_xi = true;
  Index chains = 3;
  Index burn_in = 200;
  Index sweeps = 300;
  Index draws = 100;
  Index landmarks = 0;  // 0: automatic
  bool point_estimate = false;
};

/// Adds them, bound to `options`, which must outlive the table.
void add_mask_options(OptionTable& table, MaskOptions& options);

}  // namespace ardent
