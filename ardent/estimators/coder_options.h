// What you ask of a sparse coder.
#pragma once

#include <string>

#include "ardent/base/option_schema.h"
#include "ardent/published/screening/screen.h"

namespace ardent {

struct CoderOptions {
  std::string method = "sbl";
  double lambda = 0;        // 0: by lambda_ratio, else automatic
  double lambda_ratio = 0;  // 0: not used
  double noise_factor = 0;  // 0: 2 ln n
  Index lambda_steps = CodeOptions{}.lambda_steps;
  CodeStart code_start = CodeOptions{}.code_start;
  Index max_outer = CodeOptions{}.max_outer;
  double outer_tolerance = CodeOptions{}.outer_tolerance;
  double gap = CodeOptions{}.tolerance;
  bool nonnegative = CodeOptions{}.nonnegative;
  ScreenTest screening = ScreenTest::gap;
  Ball ball = Ball::half;
  bool unit_norm = false;
  Index gram_memory = 1024;  // MiB
  std::string device = "cpu";
};

/// How one signal is coded: what training a dictionary classifier asks, too.
inline Schema coding_schema(CoderOptions& options) {
  Schema schema;
  const Condition sbl = where("method", {"sbl"}), automatic = where("lambda", {"auto"});
  schema.add(
      "method", options.method,
      "sbl: sparse Bayesian code by reweighted l1, minimises log|S| + y'S^-1 y with S = lambda*I "
      "+ Phi*Gamma*Phi'; lasso: one LASSO, |y - Phi*theta|^2/2 + lambda*sum|theta|",
      {"sbl", "lasso"});
  schema.add(
      "lambda", options.lambda,
      "sbl: noise variance; lasso: penalty; auto: from lambda-ratio where that is given, else "
      "(sbl) noise-factor times the residual variance of the code, in three rounds",
      above(0), "auto");
  schema
      .add("lambda-ratio", options.lambda_ratio,
           "lambda as a fraction of the smallest lambda whose first code is zero: max|phi'y| for "
           "lasso "
           "and code-start ones, max (phi'y)^2/|phi|^2 for code-start zero",
           {.low = 0, .high = 1, .high_is_in = true}, "none")
      .needing(automatic);
  schema
      .add("noise-factor", options.noise_factor,
           "automatic lambda in units of the residual variance; auto: 2 ln(atoms)", above(0),
           "auto")
      .needing(sbl)
      .needing(automatic)
      .needing(where("lambda-ratio", {"none"}));
  schema
      .add("code-start", options.code_start,
           "where reweighting starts: zero, from gamma = 0, independent of all units; ones, "
           "penalties 1 as in the published figures",
           {"zero", "ones"})
      .needing(sbl)
      .also_in("published");
  schema.add("max-outer", options.max_outer, "reweightings at most", 1).needing(sbl);
  schema
      .add("outer-tolerance", options.outer_tolerance,
           "converged when the loss falls by less than this fraction of log|S/lambda| + y'S^-1 y",
           above(0))
      .needing(sbl);
  schema.add("gap", options.gap,
             "each LASSO is solved to this duality gap relative to its objective", above(0));
  schema.add("nonnegative", options.nonnegative, "coefficients >= 0");
  return schema;
}

inline Schema schema(CoderOptions& options) {
  Schema schema = coding_schema(options);
  schema.add("lambda-steps", options.lambda_steps,
             "values of lambda on the way down to the one wanted, each started from the code "
             "before",
             1);
  schema
      .add("screening", options.screening,
           "atoms rejected as zero in every solution: before each LASSO by sphere, dome or tht "
           "(two hyperplanes), or on the way by gap (Gap Safe); none",
           {"none", "sphere", "dome", "tht", "gap"})
      .also_in("published");
  schema
      .add("ball", options.ball,
           "region that sphere, dome and tht start from: half, the ball whose diameter is the line "
           "from y to s*y; paper, the published one of twice that radius",
           {"paper", "half"})
      .needing(where("screening", {"sphere", "dome", "tht"}))
      .also_in("published");
  schema.add("unit-norm", options.unit_norm, "scale atoms and signals to length 1 first");
  schema.add("gram-memory", options.gram_memory, "MiB for the Gram rows that signals share", 0);
  schema.add("device", options.device,
             "where signals are coded: cpu; cuda, an NVIDIA card (a build made by `make cuda`), all "
             "atoms at once without static screening, an error where there is no card; auto, the "
             "card where there is one and it has what is asked for, else the processor",
             {"cpu", "cuda", "auto"});
  return schema;
}

/// What the engine is asked. InputError where options contradict each other.
CodeOptions code_options(const CoderOptions& options);

}  // namespace ardent
