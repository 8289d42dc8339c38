#include "ardent/data/synth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/data/synth_rows.h"

namespace ardent {
namespace {

constexpr Index kPlantedRows = 1024;
constexpr Index kCalibrationSample = 0;
constexpr Index kCalibrationRows = 16384;  // the accuracy's standard error is then below 0.1%

void require_between(const char* name, Index value, Index least, Index most) {
  if (value >= least && value <= most) return;
  throw InputError(fmt::format("{} must be from {} to {}, not {}", name, least, most, value));
}

void validate(const SynthOptions& options) {
  require_between("rows", options.rows, 1, 0xffffffff);
  require_between("columns", options.columns, 4, 0xfffffffe);
  // A quarter: more different words of a Zipf law would take very many draws.
  require_between("nonzeros", options.nonzeros, 1, options.columns / 4);
  require_between("relevant", options.relevant, 1, options.columns / 4);
  require_between("sample", options.sample, 1, Index{1} << 20);
  if (!(options.bayes_accuracy > 0.5 && options.bayes_accuracy < 1)) {
    throw InputError(fmt::format("bayes-accuracy must be above 0.5 and below 1, not {}",
                                 options.bayes_accuracy));
  }
}

Vocabulary draw_vocabulary(const SynthOptions& options) {
  Vocabulary vocabulary{ZipfLaw(options.columns), std::vector<std::uint32_t>(options.columns)};
  std::iota(vocabulary.column.begin(), vocabulary.column.end(), std::uint32_t{0});
  synth_stream(options.seed, kCalibrationSample, SynthStream::truth, 0).shuffle(vocabulary.column);
  return vocabulary;
}

/// Relevant words lie evenly along the law among those that a row in a hundred has, or among the
/// 2r commonest where these are more: common enough to be learnt. Signs alternate, so that words of
/// either sign are equally common.
PlantedTruth draw_truth(const SynthOptions& options, const Vocabulary& vocabulary) {
  constexpr double kLeastShare = 0.01;
  Random random = synth_stream(options.seed, kCalibrationSample, SynthStream::truth, 1);
  const ZipfLaw& law = vocabulary.law;
  const auto words = static_cast<double>(options.nonzeros);
  const Index end = std::max(2 * options.relevant, law.at_least(kLeastShare / words));
  std::vector<std::pair<Index, double>> planted;
  const double sign = random.uniform() < 0.5 ? -1 : 1;
  Index previous = -1;
  for (Index j = 0; j < options.relevant; ++j) {
    const double share =
        (static_cast<double>(j) + random.uniform()) / static_cast<double>(options.relevant);
    const Index last = law.ranks() - (options.relevant - j);  // leaves room for those to come
    const Index rank = std::min(std::max(previous + 1, law.rank(share * law.below(end))), last);
    previous = rank;
    planted.emplace_back(vocabulary.column[rank],
                         (j % 2 ? -sign : sign) * random.uniform(0.5, 1.5));
  }
  std::sort(planted.begin(), planted.end());
  PlantedTruth truth;
  for (const auto& [column, weight] : planted) {
    truth.columns.push_back(column);
    truth.weights.push_back(weight);
  }
  return truth;
}

/// intercept + Σ weight·x of each row.
Vector scores(const SparseRows& rows, const PlantedTruth& truth) {
  std::vector<double> weight(rows.cols, 0.0);
  for (std::size_t j = 0; j < truth.columns.size(); ++j) {
    weight[truth.columns[j]] = truth.weights[j];
  }
  Vector f(rows.rows);
  parallel_blocks(rows.rows, kPlantedRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double sum = truth.intercept;
      for (std::uint64_t e = rows.offsets[i]; e < rows.offsets[i + 1]; ++e) {
        sum += weight[rows.columns[e]] * static_cast<double>(rows.values[e]);
      }
      f[i] = sum;
    }
  });
  return f;
}

double sigmoid(double f) {
  return 1 / (1 + elementary::exp(-f));
}

/// Mean of max(p, 1 − p) where p = σ(scale·f).
double bayes_accuracy(const Vector& f, double scale) {
  const double total = parallel_sum(f.size(), kPlantedRows, [&](Index begin, Index end) {
    double sum = 0;
    for (Index i = begin; i < end; ++i) sum += sigmoid(scale * std::abs(f[i]));
    return sum;
  });
  return total / static_cast<double>(f.size());
}

/// Mean of −p ln p − (1 − p) ln(1 − p) where p = σ(f).
double bayes_log_loss(const Vector& f) {
  const double total = parallel_sum(f.size(), kPlantedRows, [&](Index begin, Index end) {
    double sum = 0;
    for (Index i = begin; i < end; ++i) {
      const double size = std::abs(f[i]);
      // −ln σ(a) = ln(1 + e^−a), and −ln σ(−a) is a more.
      sum += elementary::log1p(elementary::exp(-size)) + sigmoid(-size) * size;
    }
    return sum;
  });
  return total / static_cast<double>(f.size());
}

/// Sets intercept and scale on rows of their own. The accuracy rises with the scale, so bisection
/// finds it; beyond a root mean square of f of 30 labels are certain and more scale is no use.
void calibrate(const SynthOptions& options, const Vocabulary& vocabulary, PlantedTruth& truth) {
  constexpr double kMostRms = 30;
  constexpr int kHalvings = 60;
  const SparseRows rows = draw_synth_rows(vocabulary, kCalibrationRows, options.nonzeros,
                                          options.seed, kCalibrationSample);
  Vector f = scores(rows, truth);
  const double mean = f.mean();
  f.array() -= mean;
  const double rms = std::sqrt(f.squaredNorm() / static_cast<double>(f.size()));
  double low = 0, high = rms > 0 ? kMostRms / rms : 1;
  for (int step = 0; step < kHalvings; ++step) {
    const double middle = (low + high) / 2;
    (bayes_accuracy(f, middle) < options.bayes_accuracy ? low : high) = middle;
  }
  for (double& weight : truth.weights) weight *= high;
  truth.intercept = -high * mean;
}

Labels draw_labels(const SynthOptions& options, const Vector& f) {
  std::vector<double> labels(f.size());
  parallel_blocks(f.size(), kPlantedRows, [&](Index begin, Index end) {
    Random random =
        synth_stream(options.seed, options.sample, SynthStream::labels, begin / kPlantedRows);
    for (Index i = begin; i < end; ++i) {
      labels[i] = random.uniform() < sigmoid(f[i]) ? 1 : -1;
    }
  });
  return make_labels(std::move(labels));
}

}  // namespace

Synth make_synth(const SynthOptions& options) {
  validate(options);
  const Vocabulary vocabulary = draw_vocabulary(options);
  Synth synth;
  synth.truth = draw_truth(options, vocabulary);
  calibrate(options, vocabulary, synth.truth);
  SparseRows rows =
      draw_synth_rows(vocabulary, options.rows, options.nonzeros, options.seed, options.sample);
  const Vector f = scores(rows, synth.truth);
  synth.bayes_accuracy = bayes_accuracy(f, 1);
  synth.bayes_log_loss = bayes_log_loss(f);
  synth.data.features = std::move(rows);
  synth.data.labels = draw_labels(options, f);
  synth.data.source = fmt::format("synth seed {} sample {}", options.seed, options.sample);
  synth.data.absent_is_zero = true;  // as in the LIBSVM text that it is written as
  return synth;
}

}  // namespace ardent
