#include "ardent/estimators/coder_options.h"

#include "ardent/base/error.h"

namespace ardent {

CodeOptions code_options(const CoderOptions& options) {
  const bool lasso = options.method == "lasso";
  if (lasso && options.lambda == 0 && options.lambda_ratio == 0) {
    throw InputError("a LASSO needs lambda or lambda-ratio: it estimates no noise");
  }
  CodeOptions code{.lambda = options.lambda,
                   .lambda_ratio = options.lambda_ratio,
                   .noise_factor = options.noise_factor,
                   .lambda_steps = options.lambda_steps,
                   .code_start = lasso ? CodeStart::ones : options.code_start,
                   .max_outer = lasso ? 1 : options.max_outer,
                   .outer_tolerance = options.outer_tolerance,
                   .tolerance = options.gap,
                   .nonnegative = options.nonnegative};
  use_screening({options.screening, options.ball}, code);
  validate(code);
  return code;
}

}  // namespace ardent
