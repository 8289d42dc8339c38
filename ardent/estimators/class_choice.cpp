#include "ardent/estimators/class_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"
#include "ardent/data/folds.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/model/combine.h"
#include "ardent/model/predict.h"

namespace ardent {
namespace {

constexpr Index kClassFolds = 4;
constexpr Index kMostRowsForFolds = 500;
constexpr int kTemperatureSteps = 24;  // from 1 up, each by 2^(1/8)
constexpr int kSurerSteps = 16;        // from 1 down
constexpr double kLeastProbability = 1e-12;
constexpr std::array<const char*, 2> kSchemes{"ovo", "ovr"};

Index smallest_class(const std::vector<std::uint32_t>& ids, Index classes) {
  std::vector<Index> counts(static_cast<std::size_t>(classes));
  for (const std::uint32_t id : ids) ++counts[id];
  return *std::ranges::min_element(counts);
}

/// Log-likelihood of each row's true class.
Vector tempered_scores(const Matrix& probabilities, const std::vector<std::uint32_t>& truth,
                       double temperature) {
  Vector scores(probabilities.rows());
  for (Index i = 0; i < scores.size(); ++i) {
    const double p = tempered(probabilities.row(i), temperature)[truth[i]];
    scores[i] = elementary::log(std::max(p, kLeastProbability));
  }
  return scores;
}

/// By more than the folds could say by chance: two standard errors of the rows' differences.
bool clearly_better(const Vector& scores, const Vector& others) {
  const Vector difference = scores - others;
  const auto rows = static_cast<double>(difference.size());
  const double mean = difference.mean();
  const double variance = (difference.array() - mean).square().sum() / std::max(1.0, rows - 1);
  return mean > 2 * std::sqrt(variance / rows);
}

struct HeldOutClasses {
  Matrix probabilities;
  std::vector<std::uint32_t> truth;
};

HeldOutClasses held_out(const Dataset& data, const Split& split, const TrainOptions& options,
                        const TrainRows& train_rows) {
  const Model model = train_rows(select_rows(data, split.train), options);
  const Dataset test = select_rows(data, split.test);
  return {predict(model, test).probabilities, encode(test.labels, model.classes)};
}

HeldOutClasses joined(std::span<const HeldOutClasses> parts) {
  HeldOutClasses all;
  Index rows = 0;
  for (const HeldOutClasses& part : parts) rows += part.probabilities.rows();
  all.probabilities.resize(rows, parts.front().probabilities.cols());
  Index begin = 0;
  for (const HeldOutClasses& part : parts) {
    all.probabilities.middleRows(begin, part.probabilities.rows()) = part.probabilities;
    begin += part.probabilities.rows();
    all.truth.insert(all.truth.end(), part.truth.begin(), part.truth.end());
  }
  return all;
}

}  // namespace

double best_temperature(const Matrix& probabilities, const std::vector<std::uint32_t>& truth,
                        bool surer, const RowShare* share) {
  const auto total = [&](double t) {
    return sum_over(share, tempered_scores(probabilities, truth, t).sum());
  };
  double best = 1, highest = total(1);
  // The likelihood has one maximum in 1/T.
  const auto walk = [&](int steps, int sign) {
    for (int step = 1; step <= steps; ++step) {
      const double temperature = elementary::exp(sign * step * elementary::log(2.0) / 8);
      const double score = total(temperature);
      if (score <= highest) break;
      highest = score;
      best = temperature;
    }
  };
  walk(kTemperatureSteps, 1);
  if (surer && best == 1) walk(kSurerSteps, -1);
  return best;
}

ClassDecision calibrate_rest(const ClassTable& classes, const std::vector<Problem>& problems,
                             const std::vector<Vector>& f, const std::vector<std::uint32_t>& truth,
                             const RowShare* share) {
  ModelFrame frame;
  frame.classes = classes;
  Matrix parts(std::ssize(truth), std::ssize(f));
  for (std::size_t p = 0; p < f.size(); ++p) {
    frame.parts.push_back({problems[p].positive, problems[p].negative, {}, {}});
    for (Index i = 0; i < parts.rows(); ++i) {
      parts(i, static_cast<Index>(p)) = bernoulli::sigmoid(f[p][i]);
    }
  }
  const Matrix probabilities = combine_rows(frame, parts);
  const double temperature = best_temperature(probabilities, truth, true, share);
  const double rows = sum_over(share, static_cast<double>(truth.size()));
  const auto mean_loss = [&](double t) {
    return -sum_over(share, tempered_scores(probabilities, truth, t).sum()) / rows;
  };
  const double own = mean_loss(temperature), plain = mean_loss(1);
  return {"ovr", temperature,
          fmt::format("classes: ovr at temperature {:.3g} (log loss of held-out rows: {:.4f}, at "
                      "temperature 1 {:.4f})",
                      temperature, own, plain),
          own};
}

ClassDecision choose_classes(const Dataset& data, const TrainOptions& options,
                             const TrainRows& train_rows) {
  const ClassTable classes = make_classes(data.labels);
  const std::vector<std::uint32_t> ids = encode(data.labels, classes);
  if (data.rows() > kMostRowsForFolds) return {"ovo", 1, "classes: ovo (too many rows for folds)"};
  const Index folds = std::min(kClassFolds, smallest_class(ids, classes.size()));
  if (folds < 2) return {"ovo", 1, "classes: ovo (a class has a single row)"};
  const std::vector<Split> splits = stratified_folds(ids, folds, options.seed);
  std::vector<HeldOutClasses> parts(kSchemes.size() * splits.size());
  parallel_for(std::ssize(parts), [&](Index p) {
    TrainOptions own = options;
    own.multiclass = kSchemes[p / folds];
    parts[p] = held_out(data, splits[p % folds], own, train_rows);
  });
  ClassDecision decision;
  Vector highest;
  std::string scores;
  for (std::size_t s = 0; s < kSchemes.size(); ++s) {
    const HeldOutClasses all = joined(std::span(parts).subspan(s * splits.size(), splits.size()));
    const double temperature = best_temperature(all.probabilities, all.truth);
    const Vector own = tempered_scores(all.probabilities, all.truth, temperature);
    scores += fmt::format("{}{} {:.4f}", s == 0 ? "" : ", ", kSchemes[s], own.mean());
    if (s > 0 && !clearly_better(own, highest)) continue;
    highest = own;
    decision.multiclass = kSchemes[s];
    decision.temperature = temperature;
  }
  decision.note = fmt::format(
      "classes: {} at temperature {:.3g} (log-likelihood per held-out row of {} folds: {})",
      decision.multiclass, decision.temperature, folds, scores);
  return decision;
}

}  // namespace ardent
