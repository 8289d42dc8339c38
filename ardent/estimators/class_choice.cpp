#include "ardent/estimators/class_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"
#include "ardent/data/folds.h"
#include "ardent/model/combine.h"
#include "ardent/model/predict.h"

namespace ardent {
namespace {

constexpr Index kClassFolds = 4;
constexpr Index kMostRowsForFolds = 500;
constexpr int kTemperatureSteps = 24;  // up and down from 1, each by 2^(1/8)
constexpr std::array<const char*, 2> kSchemes{"ovo", "ovr"};

Index smallest_class(const std::vector<std::uint32_t>& ids, Index classes) {
  std::vector<Index> counts(static_cast<std::size_t>(classes));
  for (const std::uint32_t id : ids) ++counts[id];
  return *std::ranges::min_element(counts);
}

/// Mean log-likelihood of the true classes.
double tempered_score(const Matrix& probabilities, const std::vector<std::uint32_t>& truth,
                      double temperature) {
  double sum = 0;
  for (Index i = 0; i < probabilities.rows(); ++i) {
    sum += elementary::log(tempered(probabilities.row(i), temperature)[truth[i]]);
  }
  return sum / static_cast<double>(probabilities.rows());
}

struct HeldOut {
  Matrix probabilities;
  std::vector<std::uint32_t> truth;
};

HeldOut held_out(const Dataset& data, const Split& split, const TrainOptions& options,
                 const TrainRows& train_rows) {
  const Model model = train_rows(select_rows(data, split.train), options);
  const Dataset test = select_rows(data, split.test);
  return {predict(model, test).probabilities, encode(test.labels, model.classes)};
}

HeldOut joined(std::span<const HeldOut> parts) {
  HeldOut all;
  Index rows = 0;
  for (const HeldOut& part : parts) rows += part.probabilities.rows();
  all.probabilities.resize(rows, parts.front().probabilities.cols());
  Index begin = 0;
  for (const HeldOut& part : parts) {
    all.probabilities.middleRows(begin, part.probabilities.rows()) = part.probabilities;
    begin += part.probabilities.rows();
    all.truth.insert(all.truth.end(), part.truth.begin(), part.truth.end());
  }
  return all;
}

}  // namespace

double best_temperature(const Matrix& probabilities, const std::vector<std::uint32_t>& truth) {
  double best = 1, highest = tempered_score(probabilities, truth, 1);
  for (int step = -kTemperatureSteps; step <= kTemperatureSteps; ++step) {
    const double temperature = elementary::exp(step * elementary::log(2.0) / 8);
    const double score = tempered_score(probabilities, truth, temperature);
    if (score <= highest) continue;
    highest = score;
    best = temperature;
  }
  return best;
}

ClassDecision choose_classes(const Dataset& data, const TrainOptions& options,
                             const TrainRows& train_rows) {
  const ClassTable classes = make_classes(data.labels);
  const std::vector<std::uint32_t> ids = encode(data.labels, classes);
  if (data.rows() > kMostRowsForFolds) return {"ovo", 1, "classes: ovo (too many rows for folds)"};
  const Index folds = std::min(kClassFolds, smallest_class(ids, classes.size()));
  if (folds < 2) return {"ovo", 1, "classes: ovo (a class has a single row)"};
  const std::vector<Split> splits = stratified_folds(ids, folds, options.seed);
  std::vector<HeldOut> parts(kSchemes.size() * splits.size());
  parallel_for(std::ssize(parts), [&](Index p) {
    TrainOptions own = options;
    own.multiclass = kSchemes[p / folds];
    parts[p] = held_out(data, splits[p % folds], own, train_rows);
  });
  ClassDecision decision;
  double highest = 0;
  std::string scores;
  for (std::size_t s = 0; s < kSchemes.size(); ++s) {
    const HeldOut all = joined(std::span(parts).subspan(s * splits.size(), splits.size()));
    const double temperature = best_temperature(all.probabilities, all.truth);
    const double score = tempered_score(all.probabilities, all.truth, temperature);
    scores += fmt::format("{}{} {:.4f}", s == 0 ? "" : ", ", kSchemes[s], score);
    if (s > 0 && score <= highest) continue;
    highest = score;
    decision.multiclass = kSchemes[s];
    decision.temperature = temperature;
  }
  decision.note = fmt::format(
      "classes: {} at temperature {:.3g} (log-likelihood per held-out row of {} folds: {})",
      decision.multiclass, decision.temperature, folds, scores);
  return decision;
}

}  // namespace ardent
