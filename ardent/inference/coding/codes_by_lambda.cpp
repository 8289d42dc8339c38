// λ as the options say, and the steps down to it: sparse_bayes_code.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/inference/coding/lambda_steps.h"
#include "ardent/inference/coding/noise_level.h"
#include "ardent/inference/coding/penalties.h"
#include "ardent/inference/coding/reweighted_l1.h"

namespace ardent {
void validate(const CodeOptions& options) {
  require(options.lambda >= 0 && std::isfinite(options.lambda), "lambda",
          "above 0 (or 0: automatic)", options.lambda);
  require(options.lambda == 0 || (options.lambda >= 1e-150 && options.lambda <= 1e150), "lambda",
          "from 1e-150 to 1e150", options.lambda);
  require(options.lambda_ratio >= 0 && options.lambda_ratio <= 1, "lambda_ratio",
          "above 0 and at most 1 (or 0: not used)", options.lambda_ratio);
  require(options.lambda == 0 || options.lambda_ratio == 0, "lambda_ratio",
          "left out when lambda is given", options.lambda_ratio);
  require(options.noise_factor >= 0 && std::isfinite(options.noise_factor), "noise_factor",
          "above 0 (or 0: 2 ln n)", options.noise_factor);
  require(options.lambda_steps >= 1, "lambda_steps", "at least 1", options.lambda_steps);
  require(options.max_outer >= 1, "max_outer", "at least 1", options.max_outer);
  require(options.outer_tolerance > 0, "outer_tolerance", "above 0", options.outer_tolerance);
  require(options.tolerance > 0, "tolerance", "above 0", options.tolerance);
}

CodeStart parse_code_start(std::string_view name) {
  static constexpr std::string_view kStarts[] = {"zero", "ones"};
  return static_cast<CodeStart>(place_of(name, kStarts, "code_start"));
}

std::vector<double> lambdas_down_to(double last, double largest, const CodeOptions& options) {
  const Index count = options.lambda_steps;
  std::vector<double> values;
  for (Index k = 1; k < count; ++k) {
    if (last >= largest) break;
    const double fraction = static_cast<double>(k) / static_cast<double>(count);
    values.push_back(largest * elementary::power(last / largest, fraction));
  }
  values.push_back(last);
  return values;
}

double asked_lambda(double largest, const CodeOptions& options) {
  // Below, λ is lost in the rounding of correlations (of their squares, where it is a variance).
  const double least = options.code_start == CodeStart::ones ? 1e-14 : 1e-20;
  if (options.lambda > 0) return std::max(options.lambda, least * largest);
  // A signal that no atom correlates with is coded by nothing at any λ.
  if (largest == 0) return 1;
  return options.lambda_ratio * largest;
}

double largest_lambda(const CodingTask& task, CodeStart start) {
  const Vector& norms = task.rows.dictionary().norms();
  double largest = 0;
  for (Index i = 0; i < norms.size(); ++i) {
    if (norms[i] == 0) continue;
    const double product = std::abs(task.rho[i]);
    const double cosine = product / norms[i];
    largest = std::max(largest, start == CodeStart::ones ? product : cosine * cosine);
  }
  return largest;
}

double first_lambda(const CodingTask& task, const CodeOptions& options) {
  const double largest = largest_lambda(task, options.code_start);
  const double lambda = asked_lambda(largest, options);
  if (lambda == 0) return first_automatic_lambda(task, options);
  return lambdas_down_to(lambda, largest, options).front();
}

std::vector<SparseBayesCode> codes_by_lambda(const CodingTask& task, const CodeOptions& options) {
  const double largest = largest_lambda(task, options.code_start);
  double lambda = asked_lambda(largest, options);
  if (lambda == 0) lambda = automatic_lambda(task, options);
  std::vector<SparseBayesCode> codes;
  for (const double value : lambdas_down_to(lambda, largest, options)) {
    codes.push_back(
        code_at(task, value, options, codes.empty() ? SparseCode{} : codes.back().code));
  }
  return codes;
}

SparseBayesCode sparse_bayes_code(const Dictionary& dictionary, const Vector& signal,
                                  const CodeOptions& options) {
  validate(options);
  check_signal(dictionary, signal);
  Matrix products;
  dictionary.correlate(signal, products);
  const Vector rho = products.col(0);
  // Space for the rows of one signal: kept from λ to λ and from outer iteration to outer iteration.
  GramRows rows(dictionary, std::size_t{1} << 28);
  return std::move(codes_by_lambda({rows, signal, rho}, options).back());
}

}  // namespace ardent
