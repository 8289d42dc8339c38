// Codes signals over a dictionary as sparse_coding.py asks: sparse_coding DICTIONARY SIGNALS COUNT
// RATIO... Both files hold one atom or signal per row and are scaled to unit length.
//
// For each ratio of λ to λ_max prints the CPU seconds of each signal's LASSO, one thread, relative
// gap 1e-6, with nothing kept between signals but the dictionary and its lengths; then those of the
// same signals with Gram rows kept from signal to signal (cold, and once more with all rows at
// hand); of plain coordinate descent; and of one and of eight outer iterations of a sparse Bayesian
// code. One JSON object.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "ardent/base/parallel.h"
#include "ardent/data/reader.h"
#include "ardent/inference/coding/make_dictionary.h"
#include "ardent/inference/coding/reweighted_l1.h"
#include "ardent/inference/coding/weighted_lasso.h"
#include "tests/problems/coordinate_descent.h"

namespace {

using namespace ardent;

/// CPU seconds of this process: on one thread the time a quiet machine takes, whatever else runs.
double now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Data {
  std::unique_ptr<Dictionary> dictionary;
  DenseRows signals;
  Vector signal(Index i) const {
    return Eigen::Map<const Vector>(signals.row(i).data(), signals.cols).normalized();
  }
};

double largest_penalty(const Dictionary& dictionary, const Vector& y) {
  Matrix rho;
  dictionary.correlate(y, rho);
  return rho.cwiseAbs().maxCoeff();
}

/// Seconds and gaps (over all atoms, computed again) of one LASSO per signal.
std::string cold(const Data& data, Index count, double ratio) {
  std::vector<double> seconds;
  std::vector<Index> nonzeros;
  double worst = 0;
  const Vector ones = Vector::Ones(data.dictionary->cols());
  for (Index i = 0; i < count; ++i) {
    const Vector y = data.signal(i);
    const double lambda = ratio * largest_penalty(*data.dictionary, y);
    const double start = now();
    const LassoResult result = weighted_lasso(*data.dictionary, y, ones, lambda);
    seconds.push_back(now() - start);
    nonzeros.push_back(std::ssize(result.code.active));
    Matrix rho;
    data.dictionary->correlate(y, rho);
    const Vector products = rho.col(0);
    const Vector w = lambda * ones;
    worst =
        std::max(worst, duality_gap({*data.dictionary, y, products, w}, result.code).relative());
  }
  return fmt::format("\"lasso\": {}, \"nonzeros\": {}, \"worst_gap\": {}", seconds, nonzeros,
                     worst);
}

/// Seconds per signal, with Gram rows kept from signal to signal; the second time all are
/// available.
std::string with_rows(const Data& data, Index count, double ratio) {
  std::vector<double> seconds;
  GramRows rows(*data.dictionary, std::size_t{1} << 30);
  for (int time = 0; time < 2; ++time) {
    for (Index i = 0; i < count; ++i) {
      const Vector y = data.signal(i);
      Matrix rho;
      data.dictionary->correlate(y, rho);
      const Vector products = rho.col(0);
      CodeOptions options{.lambda_ratio = ratio, .code_start = CodeStart::ones, .max_outer = 1};
      const double start = now();
      codes_by_lambda({rows, y, products, true}, options);
      if (i == 0) seconds.push_back(0);
      seconds.back() += (now() - start) / static_cast<double>(count);
    }
  }
  return fmt::format("\"with_rows\": {}", seconds);
}

std::string descent_json(const Data& data, Index count, double ratio) {
  std::vector<double> seconds;
  for (Index i = 0; i < count; ++i) {
    const Vector y = data.signal(i);
    Matrix rho;
    data.dictionary->correlate(y, rho);
    const Vector products = rho.col(0);
    const Vector w = Vector::Constant(products.size(), ratio * products.cwiseAbs().maxCoeff());
    const double start = now();
    coordinate_descent({*data.dictionary, y, products, w}, {.tolerance = 1e-6});
    seconds.push_back(now() - start);
  }
  return fmt::format("\"descent\": {}", seconds);
}

/// Eight outer iterations from γ = 0 at noise variance λ: the first, and all.
std::string outer(const Data& data, Index count, double lambda) {
  std::vector<double> first;
  std::vector<double> all;
  for (Index i = 0; i < count; ++i) {
    CodeOptions options{.lambda = lambda};
    options.outer_tolerance = 1e-300;  // no stop before the eighth
    options.max_outer = 1;
    double start = now();
    sparse_bayes_code(*data.dictionary, data.signal(i), options);
    first.push_back(now() - start);
    options.max_outer = 8;
    start = now();
    sparse_bayes_code(*data.dictionary, data.signal(i), options);
    all.push_back(now() - start);
  }
  return fmt::format("{{\"lambda\": {}, \"first\": {}, \"eight\": {}}}", lambda, first, all);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 5) {
    fmt::print(stderr, "usage: sparse_coding DICTIONARY SIGNALS COUNT RATIO...\n");
    return 2;
  }
  const ThreadScope one_thread(1);
  const Data data{make_dictionary(read_dataset(argv[1], {.labels_optional = true}).features, true),
                  to_dense(read_dataset(argv[2], {.labels_optional = true}).features)};
  const Index count = std::atol(argv[3]);
  fmt::print("{{\"ratios\": [");
  for (int k = 4; k < argc; ++k) {
    const double ratio = std::atof(argv[k]);
    fmt::print("{}{{\"ratio\": {}, {}, {}, {}}}", k > 4 ? ", " : "", ratio,
               cold(data, count, ratio), with_rows(data, count, ratio),
               descent_json(data, std::min<Index>(count, 2), ratio));
  }
  fmt::print("], \"outer\": [");
  const double lambdas[] = {0.1, 0.01, 0.003};
  for (int k = 0; k < 3; ++k) {
    fmt::print("{}{}", k > 0 ? ", " : "", outer(data, count, lambdas[k]));
  }
  fmt::print("]}}\n");
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "sparse_coding: {}\n", error.what());
  return 1;
}
