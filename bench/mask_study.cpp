// Doubly sparse models under the published protocol, one JSON object per line:
//   mask_study cv FILE [NOISE_SEED]   five stratified folds; with a seed, values are divided by 16
//                                     and U(0, 1) noise is added (the digits)
//   mask_study goals FILE [NOISE_SEED] the same folds, each fitted with two seeds: a line per fold
//   with R̂,
//                                     effective draws, CPU seconds and the largest difference of an
//                                     inclusion probability, and one for all; `folds=F`: the
//                                     first F of the five only; `task=regression`: RMSE and
//                                     negative log density in the place of F1 and log loss
//   mask_study xor SEED [FLIPPED]     300 rows, 50 features, class by the sign of x_1·x_2 + x_3, a
//                                     share of the labels flipped
//   mask_study noisy FILE SEED        20 columns of standard normal noise appended
// Further arguments NAME=VALUE are options of training. Single thread.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string>

#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "ardent/data/reader.h"
#include "ardent/estimators/doubly_sparse_training.h"
#include "ardent/estimators/evaluation.h"

namespace {

using namespace ardent;

Dataset with_values(const Dataset& data, const Matrix& x) {
  Dataset result = data;
  Buffer<double> values = Buffer<double>::allocate(x.size());
  double* value = values.mutable_data();
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index k = 0; k < x.cols(); ++k) *value++ = x(i, k);
  }
  result.features = DenseRows{x.rows(), x.cols(), values};
  result.feature_names.clear();
  return result;
}

Matrix values_of(const Dataset& data) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const DenseRows dense = to_dense(data.features);
  return Eigen::Map<const RowMajor>(dense.values.data(), dense.rows, dense.cols);
}

Matrix random_normal(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Matrix x(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < cols; ++k) x(i, k) = random.normal();
  }
  return x;
}

Index selected(const DoublySparseReport& fit, Index begin, Index end) {
  Index count = 0;
  for (std::size_t k = 0; k < fit.columns.size(); ++k) {
    const bool counts = fit.columns[k] >= begin && fit.columns[k] < end;
    if (counts && fit.summary.features[k].mean > 0.5) ++count;
  }
  return count;
}

void cross_validate_doubly_sparse(const Dataset& data, const TrainOptions& options,
                                  std::uint64_t seed) {
  const FoldPlan plan = plan_folds(data, "classification", 5, seed);
  double f1 = 0, accuracy = 0, log_loss = 0, features = 0, basis = 0, chosen = 0, r_hat = 0;
  for (const Split& split : plan.splits) {
    const Dataset training = select_rows(data, split.train);
    const DoublySparseFit fit = fit_doubly_sparse(training, options);
    const Evaluation test = evaluate(fit.model, select_rows(data, split.test));
    const DoublySparseReport& one = fit.fits[0];
    f1 += test.classification.f1 / 5;
    accuracy += test.classification.accuracy / 5;
    log_loss += test.classification.log_loss / 5;
    features += one.summary.features_on.mean / static_cast<double>(data.cols()) / 5;
    basis += one.summary.basis_on.mean / static_cast<double>(training.rows()) / 5;
    chosen += static_cast<double>(selected(one, 0, data.cols())) / 5;
    r_hat += one.summary.log_likelihood.r_hat / 5;
  }
  fmt::print(
      "{{\"f1\": {:.4f}, \"accuracy\": {:.4f}, \"log_loss\": {:.4f}, \"features_on\": {:.3f}, "
      "\"basis_on\": {:.3f}, \"selected\": {:.1f}, \"r_hat\": {:.2f}}}\n",
      f1, accuracy, log_loss, features, basis, chosen, r_hat);
}

/// What holds of two fits of the same rows.
struct Pair {
  Evaluation test;           // of the first
  double r_hat = 0;          // of the log likelihood, the larger
  double worst_r_hat = 0;    // of that and every feature
  double effective = 1e300;  // of the log likelihood, the smaller
  double least = 1e300;      // of a feature with a probability in (.05, .95)
  double per_minute = 1e300;
  double seconds = 0;     // CPU, of one fit
  double difference = 0;  // of an inclusion probability, the largest
  Index sweeps = 0, agreed = 0;
  double log_xi = 0, log_delta = 0;
};

void consider(const DoublySparseReport& one, double seconds, Pair& pair) {
  const doubly_sparse::ChainsSummary& summary = one.summary;
  const doubly_sparse::Estimate& level = summary.log_likelihood;
  pair.r_hat = std::max(pair.r_hat, level.r_hat);
  pair.worst_r_hat = std::max(pair.worst_r_hat, level.r_hat);
  pair.effective = std::min(pair.effective, level.effective);
  pair.per_minute = std::min(pair.per_minute, level.effective / seconds * 60);
  for (const doubly_sparse::Estimate& feature : summary.features) {
    if (feature.mean <= 0.05 || feature.mean >= 0.95) continue;
    pair.worst_r_hat = std::max(pair.worst_r_hat, feature.r_hat);
    pair.least = std::min(pair.least, feature.effective);
  }
  pair.seconds += seconds / 2;
  pair.sweeps = std::max(pair.sweeps, summary.traces.log_likelihood.rows());
  pair.agreed += summary.ending == doubly_sparse::Ending::agreement ? 1 : 0;
  pair.log_xi += summary.log_xi.mean / 2;
  pair.log_delta += summary.log_delta.mean / 2;
}

Pair fit_twice(const Dataset& data, const Split& split, TrainOptions options) {
  const Dataset training = select_rows(data, split.train);
  Pair pair;
  std::vector<DoublySparseFit> fits;
  for (Index seed = 0; seed < 2; ++seed) {
    options.seed += 1000 * static_cast<std::uint64_t>(seed);
    const auto start = std::clock();
    fits.push_back(fit_doubly_sparse(training, options));
    consider(fits.back().fits[0], static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, pair);
  }
  const auto& first = fits[0].fits[0].summary.features;
  const auto& second = fits[1].fits[0].summary.features;
  for (std::size_t k = 0; k < first.size(); ++k) {
    pair.difference = std::max(pair.difference, std::abs(first[k].mean - second[k].mean));
  }
  pair.test = evaluate(fits[0].model, select_rows(data, split.test));
  return pair;
}

void measure_goals(const Dataset& data, const TrainOptions& options, Index folds) {
  const bool regression = options.task == "regression";
  const FoldPlan plan =
      plan_folds(data, regression ? options.task : "classification", 5, options.seed);
  const char* names[] = {regression ? "rmse" : "f1", regression ? "nlpd" : "log_loss"};
  double mean_score = 0, mean_loss = 0;
  for (Index fold = 0; fold < folds; ++fold) {
    const Pair pair = fit_twice(data, plan.splits[fold], options);
    const double score = regression ? pair.test.regression.rmse : pair.test.classification.f1;
    const double loss = regression ? pair.test.regression.nlpd : pair.test.classification.log_loss;
    mean_score += score / static_cast<double>(folds);
    mean_loss += loss / static_cast<double>(folds);
    fmt::print(
        "{{\"fold\": {}, \"{}\": {:.4f}, \"{}\": {:.4f}, \"r_hat\": {:.3f}, "
        "\"worst_r_hat\": {:.3f}, \"effective\": {:.0f}, \"feature_effective\": {:.0f}, "
        "\"per_minute\": {:.0f}, \"difference\": {:.3f}, \"seconds\": {:.1f}, \"sweeps\": {}, "
        "\"agreed\": {}, \"log_xi\": {:.2f}, \"log_delta\": {:.2f}}}\n",
        fold + 1, names[0], score, names[1], loss, pair.r_hat, pair.worst_r_hat, pair.effective,
        pair.least, pair.per_minute, pair.difference, pair.seconds, pair.sweeps, pair.agreed,
        pair.log_xi, pair.log_delta);
    std::fflush(stdout);
  }
  fmt::print("{{\"folds\": {}, \"{}\": {:.4f}, \"{}\": {:.4f}}}\n", folds, names[0], mean_score,
             names[1], mean_loss);
}

Dataset xor_data(Index rows, std::uint64_t seed, double flipped) {
  Random random(seed, 1);
  const Matrix x = random_normal(rows, 50, seed);
  std::vector<double> labels;
  for (Index i = 0; i < rows; ++i) {
    const double sign = x(i, 0) * x(i, 1) + x(i, 2) > 0 ? 1 : -1;
    labels.push_back(random.uniform() < flipped ? -sign : sign);
  }
  Dataset data;
  data.source = "xor";
  data.labels = make_labels(labels);
  return with_values(data, x);
}

void find_xor(const TrainOptions& options, std::uint64_t seed, double flipped) {
  const DoublySparseFit fit = fit_doubly_sparse(xor_data(300, seed, flipped), options);
  const Evaluation test = evaluate(fit.model, xor_data(5000, seed + 1000, flipped));
  fmt::print("{{\"relevant\": {}, \"noise\": {}, \"accuracy\": {:.4f}, \"r_hat\": {:.2f}}}\n",
             selected(fit.fits[0], 0, 3), selected(fit.fits[0], 3, 50),
             test.classification.accuracy, fit.fits[0].summary.log_likelihood.r_hat);
}

void append_noise(const Dataset& data, const TrainOptions& options, std::uint64_t seed) {
  Matrix x(data.rows(), data.cols() + 20);
  x << values_of(data), random_normal(data.rows(), 20, seed);
  const DoublySparseFit fit = fit_doubly_sparse(with_values(data, x), options);
  fmt::print("{{\"real\": {}, \"noise\": {}, \"r_hat\": {:.2f}}}\n",
             selected(fit.fits[0], 0, data.cols()), selected(fit.fits[0], data.cols(), x.cols()),
             fit.fits[0].summary.log_likelihood.r_hat);
}

Dataset noisy_digits(const Dataset& data, std::uint64_t seed) {
  Random random(seed);
  Matrix x = values_of(data) / 16;
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index k = 0; k < x.cols(); ++k) x(i, k) += random.uniform();
  }
  return with_values(data, x);
}

}  // namespace

int main(int argc, char** argv) try {
  const ThreadScope one(1);
  TrainOptions options;
  options.map = "doubly-sparse";
  Schema table = schema(options);
  std::vector<std::string> arguments;
  Index folds = 5;
  for (int i = 1; i < argc; ++i) {
    const std::string text = argv[i];
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      arguments.push_back(text);
    } else if (text.starts_with("folds=")) {
      folds = std::stoll(text.substr(6));
    } else {
      table.set(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  const auto number = [&](std::size_t i) {
    return static_cast<std::uint64_t>(std::atoll(arguments.at(i).c_str()));
  };
  const std::string what = arguments.empty() ? "" : arguments[0];
  if (what == "cv") {
    Dataset data = read_dataset(arguments.at(1));
    if (arguments.size() > 2) data = noisy_digits(data, number(2));
    cross_validate_doubly_sparse(data, options, options.seed);
  } else if (what == "goals") {
    Dataset data = read_dataset(arguments.at(1));
    if (arguments.size() > 2) data = noisy_digits(data, number(2));
    measure_goals(data, options, folds);
  } else if (what == "xor") {
    find_xor(options, number(1), arguments.size() > 2 ? std::stod(arguments[2]) : 0);
  } else if (what == "noisy") {
    append_noise(read_dataset(arguments.at(1)), options, number(2));
  } else {
    fmt::print(stderr,
               "mask_study cv|goals FILE [NOISE_SEED] | xor SEED [FLIPPED] | noisy FILE SEED\n");
    return 2;
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "mask_study: {}\n", error.what());
  return 1;
}
