#include "ardent/estimators/dictionary_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/random.h"
#include "ardent/estimators/sparse_coder.h"
#include "ardent/estimators/training_set.h"
#include "ardent/inference/coding/make_dictionary.h"

namespace ardent {
namespace {

/// Rows of each class that are not zero, shuffled.
std::vector<std::vector<Index>> shuffled_by_class(const Features& atoms,
                                                  const std::vector<std::uint32_t>& classes,
                                                  Index class_count, std::uint64_t seed) {
  const Vector norms = make_dictionary(atoms)->norms();
  std::vector<std::vector<Index>> by_class(class_count);
  for (Index i = 0; i < norms.size(); ++i) {
    if (norms[i] > 0) by_class[classes[i]].push_back(i);
  }
  for (std::size_t c = 0; c < by_class.size(); ++c) Random(seed, c).shuffle(by_class[c]);
  return by_class;
}

/// One row of each class in turn until there are enough (0: all of them); ascending.
std::vector<Index> spread_evenly(const std::vector<std::vector<Index>>& by_class, Index wanted) {
  std::vector<Index> chosen;
  std::size_t longest = 0;
  for (const auto& rows_of_class : by_class) longest = std::max(longest, rows_of_class.size());
  for (std::size_t place = 0; place < longest; ++place) {
    for (const auto& rows_of_class : by_class) {
      const bool enough = wanted > 0 && std::ssize(chosen) >= wanted;
      if (!enough && place < rows_of_class.size()) chosen.push_back(rows_of_class[place]);
    }
  }
  std::ranges::sort(chosen);
  return chosen;
}

constexpr Index kFolds = 10;

/// A tenth of each class's rows, 500 in all at most: the first fold from the end of its list.
std::vector<Index> held_out_rows(std::vector<std::vector<Index>> by_class, Index fold) {
  constexpr Index kEnough = 500;
  for (auto& rows_of_class : by_class) {
    std::ranges::reverse(rows_of_class);
    const Index rows = std::ssize(rows_of_class);
    const auto first = rows_of_class.begin();
    rows_of_class =
        std::vector<Index>(first + fold * rows / kFolds, first + (fold + 1) * rows / kFolds);
  }
  return spread_evenly(by_class, kEnough);
}

double mean_log_loss(const Matrix& residuals, const std::vector<std::uint32_t>& classes,
                     double sharpness) {
  const Matrix p = residual_probabilities(residuals, sharpness);
  double loss = 0;
  for (Index i = 0; i < p.rows(); ++i) {
    loss -= elementary::log(p(i, classes[i]));
  }
  return loss / static_cast<double>(p.rows());
}

/// The sharpness with the least loss: the best of a grid of factors 2^(1/8), which is far finer
/// than what some hundred rows can show.
double best_sharpness(const Matrix& residuals, const std::vector<std::uint32_t>& classes) {
  double best = 0, least = std::numeric_limits<double>::infinity();
  for (int eighths = -40; eighths <= 64; ++eighths) {
    const double sharpness = elementary::exp(eighths / 8.0 * std::numbers::ln2);
    const double loss = mean_log_loss(residuals, classes, sharpness);
    if (loss < least) {
      least = loss;
      best = sharpness;
    }
  }
  return best;
}

/// What rows that were held out leave of each class, and their classes.
struct HeldOutResiduals {
  Matrix residuals;  // a row each
  std::vector<std::uint32_t> classes;
};

/// Codes the rows of a fold over the atoms that are none of them.
HeldOutResiduals residuals_of(const std::vector<Index>& held_out, const Features& scaled,
                              const std::vector<std::uint32_t>& classes, Index class_count,
                              const std::vector<Index>& atoms, const CoderOptions& options) {
  DictionaryModel dictionary;
  std::vector<Index> kept;
  std::ranges::set_difference(atoms, held_out, std::back_inserter(kept));
  if (kept.empty()) return {Matrix(0, class_count), {}};
  dictionary.atoms = select_rows(scaled, kept);
  for (const Index i : kept) dictionary.classes.push_back(classes[i]);
  HeldOutResiduals result;
  for (const Index i : held_out) result.classes.push_back(classes[i]);
  const Features signals = select_rows(scaled, held_out);
  SparseCoder coder(dictionary.atoms, options);
  result.residuals = class_residuals(dictionary, class_count, signals, coder.code(signals));
  return result;
}

/// Of as many folds as have a few hundred rows. With too few rows to learn from, a guess: 5.
double fit_sharpness(const Features& scaled, const std::vector<std::uint32_t>& classes,
                     Index class_count, const std::vector<std::vector<Index>>& by_class,
                     const std::vector<Index>& atoms, CoderOptions options) {
  constexpr Index kFewestSignals = 20, kWanted = 300;
  constexpr double kGuess = 5;
  options.unit_norm = true;
  HeldOutResiduals all{Matrix(0, class_count), {}};
  for (Index fold = 0; fold < kFolds && std::ssize(all.classes) < kWanted; ++fold) {
    const std::vector<Index> rows = held_out_rows(by_class, fold);
    if (rows.empty()) continue;
    const HeldOutResiduals some = residuals_of(rows, scaled, classes, class_count, atoms, options);
    const Index before = all.residuals.rows(), count = some.residuals.rows();
    all.residuals.conservativeResize(before + count, Eigen::NoChange);
    all.residuals.bottomRows(count) = some.residuals;
    all.classes.insert(all.classes.end(), some.classes.begin(), some.classes.end());
  }
  if (std::ssize(all.classes) < kFewestSignals) return kGuess;
  return best_sharpness(all.residuals, all.classes);
}

}  // namespace

Model train_dictionary(const Dataset& data, const TrainOptions& options) {
  TrainingSet set =
      make_training_set(data, options, {.automatic_scale = ScaleKind::none, .everything = true});
  Model model = std::move(set.model);
  if (model.task != Task::classification) {
    throw InputError(fmt::format(
        "{}: the map dictionary classifies, and the labels are a regression target", data.source));
  }
  if (!data.weights.empty() || options.class_weight != "none") {
    throw InputError("the map dictionary counts every row once: leave out row and class weights");
  }
  const Index class_count = model.classes.size();
  const std::vector<std::uint32_t> classes = encode(data.labels, model.classes);
  const auto by_class = shuffled_by_class(set.scaled, classes, class_count, options.seed);
  DictionaryModel dictionary;
  dictionary.origin = spread_evenly(by_class, options.atoms);
  dictionary.atoms = select_rows(set.scaled, dictionary.origin);
  for (const Index i : dictionary.origin) {
    dictionary.classes.push_back(classes[i]);
  }
  dictionary.coding = code_options(options.coder);
  if (options.vote == "residual") {
    dictionary.sharpness =
        fit_sharpness(set.scaled, classes, class_count, by_class, dictionary.origin, options.coder);
  }
  name_inputs(data.feature_names, model);
  model.total = std::ssize(dictionary.origin);
  model.kind = std::move(dictionary);
  return model;
}

}  // namespace ardent
