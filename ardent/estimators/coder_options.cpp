#include "ardent/estimators/coder_options.h"

#include "ardent/base/error.h"

namespace ardent {

void add_coding_options(OptionTable& table, CoderOptions& options) {
  table.add("method", options.method,
            "sbl: sparse Bayesian code by reweighted l1, minimises log|S| + y'S^-1 y with S = "
            "lambda*I + Phi*Gamma*Phi'; lasso: one LASSO, |y - Phi*theta|^2/2 + lambda*sum|theta|",
            {"sbl", "lasso"});
  table.add(
      "lambda", options.lambda,
      "sbl: noise variance; lasso: penalty; auto: from lambda-ratio where that is given, else "
      "(sbl) noise-factor times the residual variance of the code, in three rounds",
      0, "auto");
  table.add(
      "lambda-ratio", options.lambda_ratio,
      "lambda as a part, at most 1, of the smallest lambda whose first code is zero: max|phi'y| "
      "for lasso and start ones, max (phi'y)^2/|phi|^2 for start zero",
      0, "none");
  table.add("noise-factor", options.noise_factor,
            "automatic lambda in units of the residual variance; auto: 2 ln(atoms)", 0, "auto");
  table.add("start", options.start,
            "sbl: zero, from gamma = 0, independent of all units; ones, penalties 1 as in the "
            "published figures",
            {"zero", "ones"});
  table.add("max-outer", options.max_outer, "sbl: reweightings at most", 1);
  table.add("outer-tolerance", options.outer_tolerance,
            "sbl: converged when the loss falls by less than this part of log|S/lambda| + y'S^-1 y",
            0);
  table.add("gap", options.gap,
            "each LASSO is solved to this duality gap relative to its objective", 0);
  table.add("nonnegative", options.nonnegative, "coefficients >= 0");
}

OptionTable option_table(CoderOptions& options) {
  OptionTable table;
  add_coding_options(table, options);
  table.add("path", options.path,
            "values of lambda on the way down to the one wanted, each started from the code before",
            1);
  table.add(
      "screening", options.screening,
      "atoms rejected as zero in every solution: before each LASSO by sphere, dome or tht (two "
      "hyperplanes), or on the way by gap (Gap Safe); none",
      {"none", "sphere", "dome", "tht", "gap"});
  table.add("ball", options.ball,
            "region that sphere, dome and tht start from: half, the ball whose diameter is the "
            "line from y to s*y; paper, the published one of twice that radius",
            {"half", "paper"});
  table.add("unit-norm", options.unit_norm, "scale atoms and signals to length 1 first");
  table.add("gram-memory", options.gram_memory, "MiB for the Gram rows that signals share", 0);
  return table;
}

CodeOptions code_options(const CoderOptions& options) {
  CodeOptions code;
  const bool lasso = options.method == "lasso";
  if (lasso && options.lambda == 0 && options.lambda_ratio == 0) {
    throw InputError("a LASSO needs --lambda or --lambda-ratio: it estimates no noise");
  }
  code.lambda = options.lambda;
  code.lambda_ratio = options.lambda_ratio;
  code.noise_factor = options.noise_factor;
  code.path = options.path;
  code.start = lasso ? CodeStart::ones : parse_code_start(options.start);
  code.max_outer = lasso ? 1 : options.max_outer;
  code.outer_tolerance = options.outer_tolerance;
  code.tolerance = options.gap;
  code.nonnegative = options.nonnegative;
  code.screening = parse_screen_test(options.screening);
  code.ball = parse_ball(options.ball);
  validate(code);
  return code;
}

}  // namespace ardent
